"""Functions and classes that have nothing to do with gradients, as short as they can be said.

A function whose code neither names a gradient nor an optimizer, and runs none that does, leaves
them alone. That it is there is all that must be read of it, and of a class what it inherits from.
One that runs what a table gives it stays out of view, and so does what cannot be read.
What decides about branches, such as constants and options, is kept; so are modules given back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from ..prefilter.excerpt import Excerpt
from .setting_lines import Line, class_lines, function_line, variable_lines
from .source_module import SourceModule

_CHOOSES = re.compile(rb"[\])]\(")
"""A call of what a table or another call gives: `REGISTRY[name](…)`, `getattr(module, name)(…)`."""
_IMPORTS = re.compile(rb"\bimport\b")
_AT_MARGIN = re.compile(rb"^[A-Za-z_@]", re.MULTILINE)
_WORD = re.compile(r"\w+")


def stubs(module: SourceModule, names: Set[str], mentioned: Set[str]) -> Excerpt:
    """A program that defines these names of a module, without what they do.

    Of a class, it has the methods that are `mentioned` where it is used.
    """
    named = frozenset() if module.may_act_unread else names - _choosing(module, names)
    lines = sorted(_lines(module, named, mentioned), key=lambda line: line[0])
    text = "\n".join([*(line for _, line in lines), ""])
    return Excerpt(text, [*(number for number, _ in lines), 1], [])


def _choosing(module: SourceModule, names: Set[str]) -> Set[str]:
    """Functions that run what is chosen at run time: what that does is not known."""
    functions = [name for name in names if module.definitions.get(name)]
    if not functions or not _CHOOSES.search(module.data):
        return frozenset()
    return {name for name in functions if _CHOOSES.search(_text(module.data, name))}


def _text(data: bytes, function: str) -> bytes:
    """The text of a function of a module: up to what stands at the margin again."""
    start = re.search(rb"^(?:async[ \t]+)?def[ \t]+%s\b" % function.encode(), data, re.MULTILINE)
    if start is None:
        return b""
    end = _AT_MARGIN.search(data, start.end())
    return data[start.end() : end.start() if end is not None else len(data)]


def _lines(module: SourceModule, names: Set[str], mentioned: Set[str]) -> Iterator[Line]:
    is_plain = all(module.definitions.get(name) for name in names) and not (
        module.parses_options or any(_IMPORTS.search(_text(module.data, name)) for name in names)
    )
    if is_plain:
        yield from ((1, f"def {name}(*args, **kwargs): pass") for name in sorted(names))
        return
    units = module.outline.units
    variables = variable_lines(module, names & module.variables)
    made = set(_WORD.findall("\n".join(line for _, line in variables)))
    owners = [owner for owner in units.classes if owner.name in names | made]
    roots = {base.partition(".")[0] for owner in owners for base in owner.spelt_bases}
    for root in sorted(roots & module.imports.names.keys()):
        for way in sorted(module.imports.names[root], key=str):
            if way.name is None:
                yield 1, f"import {way.module} as {root}"
            else:
                yield 1, f"from {'.' * way.level}{way.module} import {way.name} as {root}"
    for unit in units.functions:
        if unit.owner is None and unit.name in names | made:
            yield function_line(unit)
    for owner in owners:
        yield from class_lines(module, owner, mentioned)
    yield from variables
