"""A bar on a terminal for runs that take their time. Short runs never load it."""

from __future__ import annotations

import time
from typing import Any

_PATIENCE = 1.0  # seconds before anything is shown


class Bar:
    """Shows how far a run is, on standard error, where that is a terminal."""

    def __init__(self, *, color: bool) -> None:
        self._start = time.monotonic()
        self._shown = 0.0
        self._color = color
        self._progress: Any = None
        self._task: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Called by the pipeline: `done` of `total` files; total 0 where it isn't known."""
        now = time.monotonic()
        if now - self._start < _PATIENCE or (now - self._shown < 0.1 and done < total):
            return
        self._shown = now
        if self._progress is None:
            self._begin()
        self._progress.update(
            self._task, description=stage, completed=done, total=total or None, refresh=True
        )

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            console=Console(stderr=True, no_color=not self._color),
            transient=True,
            auto_refresh=False,
        )
        self._progress.start()
        self._task = self._progress.add_task("", total=None)
