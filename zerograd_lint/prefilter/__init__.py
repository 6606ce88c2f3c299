"""Which part of a file can matter to a finding: found with Python's own, fast parser.

One in three files that pass the gate has no such part and ends here; of the others, libcst reads
only the functions that are left.
"""

from __future__ import annotations

from ..config.settings import DEFAULT, Settings
from ..files import python_parser
from ..finding import SourceError
from . import excerpt
from .choice import Needs, choose
from .excerpt import Excerpt
from .units import take_apart

_ALWAYS_NAMED = frozenset({"__init__", "__call__", "step", "zero_grad"})
"""Methods whose mere existence says what their class is."""


def relevant_part(
    text: str, settings: Settings = DEFAULT, needs: Needs | None = None
) -> Excerpt | None:
    """The part of a file that can matter; None if no enabled rule can have a finding in it.

    `needs` are those of the enabled rules; None means that one of them needs the whole file.
    What Python's parser cannot read, because it is newer or wrong, is kept whole.
    """
    lines = excerpt.split_lines(text)
    try:
        tree = python_parser.parse(text)
    except SyntaxError:
        return excerpt.whole_file("\n".join(lines))
    except ValueError as error:
        raise SourceError(f"cannot parse: {error}") from None
    except (RecursionError, MemoryError):
        raise SourceError("too deeply nested to analyse") from None
    units = take_apart(tree, lines)
    kept = choose(units, text, frozenset(settings.own_names), needs)
    if kept is None:
        return None
    left_out = {unit.node for unit in units.functions if unit not in kept and unit.node}
    named = _ALWAYS_NAMED.union(*(unit.words for unit in kept))
    return excerpt.without_functions(tree, lines, left_out, named)
