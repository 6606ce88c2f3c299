"""`--show-files` and `--show-settings`: what a run would be about, without running it."""

from __future__ import annotations

import json
import sys

from ..config.table import KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..config.discovery import Found
    from ..config.project import Config


def show_files(files: Iterable[Found]) -> int:
    """Print every file that would be checked; the exit status."""
    status = 0
    for found in files:
        if found.problem is None:
            print(found.path)
        else:
            print(f"{found.path}: {found.problem}", file=sys.stderr)
            status = 2
    return status


def show_settings(here: Config) -> int:
    """Print the configuration as a table, and the rules it comes to; the exit status."""
    from ..rules.registry import enabled_rules

    rules = " ".join(rule.code for rule in enabled_rules(here.settings()))
    print(f"# file: {here.file or 'none'}\n# rules: {rules or 'none'}")
    for key in KEYS:
        value = here.options.get(key, here.values.get(key))
        # A dictionary of lists is the one value that JSON and TOML write differently.
        if isinstance(value, dict):
            inner = (f"{json.dumps(name)} = {json.dumps(each)}" for name, each in value.items())
            print(f"{key} = {{ {', '.join(inner)} }}")
        elif value is not None:
            print(f"{key} = {json.dumps(value)}")
        else:
            print(f"# {key} is not set")
    return 0
