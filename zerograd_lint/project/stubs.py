"""Functions and classes that have nothing to do with gradients, as short as they can be said.

A function whose code neither names a gradient nor an optimizer, and runs none that does, leaves
them alone. That it is there is all that must be read of it, and of a class what it inherits from.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from ..prefilter.excerpt import Excerpt
from .source_module import SourceModule


def stubs(module: SourceModule, names: Set[str]) -> Excerpt:
    """A program that defines these names of a module, without what they do."""
    lines = list(_lines(module, names))
    return Excerpt("\n".join([*lines, ""]), [1] * (len(lines) + 1), [])


def _lines(module: SourceModule, names: Set[str]) -> Iterator[str]:
    if all(module.definitions.get(name) for name in names):
        yield from (f"def {name}(*args, **kwargs): pass" for name in sorted(names))
        return
    units = module.outline.units
    owners = [owner for owner in units.classes if owner.name in names]
    roots = {base.partition(".")[0] for owner in owners for base in owner.spelt_bases}
    for root in sorted(roots & module.imports.names.keys()):
        for way in sorted(module.imports.names[root], key=str):
            if way.name is None:
                yield f"import {way.module} as {root}"
            else:
                yield f"from {'.' * way.level}{way.module} import {way.name} as {root}"
    for unit in units.functions:
        if unit.owner is None and unit.name in names:
            yield f"def {unit.name}(*args, **kwargs): pass"
    for owner in owners:
        yield f"class {owner.name}({', '.join(filter(None, owner.spelt_bases))}): pass"
