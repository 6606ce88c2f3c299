"""The names under which programs keep their settings."""

from __future__ import annotations

from .name_set import NameSet

CONFIGURATIONS = NameSet(
    exact=("FLAGS opt opts hp hps",),
    words=("args arguments cfg config conf flags hparams hyperparams options settings",),
    ends=("args cfg config hparams settings options",),
)
"""Objects that hold the settings of a run: what they say is the same from its start to its end."""
GIVES_SETTING = frozenset(
    {"bool", "int", "float", "str", "getattr", "hasattr", "get", "is_available"}
)
"""Functions and methods that give the value of a setting, not an object of their own."""
MODES = frozenset({"training"})
"""Attributes that change during a run without being assigned: `model.train()` sets one."""
