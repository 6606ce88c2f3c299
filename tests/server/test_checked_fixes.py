"""Findings come first with the fixes that rules propose; whether those hold is checked after."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from zerograd_lint.check.result import FileResult
from zerograd_lint.config.project import Config
from zerograd_lint.finding import Finding, Fix, Position, Span
from zerograd_lint.server.checking import CheckedFile
from zerograd_lint.server.file_analysis import PATIENCE, FileAnalysis, FileAnswer
from zerograd_lint.server.open_files import OpenFile

FILE = OpenFile("file:///train.py", "/train.py", "python", b"", {})
SPAN = Span(Position(1, 1), Position(1, 2))
PROPOSED = Finding("ZG001", "missing-zero-grad", "stale", SPAN, fix=Fix("Insert", (), safe=False))
REFUSED = replace(PROPOSED, fix=None)


class Checks:
    """An analysis whose proposed fix does not hold, and a record of what it did."""

    def __init__(self) -> None:
        self.trusted: list[bool] = []
        self.published: list[FileAnswer] = []
        self.analysis = FileAnalysis(lambda: FILE, self._check, self.published.append)

    async def _check(self, file: OpenFile, trust_fixes: bool) -> FileAnswer:
        self.trusted.append(trust_fixes)
        findings = [PROPOSED if trust_fixes else REFUSED]
        result = FileResult(file.path, findings=findings)
        return FileAnswer(CheckedFile(file, Config(""), result), {})


def findings(answer: FileAnswer | None) -> list[Finding]:
    assert answer is not None
    return answer.checked.result.findings


def test_who_asks_for_fixes_gets_those_that_hold() -> None:
    async def session() -> None:
        checks = Checks()
        checks.analysis.request()
        assert findings(await checks.analysis.answer()) == [PROPOSED]
        assert checks.trusted == [True]
        started = time.monotonic()
        assert findings(await checks.analysis.answer_with_fixes()) == [REFUSED]
        assert time.monotonic() - started < PATIENCE
        assert checks.trusted == [True, False]

    asyncio.run(session())


def test_fixes_are_checked_in_a_pause_and_not_while_typing() -> None:
    async def session() -> None:
        checks = Checks()
        for _ in range(3):
            checks.analysis.request()
            await checks.analysis.answer()
        assert checks.trusted == [True] * 3
        await asyncio.sleep(PATIENCE + 0.3)
        assert checks.trusted == [True, True, True, False]
        assert findings(checks.published[-1]) == [REFUSED]

    asyncio.run(session())


def test_a_change_while_fixes_are_asked_for() -> None:
    async def session() -> None:
        checks = Checks()
        checks.analysis.request()
        await checks.analysis.answer()
        asking = asyncio.create_task(checks.analysis.answer_with_fixes())
        await asyncio.sleep(0)
        checks.analysis.request()
        assert findings(await asking) == [REFUSED]
        assert checks.trusted[-1] is False
        # One who no longer wants to know is let go at once.
        checks.analysis.request()
        asking = asyncio.create_task(checks.analysis.answer_with_fixes())
        await asyncio.sleep(0)
        asking.cancel()
        assert (await asyncio.gather(asking, return_exceptions=True))[0].__class__ is (
            asyncio.CancelledError
        )

    asyncio.run(session())
