"""From text to findings: what can matter is found first, and only that is analysed."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from ..config.settings import Settings
from ..files import python_parser
from ..finding import Finding, SourceError, Span
from ..prefilter import relevant_part
from ..prefilter.outline import Outline
from ..project.finder import is_in_project
from ..rules.registry import all_rules, enabled_rules, needs_of
from ..rules.rule import Rule
from ..syntax import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..project.needed_modules import ReadModule
    from .diagnose import Diagnosis
    from .draft import Draft
    from .reading import Reading


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
    with _no_garbage_collection():
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
            fixing = not alone and any(draft.ways for draft in found.drafts)
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
    try:
        reading, dependencies = _reading(Outline(text), os.path.abspath(filename), settings, rules)
    except SourceError as error:
        # Where libcst cannot parse, Python usually cannot either, and says why.
        raise python_parser.syntax_error(text) or error from None
    if reading is None:
        return None, dependencies
    from .diagnose import diagnose

    def reported_there(path: str, code: str, span: Span) -> bool:
        return alone or _reports(path, settings, code, span)

    return diagnose(text, reading, rules, reported_there), dependencies


def _reading(
    outline: Outline, filename: str, settings: Settings, rules: list[type[Rule]]
) -> tuple[Reading | None, dict[str, str]]:
    """The file with what it needs of others, None if no rule can report anything; their digests."""
    own = _own_part(outline, filename, settings, rules)
    with_others = _reads_project(outline, filename, settings)
    if not own and not with_others:
        return None, {}
    by_itself = _read(own, settings) if own else None
    if not with_others:
        return by_itself, {}
    if by_itself is not None and by_itself.settles(rules):
        return None, {}
    modules, dependencies = needed_modules(outline, filename, settings, rules)
    if not modules:
        return None, dependencies
    if by_itself is not None and len(modules) == 1:
        if modules[0].part == own[0].part and not modules[0].links:
            return by_itself, dependencies
    return _read(modules, settings), dependencies


def _read(modules: list[ReadModule], settings: Settings) -> Reading:
    # Loading libcst takes longer than checking most files.
    from .reading import Reading

    return Reading(modules, settings)


def _undecided(found: Diagnosis) -> list[Finding]:
    return [draft.decided(None) for draft in found.drafts]


def _proposed(found: Diagnosis) -> list[Finding]:
    """The findings, each with the best fix that could be written."""
    return [draft.decided(draft.best_way) for draft in found.drafts]


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


def needed_modules(
    outline: Outline, filename: str, settings: Settings, rules: list[type[Rule]]
) -> tuple[list[ReadModule], dict[str, str]]:
    """The part of a file that matters and what it needs of other modules; their digests.

    There is none if none of the rules can have a finding in the file.
    """
    from ..project.needed_modules import NeededModules

    if not _reads_project(outline, filename, settings):
        return _own_part(outline, filename, settings, rules), {}
    needed = NeededModules(filename, outline, settings)
    selection = relevant_part(outline, settings, needs_of(rules), needed.effects)
    modules = needed.modules(selection.kept, selection.part) if selection else []
    return modules, needed.dependencies


def _reads_project(outline: Outline, filename: str, settings: Settings) -> bool:
    """Whether other modules may be read for a file."""
    return settings.project and outline.is_valid and is_in_project(os.path.abspath(filename))


def _own_part(
    outline: Outline, filename: str, settings: Settings, rules: list[type[Rule]]
) -> list[ReadModule]:
    """The part of the file that matters by itself."""
    from ..project.needed_modules import ReadModule

    selection = relevant_part(outline, settings, needs_of(rules))
    return [ReadModule("", filename, selection.part, {})] if selection else []


def _reports(path: str, settings: Settings, code: str, span: Span) -> bool:
    """Whether a rule reports a place of another file when that file is checked."""
    from ..project.library import LIBRARY

    module = LIBRARY.module(path)
    if module is None:
        return False
    try:
        checked = _check(module.outline.text, path, settings, alone=True)
    except SourceError:
        return False
    return any(found.code == code and found.span == span for found in checked.findings)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A syntax tree is large and free of cycles: collecting in the middle only costs time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
