"""From text to findings: what can matter is found first, and only that is analysed."""

from __future__ import annotations

import gc

from ..config.settings import Settings
from ..files import python_parser
from ..finding import Finding, SourceError
from ..prefilter import relevant_part
from ..rules.registry import enabled_rules, needs_of
from ..syntax import limits


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """All findings in a file that has passed the gate; `SourceError` if it cannot be analysed."""
    collecting = gc.isenabled()
    # A syntax tree is large and free of cycles: collecting in the middle only costs time.
    gc.disable()
    try:
        limits.refuse_size(text)
        rules = enabled_rules(settings)
        part = relevant_part(text, settings, needs_of(rules))
        if part is None:
            return []
        # Loading libcst takes longer than checking most files.
        from .diagnose import diagnose

        try:
            return diagnose(text, part, settings, rules)
        except SourceError as error:
            # Where libcst cannot parse, Python usually cannot either, and says why.
            raise python_parser.syntax_error(text) or error from None
    except RecursionError:
        raise SourceError("too deeply nested to analyse") from None
    finally:
        if collecting:
            gc.enable()
