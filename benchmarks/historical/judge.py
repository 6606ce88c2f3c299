"""One historical bug: is it found, where, and is the offered fix the one that was made?"""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import clones
from ..command import NOT_CHECKED, Edit, Reported, check
from .bugs import Bug
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


def judge(bug: Bug, git: Path, *, all_rules: bool = False) -> Outcome:
    """Lint the file within its project, as it was before the fix."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clones.export(git, bug.commit, folder)
        found = check(folder, bug.file, all_rules=all_rules)
    reported = [one for one in found if one.code != NOT_CHECKED]
    before = clones.read(git, bug.commit, bug.file)
    tree = parse(before)
    placed = [(_found(bug, one, tree), one) for one in reported]
    right = sorted((p for p in placed if p[0] != MISSED), key=lambda p: _ORDER.index(p[0]))
    elsewhere = tuple(f"{one.line}:{one.code}" for where, one in placed if where == MISSED)
    if not right:
        return Outcome(bug, MISSED, elsewhere=elsewhere)
    # Two optimizers cleared in the wrong place are two findings and one bug.
    edits = [edit for _, one in right for edit in one.edits]
    fix = _compared(bug, edits, before, git)
    return Outcome(bug, right[0][0], right[0][1].code, fix, elsewhere)


_ORDER = (STATEMENT, LOOP)


def _found(bug: Bug, one: Reported, tree: ast.Module | None) -> str:
    """How near a finding is; one with another code, or in another loop, does not count."""
    if one.code not in bug.rules:
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
