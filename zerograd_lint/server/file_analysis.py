"""Keeps the findings of one open file up to date: one check at a time, and the newest text wins.

Findings come first, with fixes as the rules propose them. Whether the fixes hold takes longer:
that is checked when the user pauses, or asks for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Awaitable, Callable, Set
from dataclasses import dataclass, field

from lsprotocol import types

from .checking import CheckedFile
from .open_files import OpenFile

LONGEST_PAUSE = 0.25
"""Seconds that a burst of changes may be ahead of the next check."""
PATIENCE = 0.4
"""Seconds without a change before fixes are checked that nobody has asked for."""
_revisions = itertools.count(1)


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """A checked file and its diagnostics, by the address of the part they are in."""

    checked: CheckedFile
    diagnostics: dict[str, list[types.Diagnostic]]
    revision: str = field(default_factory=lambda: str(next(_revisions)))
    """Stays the same as long as the diagnostics do."""


class FileAnalysis:
    """Checks one file again after every change of it.

    A change after a pause is checked at once. Changes that follow one another closely wait as
    long as the last check took, so that typing costs at most half of the time there is.
    """

    def __init__(
        self,
        look: Callable[[], OpenFile | None],
        check: Callable[[OpenFile, bool], Awaitable[FileAnswer | None]],
        publish: Callable[[FileAnswer], None],
    ) -> None:
        self._look = look
        self._check = check
        self._publish = publish
        self._stale = False
        self._changed_modules: set[str] = set()
        """Those that have changed since the check under way has begun."""
        self._task: asyncio.Task[None] | None = None
        self._deciding: asyncio.Task[None] | None = None
        self._asked_for_fixes = asyncio.Event()
        self._took = 0.0
        self._finished = 0.0
        self._answer: FileAnswer | None = None

    def request(self) -> None:
        """Have the newest text checked; what is being checked becomes worthless."""
        self._stale = True
        self._stop_deciding()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def modules_changed(self, modules: Set[str]) -> bool:
        """Check again if the answer follows from one of these files; whether it does."""
        self._changed_modules |= modules
        if self._answer is None or not _follows_from(self._answer, modules):
            return False
        self.request()
        return True

    def close(self) -> None:
        """Check no more, and drop what is under way."""
        self._stop_deciding()
        if self._task is not None:
            self._task.cancel()

    async def answer(self) -> FileAnswer | None:
        """The answer about the newest text; None if it cannot be checked."""
        while self._task is not None and not self._task.done():
            # A client that takes its question back does not take back the check.
            await asyncio.shield(self._task)
        return self._answer

    async def answer_with_fixes(self) -> FileAnswer | None:
        """The same, with fixes that hold."""
        await self.answer()
        while self._deciding is not None and not self._deciding.done():
            self._asked_for_fixes.set()
            await asyncio.wait([self._deciding])
            await self.answer()  # another change may have come in between
        return self._answer

    async def _run(self) -> None:
        while self._stale:
            await asyncio.sleep(self._pause())
            self._stale = False
            self._changed_modules.clear()
            file = self._look()
            started = time.monotonic()
            answer = await self._check(file, True) if file is not None else None
            self._finished = time.monotonic()
            self._took = self._finished - started
            self._stale |= answer is not None and _follows_from(answer, self._changed_modules)
            if not self._stale:
                self._take(answer)
                if file is not None and answer is not None and _proposes_fixes(answer):
                    self._asked_for_fixes.clear()
                    deciding = self._decide(file)
                    self._deciding = asyncio.get_running_loop().create_task(deciding)

    async def _decide(self, file: OpenFile) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._asked_for_fixes.wait(), PATIENCE)
        answer = await self._check(file, False)
        if answer is not None:
            self._take(answer)

    def _stop_deciding(self) -> None:
        if self._deciding is not None:
            self._deciding.cancel()

    def _pause(self) -> float:
        since = time.monotonic() - self._finished
        return max(0.0, min(self._took, LONGEST_PAUSE) - since)

    def _take(self, answer: FileAnswer | None) -> None:
        before = self._answer
        if answer and before and answer.diagnostics == before.diagnostics:
            answer = FileAnswer(answer.checked, answer.diagnostics, before.revision)
        self._answer = answer
        if answer is not None:
            self._publish(answer)


def _proposes_fixes(answer: FileAnswer) -> bool:
    return any(finding.fix is not None for finding in answer.checked.result.findings)


def _follows_from(answer: FileAnswer, modules: Set[str]) -> bool:
    return not modules.isdisjoint(answer.checked.result.dependencies)
