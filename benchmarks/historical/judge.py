"""One historical bug: is it found, where, and is the offered fix the one that was made?"""

from __future__ import annotations

import ast
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .. import clones
from ..command import NOT_CHECKED, Edit, RelatedLine, Reported, check
from .bugs import Bug
from .importers import importing_files
from .places import find_scope, parse, same_loop, same_statement, scope_names
from .substance import same_substance

STATEMENT, LOOP, MISSED = "statement", "loop", "missed"
EQUAL, OTHER, NONE, NOTHING_TO_COMPARE = "equal", "other", "none", "-"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the linter says of one bug."""

    bug: Bug
    found: str
    """On the same statement, in the same loop, or not at all."""
    code: str = ""
    fix: str = NOTHING_TO_COMPARE
    elsewhere: tuple[str, ...] = ()
    """What it says about the rest of the file, or about this place under another code."""
    by_callers: str = MISSED
    """The same for findings in files that import this one: how near the line is they lead to."""
    callers: tuple[str, ...] = ()
    """Where those findings stand."""

    @property
    def in_project(self) -> bool:
        """Whether somebody who lints the whole project is told of it, in whichever file."""
        return (self.found, self.by_callers) != (MISSED, MISSED)


def judge(bug: Bug, git: Path, *, all_rules: bool = False, callers: bool = True) -> Outcome:
    """Lint the file within its project, as it was before the fix, and what imports it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clones.export(git, bug.commit, folder)
        found = check(folder, bug.file, all_rules=all_rules)
        importers = importing_files(folder, bug.file) if callers else []
        leading = check(folder, *importers, all_rules=all_rules) if importers else []
    before = clones.read(git, bug.commit, bug.file)
    outcome = _judged(bug, found, before, git)
    return _with_callers(outcome, leading, parse(before)) if leading else outcome


def _judged(bug: Bug, found: Sequence[Reported], before: bytes, git: Path) -> Outcome:
    """What the findings in the file itself say of the bug."""
    tree = parse(before)
    reported = [one for one in found if one.code != NOT_CHECKED]
    placed = [(_found(bug, one.code, one, tree), one) for one in reported]
    right = sorted((p for p in placed if p[0] != MISSED), key=lambda p: _ORDER.index(p[0]))
    elsewhere = tuple(f"{one.line}:{one.code}" for where, one in placed if where == MISSED)
    if not right:
        return Outcome(bug, MISSED, elsewhere=elsewhere)
    # Two optimizers cleared in the wrong place are two findings and one bug.
    edits = [edit for _, one in right for edit in one.edits]
    fix = _compared(bug, edits, before, git)
    return Outcome(bug, right[0][0], right[0][1].code, fix, elsewhere)


_ORDER = (STATEMENT, LOOP, MISSED)


def _with_callers(
    outcome: Outcome, leading: Sequence[Reported], tree: ast.Module | None
) -> Outcome:
    """The outcome with what findings in other files say that lead to the bug."""
    bug = outcome.bug
    placed = [
        (_found(bug, one.code, line, tree), f"{one.file}:{one.place}")
        for one in leading
        for line in one.related
        if os.path.normpath(line.file) == os.path.normpath(bug.file)
    ]
    nearest = min((near for near, _ in placed), key=_ORDER.index, default=MISSED)
    places = sorted({place for near, place in placed if near != MISSED})
    return replace(outcome, by_callers=nearest, callers=tuple(places))


def _found(bug: Bug, code: str, one: Reported | RelatedLine, tree: ast.Module | None) -> str:
    """How near a finding is; one with another code, or in another loop, does not count."""
    if code not in bug.rules:
        return MISSED
    if tree is None:
        return STATEMENT if any(one.line <= n <= one.last_line for n in bug.lines) else MISSED
    if any(same_statement(tree, line, one.line) for line in bug.lines):
        return STATEMENT
    return LOOP if any(same_loop(tree, line, one.line) for line in bug.lines) else MISSED


def _compared(bug: Bug, edits: Sequence[Edit], before: bytes, git: Path) -> str:
    """The offered fix against the real one, by what both do to gradients."""
    if not edits:
        return NONE
    if not bug.fix:
        return NOTHING_TO_COMPARE
    try:
        after = clones.read(git, bug.fix, bug.file)
    except clones.CloneError:
        return NOTHING_TO_COMPARE
    original, real = parse(before), parse(after)
    ours = parse(applied(before.decode("utf-8", "replace"), edits).encode())
    if original is None or real is None or ours is None:
        return NOTHING_TO_COMPARE
    names = scope_names(original, bug.lines[0])
    one, other = find_scope(ours, names), find_scope(real, names)
    if one is None or other is None:
        return NOTHING_TO_COMPARE
    return EQUAL if same_substance(one, other) else OTHER


def applied(text: str, edits: Sequence[Edit]) -> str:
    """A text after replacements that do not overlap."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        start, end = (starts[row - 1] + column - 1 for row, column in (edit.start, edit.end))
        text = text[:start] + edit.content + text[end:]
    return text
