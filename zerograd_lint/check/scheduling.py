"""Which files are checked in this process and which in others, and their results in order."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .options import RunOptions
    from .result import FileResult
    from .task import Task

_WORTH_A_POOL = 200_000
"""Bytes of training code below which starting processes costs more than it saves."""
_LONGEST_LINE = 4_000
_LARGEST_FILE = 2_000_000
_DEEPEST_BRACKETS = 150
_NOT_BRACKETS = bytes(set(range(256)) - set(b"([{)]}"))


def check_tasks(tasks: list[Task], options: RunOptions) -> list[FileResult]:
    """The results of all tasks, in the order of the tasks."""
    jobs = options.jobs or _cores()
    pooled = jobs > 1 and len(tasks) > 1
    if options.jobs is None:
        pooled = pooled and sum(len(task.data) for task in tasks) > _WORTH_A_POOL
    elsewhere = [n for n, task in enumerate(tasks) if pooled or _may_harm_the_parser(task.data)]
    results: dict[int, FileResult] = {}
    for number, result in _as_completed(tasks, elsewhere, jobs):
        results[number] = result
        if options.on_progress:
            options.on_progress(len(results), len(tasks))
    return [results[number] for number in range(len(tasks))]


def _as_completed(
    tasks: list[Task], elsewhere: list[int], jobs: int
) -> Iterator[tuple[int, FileResult]]:
    """Each task's number and result, as they come in."""
    from .garbage import rare_garbage_collection
    from .one_file import check_file

    in_other_processes = set(elsewhere)
    with rare_garbage_collection():
        for number, task in enumerate(tasks):
            if number not in in_other_processes:
                yield number, check_file(task)
    if elsewhere:
        from . import pool

        if sys.platform == "linux" and len(elsewhere) > 1:
            from . import engine  # noqa: F401  (loaded once, before the workers fork)
        for index, result in pool.run([tasks[number] for number in elsewhere], jobs):
            yield elsewhere[index], result


def _may_harm_the_parser(data: bytes) -> bool:
    """Whether this could crash or hang the native parser, and this process with it."""
    if len(data) > _LARGEST_FILE or max(map(len, data.split(b"\n"))) > _LONGEST_LINE:
        return True
    depth = 0
    for byte in data.translate(None, _NOT_BRACKETS):
        depth += 1 if byte in b"([{" else -1
        if depth > _DEEPEST_BRACKETS:
            return True
    return False


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
