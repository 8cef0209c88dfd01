"""Reads all files of a project, in several processes where that pays.

What comes out does not depend on how many there are: facts are a function of a file's bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from aiter_lint.read.facts import FileFacts
from aiter_lint.read.sources import digest, read_bytes

FactsOf = Callable[[str, bytes], FileFacts]
"""Path and bytes to facts. The path is a name only: nothing may depend on it but a cache."""

Progress = Callable[[str, int, int], None]
"""Told what goes on, and how many files of how many are done (of 0, where that isn't known)."""

WORTH_A_PROCESS = 4_000_000  # bytes; below that, starting processes costs more than it saves
_BATCH = 400_000  # bytes that a process reads before it answers


@dataclass(frozen=True, slots=True)
class Reading:
    """The facts of every file that could be read, by path, the digests of the bytes that gave
    them, and why the others could not be read."""

    facts: dict[str, FileFacts]
    problems: tuple[str, ...]
    digests: Mapping[str, bytes] = field(default_factory=dict)


def read_files(
    root: str,
    sizes: Mapping[str, int],
    facts_of: FactsOf,
    *,
    jobs: int = 1,
    overlay: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> Reading:
    """The facts of the files of `sizes` (path to bytes). `jobs` is how many processes may be
    used, 0 for one a core. `facts_of` must be a function that another process can import."""
    overlay = overlay or {}
    facts: dict[str, FileFacts] = {}
    digests: dict[str, bytes] = {}
    problems: list[str] = []
    done = 0

    def store(path: str, result: _Result) -> None:
        nonlocal done
        if isinstance(result, str):
            problems.append(f"{path}: can't be read: {result}")
        else:
            digests[path], facts[path] = result
        done += 1
        if progress is not None:
            progress("Reading", done, len(sizes))

    workers = _workers(jobs, sum(sizes.values()))
    rest = list(sizes)
    if workers > 1:
        rest = []
        for path, result in _in_processes(root, sizes, facts_of, workers, overlay):
            if result is None:  # its process died or can't say: a second try in this one
                rest.append(path)
            else:
                store(path, result)
    for path in rest:
        store(path, _read_one(root, path, facts_of, overlay))
    return Reading(
        {path: facts[path] for path in sizes if path in facts}, tuple(sorted(problems)), digests
    )


_Result = tuple[bytes, FileFacts] | str
"""A file's digest and facts, or why it can't be read."""


def _read_one(root: str, path: str, facts_of: FactsOf, overlay: Mapping[str, bytes]) -> _Result:
    data = overlay.get(path)
    if data is None:
        try:
            data = read_bytes(root, path)
        except OSError as error:
            return error.strerror or str(error)
    return digest(data), facts_of(path, data)


def _workers(jobs: int, size: int) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(jobs or cores or 1, 1 + size // WORTH_A_PROCESS)


def _batches(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """The largest files first, so that no process is left with one at the end."""
    batch: list[str] = []
    room = _BATCH
    for path in sorted(sizes, key=lambda path: (-sizes[path], path)):
        batch.append(path)
        room -= sizes[path]
        if room <= 0:
            yield batch
            batch, room = [], _BATCH
    if batch:
        yield batch


def _in_processes(
    root: str,
    sizes: Mapping[str, int],
    facts_of: FactsOf,
    workers: int,
    overlay: Mapping[str, bytes],
) -> Iterator[tuple[str, _Result | None]]:
    import multiprocessing
    import sys
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    import msgspec

    decoder = msgspec.msgpack.Decoder(list[_Result | None])
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_on_interrupt) as pool:
        waiting = {
            pool.submit(
                _read_batch, root, batch, facts_of, {p: overlay[p] for p in batch if p in overlay}
            ): batch
            for batch in _batches(sizes)
        }
        try:
            for future in as_completed(waiting):
                batch = waiting[future]
                try:
                    results: Iterable[_Result | None] = decoder.decode(future.result())
                except BrokenProcessPool:
                    results = [None] * len(batch)
                yield from zip(batch, results)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _end_on_interrupt() -> None:
    """Ctrl-C ends this process without a word: the one that started it has the last one."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _read_batch(
    root: str, paths: list[str], facts_of: FactsOf, overlay: Mapping[str, bytes]
) -> bytes:
    import msgspec

    results: list[_Result | None] = [_read_one(root, path, facts_of, overlay) for path in paths]
    try:
        return msgspec.msgpack.encode(results)
    except (ValueError, RecursionError):  # a string that UTF-8 can't hold, among them
        return msgspec.msgpack.encode([None] * len(paths))
