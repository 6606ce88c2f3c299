"""A whole run: read every file, let the gate turn most away, check the rest.

Most runs end at the gate, so nothing else is loaded before it: what checks a file is imported
when the first file passes.
"""

from __future__ import annotations

import os
import re

from ..config.discovery import Discovery, Found, kind_under
from ..files.kinds import MARKDOWN, NOTEBOOK, kind_of
from ..project.known_files import remembering
from .gate import can_train_bytes, encode_words
from .options import CheckResult, RunOptions
from .project_gate import ProjectGate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..config.project import Config
    from .result import FileResult
    from .task import Task


def check_files(files: Iterable[Found], options: RunOptions) -> CheckResult:
    """Check files as they are found."""
    with remembering():
        return _check_files(files, options)


def _check_files(files: Iterable[Found], options: RunOptions) -> CheckResult:
    checked = CheckResult()
    gate = ProjectGate()
    paths: list[str] = []
    passed: list[tuple[Found, bytes]] = []
    words: dict[Config, tuple[bytes, ...]] = {}
    for found in files:
        checked.files += 1
        if options.on_progress and checked.files % 500 == 0:
            options.on_progress(0, checked.files)
        data = _read(found) if found.problem is None else b""
        if data is None:
            continue
        paths.append(found.path)
        if found.config not in words:
            words[found.config] = encode_words(found.config.gate_names())
        if found.problem is not None or _passes(found, data, words[found.config], gate):
            passed.append((found, data))
    if options.baseline is not None:
        options.baseline.follow_renames((found.path, data) for found, data in passed)
    if passed:
        checked.results = _check(passed, options)
        checked.commented = [f.path for f, data in passed if b"noqa" in data and _names_us(data)]
    if options.baseline is not None:
        found_again = {result.path: result.known for result in checked.results}
        checked.gone = options.baseline.gone_from(paths, found_again)
    return checked


def _names_us(data: bytes) -> bool:
    """Whether a `# noqa` names one of our codes."""
    return re.search(rb"# noqa:[^\r\n]*\bZG\d", data) is not None


def check_standard_input(
    data: bytes, name: str, discovery: Discovery, options: RunOptions
) -> CheckResult:
    """Check what came from standard input as if it were the file of this name."""
    checked = CheckResult()
    checked.files = 1
    config = discovery.config_for(os.path.dirname(os.path.abspath(name)))
    found = Found(name, kind_under(config, kind_of(name)), config)
    result = check_content(found, data, options)
    checked.results = [result] if result is not None else []
    return checked


def check_content(found: Found, data: bytes, options: RunOptions) -> FileResult | None:
    """Check this content in place of the file's own, which is not written; None if the gate turns
    it away."""
    if not _passes(found, data, encode_words(found.config.gate_names()), ProjectGate()):
        return None
    from .scheduling import check_tasks

    (result,) = check_tasks([_task(found, data, options, write=False)], options)
    return result


def _read(found: Found) -> bytes | None:
    """The file's content; None if it is gone, empty with a problem noted if it is unreadable."""
    try:
        with open(found.path, "rb", 0) as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, MemoryError) as error:
        found.problem = f"cannot read: {getattr(error, 'strerror', None) or error}"
        return b""


def _passes(found: Found, data: bytes, words: tuple[bytes, ...], project: ProjectGate) -> bool:
    # In JSON a line does not end where it ends in Python, so the gate's finer test cannot hold.
    if can_train_bytes(data, words) or (found.kind == NOTEBOOK and b"zero_grad" in data):
        return True
    if found.kind == MARKDOWN or not found.config.flag("project", True):
        return False
    return project.may_run_training(found.path, data, found.config.source_folders())


def _check(passed: list[tuple[Found, bytes]], options: RunOptions) -> list[FileResult]:
    from .result import FileResult, Problem
    from .scheduling import check_tasks

    tasks = [_task(found, data, options) for found, data in passed if found.problem is None]
    checked = iter(check_tasks(tasks, options))
    results = [
        next(checked)
        if found.problem is None
        else FileResult(found.path, found.kind, problems=[Problem(found.problem)])
        for found, _ in passed
    ]
    _trim(options.cache_folder)
    return results


def _task(found: Found, data: bytes, options: RunOptions, *, write: bool = True) -> Task:
    from ..config.ignoring import ignored_codes
    from .task import Task

    task = Task(
        path=found.path,
        kind=found.kind,
        data=data,
        settings=found.config.settings(),
        ignored=ignored_codes(os.path.abspath(found.path), found.config),
        mode=options.mode,
        unsafe=options.unsafe,
        write=write,
        cpu_limit=options.cpu_limit,
        cache_folder=options.cache_folder,
    )
    if options.trust_fixes:
        from dataclasses import replace

        task = replace(task, settings=replace(task.settings, trust_fixes=True))
    if options.baseline is not None:
        from dataclasses import replace

        task = replace(task, known=options.baseline.known_in(found.path))
    return task


def _trim(cache_folder: str | None) -> None:
    if cache_folder is not None:
        from ..config.cache import Cache

        Cache(cache_folder).trim()
