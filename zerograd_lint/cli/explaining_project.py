"""`zerograd-lint check --explain-project FILE`: which modules are read for an answer."""

from __future__ import annotations

import os

from ..check.gate import can_train
from ..check.project_gate import may_run_training
from ..config.discovery import Discovery
from ..config.errors import ConfigError
from ..files import source
from ..files.kinds import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def explain_project(args: Namespace, discovery: Discovery) -> int:
    """Print the modules that are read with a file, and those that are not there to be read."""
    path = args.explain_project
    settings = discovery.config_for(os.path.dirname(os.path.abspath(path))).settings()
    if kind_of(path) != "python":
        raise ConfigError("--explain-project reads Python files")
    with open(path, "rb") as file:
        text = source.decode(file.read()).text
    if not can_train(text, settings.gate_names) and not may_run_training(path, text, settings):
        print(f"{path}: neither it nor what it imports trains: no module is read")
        return 0
    from ..check.explain_project import explain_project as used_modules

    use = used_modules(text, path, settings)
    if use is None:
        print(f"{path}: no project is read for it")
        return 0
    for name, lines in use.read:
        print(f"{path}: {lines} lines of {name} are read with it")
    for name in use.looked_into:
        print(f"{path}: {name} was looked into, and nothing of it is needed")
    if not use.read and not use.looked_into:
        print(f"{path}: no other module is needed")
    if use.outside:
        print(f"{path}: not in the project: {', '.join(use.outside)}")
    return 0
