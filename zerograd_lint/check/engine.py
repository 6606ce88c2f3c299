"""From text to findings: what can matter is found first, and only that is analysed."""

from __future__ import annotations

import gc

from ..config.settings import Settings
from ..files import python_parser
from ..finding import Finding, SourceError
from ..prefilter import relevant_part
from ..rules.registry import all_rules, enabled_rules, needs_of
from ..rules.rule import Rule
from ..syntax import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .diagnose import Diagnosis
    from .draft import Draft


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings in a file that has passed the gate; `SourceError` if it cannot be analysed."""
    collecting = gc.isenabled()
    # A syntax tree is large and free of cycles: collecting in the middle only costs time.
    gc.disable()
    try:
        rules = enabled_rules(settings)
        found = _diagnosis(text, settings, rules)
        return _decided(text, settings, rules, found) if found is not None else []
    except RecursionError:
        raise SourceError("too deeply nested to analyse") from None
    finally:
        if collecting:
            gc.enable()


def _diagnosis(text: str, settings: Settings, rules: list[type[Rule]]) -> Diagnosis | None:
    """What the rules report; None if nothing in the text can matter to them."""
    limits.refuse_size(text)
    part = relevant_part(text, settings, needs_of(rules))
    if part is None:
        return None
    # Loading libcst takes longer than checking most files.
    from .diagnose import diagnose

    try:
        return diagnose(text, part, settings, rules)
    except SourceError as error:
        # Where libcst cannot parse, Python usually cannot either, and says why.
        raise python_parser.syntax_error(text) or error from None


def _decided(
    text: str, settings: Settings, rules: list[type[Rule]], found: Diagnosis
) -> list[Finding]:
    """The findings, each with a fix if one holds."""
    if not any(draft.ways for draft in found.drafts):
        return [draft.decided(None) for draft in found.drafts]
    from .fix_choice import FixChoice

    # A fix must add no finding of a rule that is turned off, either.
    judges = [rule for rule in all_rules().values() if rule.on_by_default or rule in rules]

    def drafts(version: str) -> list[Draft]:
        diagnosis = _diagnosis(version, settings, judges)
        return diagnosis.drafts if diagnosis is not None else []

    before = found.drafts if judges == rules else drafts(text)
    choice = FixChoice(text, before, drafts, found.work)
    return [choice.decide(draft) for draft in found.drafts]
