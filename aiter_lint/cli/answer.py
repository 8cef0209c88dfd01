"""Stores what a run printed, for the next one that is asked the same."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from aiter_lint.cache.answer import encoded, key_of, name_of
from aiter_lint.cache.folder import TICK, Folder
from aiter_lint.cache.watch import watched
from aiter_lint.cli.project import Invocation
from aiter_lint.pipeline import Outcome

_LONGEST = 20_000_000  # characters of output


class Answer:
    """The answer to a command line, made before the project is looked at. `begun` is the time,
    in nanoseconds, before the settings were."""

    def __init__(self, folder: Folder, arguments: Sequence[str], begun: int) -> None:
        self._folder = folder
        self._arguments = arguments
        self._begun = begun
        self._discovering = time.time_ns()

    def store(
        self,
        understood: Invocation,
        paths: Sequence[str],
        outcome: Outcome,
        code: int,
        pieces: Sequence[tuple[str, str]],
    ) -> None:
        """Keep the output, unless the run is not to be trusted, or something has changed since
        it began: then nobody can tell what it saw."""
        if code not in (0, 1) or not self._folder.usable:
            return
        if sum(len(text) for _, text in pieces) > _LONGEST:
            return
        settings = [os.path.join(understood.location.root, understood.settings.baseline)]
        if understood.location.config is not None:
            settings.append(understood.location.config)
        named = [os.path.abspath(path) for path in paths or ["."]]
        read = outcome.sources.asked
        watch = watched(outcome.tree, named, read, settings, self._folder.path)
        if watch is None:
            return
        try:
            inside, outside = watch.newest()
            if inside >= self._discovering - TICK or outside >= self._begun - TICK:
                return
            state = watch.state(self._folder.path)
            key = key_of(self._arguments)
        except OSError:
            return
        data = encoded(key, code, watch, state, _joined(pieces))
        self._folder.write(name_of(key), data)


def _joined(pieces: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pieces, those of one way that follow each other as one."""
    joined: list[tuple[str, list[str]]] = []
    for way, text in pieces:
        if not joined or joined[-1][0] != way:
            joined.append((way, []))
        joined[-1][1].append(text)
    return [(way, "".join(texts)) for way, texts in joined]
