"""All rules, found by looking into this folder, and what the enabled ones need."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterable

from .. import rules as package
from ..config.settings import Settings
from ..vocabulary.calls import Effect
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


def enabled_rules(settings: Settings) -> list[type[Rule]]:
    """The rules that these settings turn on, in order."""
    return [
        rule
        for rule in all_rules().values()
        if settings.enables(rule.code, by_default=rule.on_by_default)
    ]


def needs_of(rules: Iterable[type[Rule]]) -> frozenset[Effect] | None:
    """What the prefilter looks for on behalf of these rules; None if one needs whole files."""
    found: set[Effect] = set()
    for rule in rules:
        if not rule.needs:
            return None
        found.update(rule.needs)
    return frozenset(found)
