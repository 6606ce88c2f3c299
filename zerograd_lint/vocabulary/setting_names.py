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
PARSES_OPTIONS = frozenset({"parse_args", "parse_known_args", "parse_args_into_dataclasses"})
"""Methods that give the options of a command line, which may be others in the next run."""
CHANGES_BY_NAME = frozenset({"exec", "globals", "setattr", "vars", "locals", "__setattr__"})
"""Functions that may give a value to what no statement spells out."""
READS_TABLE = frozenset({"get", "items", "keys", "values", "copy"})
"""Methods of a dict that leave it as it is."""
