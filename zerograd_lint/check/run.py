"""From paths to results: read every file, let the gate turn most away, check the rest.

The first half is all that most runs consist of, so it loads nothing: what checks a file is
imported when the first file passes the gate.
"""

from __future__ import annotations

import os
import sys

from ..config.discovery import Discovery, Found, ignored_codes
from ..files.kinds import NOTEBOOK, kind_of
from .gate import can_train_bytes, encode_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..config.baseline import Baseline
    from .one_file import Task
    from .result import FileResult

_WORTH_A_POOL = 200_000
"""Bytes of training code below which starting processes costs more than it saves."""
_LONGEST_LINE = 4_000
_LARGEST_FILE = 2_000_000
_DEEPEST_BRACKETS = 150


class RunOptions:
    """What the command line says about a run, apart from each file's configuration."""

    __slots__ = (
        "baseline",
        "cache_folder",
        "cpu_limit",
        "jobs",
        "mode",
        "on_progress",
        "unsafe",
    )

    def __init__(
        self,
        *,
        mode: str = "check",
        unsafe: bool = False,
        jobs: int | None = None,
        cache_folder: str | None = None,
        baseline: Baseline | None = None,
        cpu_limit: float = 10.0,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.mode = mode
        self.unsafe = unsafe
        self.jobs = jobs
        self.cache_folder = cache_folder
        self.baseline = baseline
        self.cpu_limit = cpu_limit
        self.on_progress = on_progress


class Outcome:
    """The results in order of discovery (only files that pass the gate have one) and a count."""

    __slots__ = ("files", "results")

    def __init__(self) -> None:
        self.files = 0
        self.results: list[FileResult] = []


def check_files(files: Iterable[Found], options: RunOptions) -> Outcome:
    """Check files as they are found."""
    outcome = Outcome()
    passed: list[tuple[Found, bytes]] = []
    words: tuple[bytes, ...] = ()
    config = None
    for found in files:
        outcome.files += 1
        if options.on_progress and outcome.files % 500 == 0:
            options.on_progress(0, outcome.files)
        data = b""
        if found.problem is None:
            try:
                with open(found.path, "rb", 0) as file:
                    data = file.read()
            except FileNotFoundError:
                continue  # it was there a moment ago; now there is nothing to check
            except (OSError, MemoryError) as error:
                found.problem = f"cannot read: {getattr(error, 'strerror', None) or error}"
        if found.config is not config:
            config = found.config
            words = encode_words(config.vocabulary())
        if found.problem is not None or _passes(found, data, words):
            passed.append((found, data))
    if passed:
        outcome.results = _check(passed, options)
    return outcome


def check_text(data: bytes, name: str, discovery: Discovery, options: RunOptions) -> Outcome:
    """Check what came from standard input as if it were the file of this name."""
    outcome = Outcome()
    outcome.files = 1
    config = discovery.config_for(os.path.dirname(os.path.abspath(name)))
    found = Found(name, kind_of(name), config)
    if _passes(found, data, encode_words(config.vocabulary())):
        outcome.results = _check_tasks([_task(found, data, options, write=False)], options)
    return outcome


def _passes(found: Found, data: bytes, words: tuple[bytes, ...]) -> bool:
    # In JSON a line does not end where it ends in Python, so the gate's finer test cannot hold.
    return can_train_bytes(data, words) or (found.kind == NOTEBOOK and b"zero_grad" in data)


def _task(found: Found, data: bytes, options: RunOptions, *, write: bool = True) -> Task:
    from .one_file import Task

    absolute = os.path.abspath(found.path)
    task = Task(
        path=found.path,
        kind=found.kind,
        data=data,
        settings=found.config.settings(),
        ignored=ignored_codes(absolute, found.config),
        mode=options.mode,
        unsafe=options.unsafe,
        write=write,
        cpu_limit=options.cpu_limit,
        cache_folder=options.cache_folder,
    )
    if options.baseline is not None:
        from dataclasses import replace

        task = replace(task, known=options.baseline.known_in(found.path))
    return task


def _check(passed: list[tuple[Found, bytes]], options: RunOptions) -> list[FileResult]:
    from .result import FileResult, Problem

    tasks = [_task(found, data, options) for found, data in passed if found.problem is None]
    checked = iter(_check_tasks(tasks, options))
    results = [
        next(checked)
        if found.problem is None
        else FileResult(found.path, found.kind, problems=[Problem(found.problem)])
        for found, _ in passed
    ]
    _trim(options.cache_folder)
    return results


def _check_tasks(tasks: list[Task], options: RunOptions) -> list[FileResult]:
    """The results in order, worked out in this process or in others."""
    jobs = options.jobs or _cores()
    pooled = jobs > 1 and len(tasks) > 1
    if options.jobs is None:
        pooled = pooled and sum(len(task.data) for task in tasks) > _WORTH_A_POOL
    elsewhere = [n for n, task in enumerate(tasks) if pooled or _suspicious(task.data)]
    results: dict[int, FileResult] = {}
    for number, result in _worked_out(tasks, elsewhere, jobs):
        results[number] = result
        if options.on_progress:
            options.on_progress(len(results), len(tasks))
    return [results[number] for number in range(len(tasks))]


def _worked_out(
    tasks: list[Task], elsewhere: list[int], jobs: int
) -> Iterator[tuple[int, FileResult]]:
    from .one_file import inspect_file

    apart = set(elsewhere)
    for number, task in enumerate(tasks):
        if number not in apart:
            yield number, inspect_file(task)
    if elsewhere:
        from . import pool

        if sys.platform == "linux" and len(elsewhere) > 1:
            from . import engine  # noqa: F401  (loaded once, before the workers fork)
        for index, result in pool.run([tasks[number] for number in elsewhere], jobs):
            yield elsewhere[index], result


def _suspicious(data: bytes) -> bool:
    """Whether this could crash or hang the native parser, which then must not be ours."""
    if len(data) > _LARGEST_FILE or max(map(len, data.split(b"\n"))) > _LONGEST_LINE:
        return True
    depth = 0
    for byte in data.translate(None, _NOT_BRACKETS):
        depth += 1 if byte in b"([{" else -1
        if depth > _DEEPEST_BRACKETS:
            return True
    return False


_NOT_BRACKETS = bytes(set(range(256)) - set(b"([{)]}"))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _trim(cache_folder: str | None) -> None:
    if cache_folder is not None:
        from ..config.cache import Cache

        Cache(cache_folder).trim()
