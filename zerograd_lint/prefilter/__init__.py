"""Leave out of a file what cannot matter, so that little of it is analysed.

Python's own parser is fast. With its tree the functions are found that no finding can depend on;
the tree the analysis gets is made without them. In one of three files that pass the gate no
function is left over, and there is nothing to analyse at all.
"""

from __future__ import annotations

import re

from ..config.settings import DEFAULT, Settings
from ..finding import SourceError
from ..syntax import limits, python_parser
from ..tree import Module
from ..tree.build import build
from .choice import Needs, choose
from .units import take_apart

_LINE_END = re.compile(r"\r\n|\r|\n")
_ALWAYS_KNOWN = frozenset({"__init__", "__call__", "step", "zero_grad"})
"""Methods whose mere existence says what their class is."""


def relevant_tree(
    text: str, settings: Settings = DEFAULT, needs: Needs | None = None
) -> Module | None:
    """The tree of a file without what is irrelevant; None if no enabled rule can report anything.

    `needs` are those of the enabled rules; None means that one of them needs the whole file.
    Raises `SourceError` for what cannot be parsed.
    """
    limits.refuse_size(text)
    lines = _LINE_END.split(text)
    try:
        tree = python_parser.parse(text)
    except SyntaxError:
        return _newer_tree(text, lines)
    except ValueError as error:
        raise SourceError(f"cannot parse: {error}") from None
    except (RecursionError, MemoryError):
        raise SourceError("too deeply nested to analyse") from None
    units = take_apart(tree, lines)
    kept = choose(units, text, frozenset(settings.own_names), needs)
    if kept is None:
        return None
    left_out = {unit.node for unit in units.functions if unit not in kept and unit.node}
    mentioned = _ALWAYS_KNOWN.union(*(unit.words for unit in kept))
    return build(tree, lines, left_out, mentioned)


def _newer_tree(text: str, lines: list[str]) -> Module:
    """All of a file that Python's own parser cannot read: too new for it, or wrong."""
    limits.refuse_tangles([(1, text)])
    limits.refuse_rest(lines)
    limits.refuse_patterns(text)
    from ..tree.translate import parse_newer

    return parse_newer(text, lines)
