"""What classes inherit from the bases in view: the methods their instances run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from .scope import ClassInfo, Definition, Scope

_MOST_METHODS = 300
"""Inherited methods of one file; beyond them bases are looked up, but not judged anew."""


def class_named(name: str, scope: Scope) -> ClassInfo | None:
    """The class in view that a name means in a scope."""
    home = scope.home(name)
    return home.classes.get(name) if home is not None else None


def lineage(owner: ClassInfo) -> list[ClassInfo]:
    """The class and its bases in view, nearest first."""
    found: list[ClassInfo] = []
    pending = [owner]
    while pending:
        current = pending.pop(0)
        if current in found:
            continue
        found.append(current)
        for base in current.bases:
            parent = class_named(base, current.scope)
            if parent is not None:
                pending.append(parent)
    return found


def inherited_methods(
    classes: Iterable[ClassInfo],
) -> Iterator[tuple[ClassInfo, ClassInfo, Definition]]:
    """Each class with each base and each method of that, nearest bases first."""
    own = {owner: dict(owner.methods) for owner in classes}
    count = 0
    for owner in own:
        for base in lineage(owner)[1:]:
            for method in own[base].values():
                count += 1
                if count > _MOST_METHODS:
                    return
                if isinstance(method.node, cst.FunctionDef):
                    yield owner, base, method
