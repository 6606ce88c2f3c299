"""Starts the audit agent: Python runs this first, because its folder leads PYTHONPATH."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

_FOLDER = str(Path(__file__).parent)
_PACKAGE_PARENT = str(Path(__file__).parents[3])


def _start() -> None:
    # The interpreter's own sitecustomize, if there is one, must still run.
    sys.path[:] = [entry for entry in sys.path if entry != _FOLDER]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(module)
    borrowed = _PACKAGE_PARENT not in sys.path
    if borrowed:
        sys.path.append(_PACKAGE_PARENT)
    try:
        # Loaded as a module of its own, not as part of the package: no relative import works here.
        from zerograd_lint.runtime.child import agent

        agent.start()
    finally:
        if borrowed:
            sys.path.remove(_PACKAGE_PARENT)


_start()
