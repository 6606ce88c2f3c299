"""From text to findings: what can matter is found first, and only that is analysed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from ..config.settings import Settings
from ..files import python_parser
from ..finding import Finding, SourceError, Span
from ..rules.registry import all_rules, enabled_rules
from ..rules.rule import Rule
from ..syntax import limits
from .garbage import no_garbage_collection
from .gate import can_train
from .project_gate import may_run_training
from .project_reading import FileInProject
from .versions import VERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .diagnose import Diagnosis
    from .draft import Draft


@dataclass(slots=True)
class Checked:
    """The findings of a file, and the other files that they follow from."""

    findings: list[Finding] = field(default_factory=list)
    dependencies: dict[str, str] = field(default_factory=dict)
    """Every path that was looked for, with a digest of what was there; empty if nothing was."""


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings in a file that has passed the gate; `SourceError` if it cannot be analysed."""
    return check_with_dependencies(text, filename, settings).findings


def check_with_dependencies(text: str, filename: str, settings: Settings) -> Checked:
    """The same, with what the findings depend on."""
    with no_garbage_collection():
        return _check(text, filename, settings, alone=False)


def _check(text: str, filename: str, settings: Settings, *, alone: bool) -> Checked:
    """`alone` leaves out what other files only come to by way of this one."""
    try:
        rules = enabled_rules(settings)
        checked = Checked()

        def diagnosis(version: str, asked: list[type[Rule]]) -> Diagnosis | None:
            found, needed = _diagnosis(version, filename, settings, asked, alone=alone)
            checked.dependencies |= needed
            return found

        found = diagnosis(text, rules)
        if found is not None:
            fixing = not alone and any(draft.remedies for draft in found.drafts)
            if not fixing:
                decide = _undecided
            elif settings.trust_fixes:
                decide = _proposed
            else:
                decide = partial(_decided, text, rules, diagnosis)
            checked.findings = decide(found)
        return checked
    except RecursionError:
        raise SourceError("too deeply nested to analyse") from None


def _diagnosis(
    text: str, filename: str, settings: Settings, rules: list[type[Rule]], *, alone: bool
) -> tuple[Diagnosis | None, dict[str, str]]:
    """What rules report, None if nothing in the text can matter to them; what that depends on."""
    limits.refuse_size(text)
    filename = os.path.abspath(filename)
    outline = VERSIONS.outline(filename, text)
    try:
        reading, dependencies = FileInProject(outline, filename, settings, rules).read()
    except SourceError as error:
        # Where libcst cannot parse, Python usually cannot either, and says why.
        raise python_parser.source_error(outline.error) if outline.error else error from None
    if reading is None:
        return None, dependencies
    from .diagnose import diagnose

    def reported_there(path: str, code: str, span: Span) -> bool:
        return alone or _reports(path, settings, code, span)

    return diagnose(text, reading, rules, reported_there), dependencies


def _undecided(found: Diagnosis) -> list[Finding]:
    return [draft.decided(None) for draft in found.drafts]


def _proposed(found: Diagnosis) -> list[Finding]:
    """The findings, each with the best fix that could be written."""
    return [draft.decided(draft.best_remedy) for draft in found.drafts]


def _decided(
    text: str,
    rules: list[type[Rule]],
    diagnosis: Callable[[str, list[type[Rule]]], Diagnosis | None],
    found: Diagnosis,
) -> list[Finding]:
    """The findings, each with a fix if one holds."""
    from .fix_choice import FixChoice

    # A fix must add no finding of a rule that is turned off, either.
    judges = [rule for rule in all_rules().values() if rule.on_by_default or rule in rules]

    def drafts(version: str) -> list[Draft]:
        again = diagnosis(version, judges)
        return again.drafts if again is not None else []

    before = found.drafts if judges == rules else drafts(text)
    choice = FixChoice(text, before, drafts, found.work)
    return [choice.decide(draft) for draft in found.drafts]


def _reports(path: str, settings: Settings, code: str, span: Span) -> bool:
    """Whether a rule reports a place of another file when that file is checked."""
    from ..project.library import LIBRARY

    module = LIBRARY.module(path)
    if module is None:
        return False
    text = module.outline.text
    if not can_train(text, settings.gate_names) and not may_run_training(path, text, settings):
        return False  # by itself it says nothing of a framework, and so is not analysed
    try:
        checked = _check(text, path, settings, alone=True)
    except SourceError:
        return False
    return any(found.code == code and found.span == span for found in checked.findings)
