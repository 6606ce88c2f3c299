"""Check one file from its bytes to its result, fixes included; no exception gets out."""

from __future__ import annotations

import difflib
import functools
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import replace

from ..config import baseline
from ..config.cache import Answer, Cache
from ..files import noqa
from ..files.kinds import DOCUMENTS
from ..files.notebook import cell_starts
from ..files.replace_file import replace_file
from ..finding import Finding, Position, SourceError
from .cpu_limit import OverBudget, cpu_seconds
from .document import PythonDocument, open_document
from .options import CHECK, DIFF, FIX, SILENCE
from .result import FileResult, Problem
from .task import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..fixing.apply import AppliedFixes


def check_file(task: Task) -> FileResult:
    """The result of one task; whatever goes wrong becomes a problem in it."""
    result = FileResult(task.path, task.kind)
    try:
        with cpu_seconds(task.cpu_limit), warnings.catch_warnings():
            # Parsing warns of odd escapes in strings, which other linters report.
            warnings.simplefilter("ignore")
            new_data = _fill_in(result, task)
        if new_data is not None:
            result = _write(task, result, new_data)
    except OverBudget:
        limit = f"{task.cpu_limit:g}"
        result.problems.append(Problem(f"gave up: analysis took more than {limit} s of CPU time"))
    except SourceError as error:
        place = result.place(Position(error.line, error.column))
        result.problems.append(Problem(error.message, place, "" if result.cells else result.text))
    except (RecursionError, SystemError):  # the latter is how ast.parse may put the same
        result.problems.append(Problem("gave up: the code is nested too deeply"))
    except MemoryError:
        result.problems.append(Problem("gave up: out of memory"))
    except Exception as error:
        result.problems.append(Problem(_internal(error)))
    return result


def _write(task: Task, result: FileResult, new_data: bytes) -> FileResult:
    """Change the file; where that is refused, its findings stay what they were."""
    if not task.write:
        result.new_data = new_data
        return result
    try:
        replace_file(task.path, new_data, expected=task.data)
    except OSError as error:
        result = check_file(replace(task, mode=CHECK))
        result.problems.append(Problem(f"cannot write: {error.strerror or error}"))
    return result


def _internal(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].name}:{frames[-1].lineno}" if frames else ""
    message = " ".join(str(error).split())[:200]
    return f"internal error: {type(error).__name__}: {message}{where}; please report it"


def _fill_in(result: FileResult, task: Task) -> bytes | None:
    """Fill in the result; the file's new content if it is to change."""
    cache = _cache(task.cache_folder) if task.cache_folder else None
    key = cache.key(task.path, task.kind, task.data, task.settings) if cache else ""
    answer, result.dependencies = cache.load(key) if cache else (None, {})
    result.from_cache = answer is not None
    if answer == []:
        return None
    document = open_document(task.kind, task.data, task.path, task.settings)
    result.cells = document.cells
    result.problems += document.problems
    result.skipped += document.skipped
    if answer is None:
        answer = _answer(document)
        result.dependencies = document.dependencies
        if cache and not document.problems and not document.skipped:
            cache.store(key, answer, document.dependencies)
    if isinstance(answer, SourceError):
        result.text = document.text
        raise answer
    if task.known:
        result.known = baseline.still_there(answer, document.text, task.known)
    text = _change(document, task.wanted(document.text, answer), task, result)
    if result.findings or result.problems:
        result.file_lines = document.file_lines(text)
    if text == document.text:
        return None
    if document.cells:
        result.cells = cell_starts(text)
    result.diff = _diff(task.path, document.parts(document.text), document.parts(text))
    return document.to_bytes(text) if task.mode != DIFF else None


@functools.cache
def _cache(folder: str) -> Cache:
    return Cache(folder)


def _answer(document: PythonDocument) -> Answer:
    try:
        return document.check(document.text)
    except SourceError as error:
        return error


def _change(
    document: PythonDocument, findings: list[Finding], task: Task, result: FileResult
) -> str:
    """Do with the findings what the task asks for; the text after that."""
    text = document.text
    if task.mode in (FIX, DIFF):
        text, findings = _fixed(document, findings, task, result)
    elif task.mode == SILENCE and findings and task.kind not in DOCUMENTS:
        text, result.silenced = noqa.add_comments(text, findings)
        findings = []
    result.findings = findings
    result.text = text if findings else ""
    return text


def _fixed(
    document: PythonDocument, findings: list[Finding], task: Task, result: FileResult
) -> tuple[str, list[Finding]]:
    from ..fixing.rounds import fix

    fixed = fix(_WantedFindings(document, task), findings, unsafe=task.unsafe)
    result.fixed = fixed.applied
    if fixed.refused:
        message = f"a fix was not applied, since the result would be broken: {fixed.refused}"
        result.problems.append(Problem(message))
    return fixed.text, fixed.remaining


class _WantedFindings:
    """A document whose findings are only those that a task is to report."""

    def __init__(self, document: PythonDocument, task: Task) -> None:
        self._document = document
        self._task = task
        self.text = document.text

    def check(self, text: str) -> list[Finding]:
        return self._task.wanted(text, self._document.check(text))

    def apply(self, text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
        return self._document.apply(text, findings, unsafe=unsafe)


def _diff(path: str, before: dict[int, str], after: dict[int, str]) -> str:
    pieces: list[str] = []
    for part in after:
        name = f"{path}:cell {part}" if part else path
        pieces += difflib.unified_diff(
            before[part].splitlines(keepends=True),
            after[part].splitlines(keepends=True),
            name,
            name,
        )
    return "".join(piece if piece.endswith("\n") else piece + "\n" for piece in pieces)
