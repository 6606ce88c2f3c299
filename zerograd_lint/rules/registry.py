"""All rules, found by looking into this folder."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from .. import rules as package
from .rule import Rule


@functools.cache
def all_rules() -> dict[str, type[Rule]]:
    """The rules by code, in order."""
    found: dict[str, type[Rule]] = {}
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("zg"):
            continue
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, Rule) and "code" in vars(value):
                found[value.code] = value
    return dict(sorted(found.items()))
