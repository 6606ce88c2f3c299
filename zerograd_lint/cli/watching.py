"""`--watch`: check again whenever a file or its configuration changes."""

from __future__ import annotations

import os
import sys
import time

from ..config.errors import ConfigError
from .run_options import discovery_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

_PAUSE = 0.3
_LEISURE = 4
"""Looking at all files may take one part in this many of the time, and one."""
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

_State = dict[str, tuple[int, int]]


def watch(args: Namespace, check: Callable[[Namespace], int]) -> int:
    """Check, and again after every change, until the user has enough; the exit status is 0."""
    before: _State | None = None
    try:
        while True:
            started = time.monotonic()
            now = _state(args)
            took = time.monotonic() - started
            if now != before:
                before = now
                _check_once(args, check)
            time.sleep(max(_PAUSE, _LEISURE * took))
    except KeyboardInterrupt:
        return 0


def _check_once(args: Namespace, check: Callable[[Namespace], int]) -> None:
    if sys.stdout.isatty():
        sys.stdout.write(_CLEAR)
    try:
        check(args)
    except ConfigError as error:
        print(f"error: {error}", file=sys.stderr)
    sys.stdout.flush()
    if not args.quiet:
        print("Watching for changes; Ctrl-C ends it.", file=sys.stderr)


def _state(args: Namespace) -> _State:
    """When each file that would be checked, and each that configures it, was last changed."""
    files: dict[str, None] = {}
    try:
        for found in discovery_for(args).find(args.paths):
            files[found.path] = None
            if found.config.file is not None:
                files[found.config.file] = None
    except ConfigError:
        # A table that is being edited: its file is watched until it can be read again.
        files = dict.fromkeys(os.path.join(path, "pyproject.toml") for path in args.paths)
    return {file: state for file in files if (state := _changed(file)) is not None}


def _changed(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
