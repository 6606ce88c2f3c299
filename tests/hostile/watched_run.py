"""Run a linter and write down all it does beyond reading, a line each.

    python watched_run.py FOLDER REPORT {zerograd_lint|flake8} ARGUMENTS…

`test_hands_off` starts it: an audit hook cannot be taken out again, so it gets its own process.
"""

from __future__ import annotations

import ast
import builtins
import os
import runpy
import sys
from pathlib import Path
from types import CodeType
from typing import Any

FOLDER, REPORT, MODULE = sys.argv[1:4]
MARK = "leave_a_mark"
"""A name that every file which must not run speaks of."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FORBIDDEN = (
    *("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser."),
    *("subprocess.", "pty.", "ctypes.dlopen", "os.system", "os.exec", "os.spawn", "os.posix_spawn"),
    *("os.putenv", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate"),
    *("os.link", "os.symlink", "os.chmod", "os.chown", "os.utime", "shutil.", "tempfile."),
)
LOCAL_PIPE = 1
"""The family of the sockets between a process and its own workers."""


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    match event, arguments:
        case "open", (path, _, int(flags)) if flags & WRITING and path != os.devnull:
            note(f"opens {path!r} for writing")
        case "import", (name, str(path), *_) if path.startswith(FOLDER):
            note(f"imports {name}")
        case "exec", (CodeType() as code, *_):
            if MARK in code.co_names or code.co_filename.startswith(FOLDER):
                note(f"executes {code.co_filename}")
        case "socket.__new__", (_, family, *_) if family == LOCAL_PIPE:
            pass
        case _ if event.startswith(FORBIDDEN):
            note(f"{event} {arguments!r:.200}")


def note(line: str) -> None:
    """Straight to the file, so that workers are heard as well."""
    os.write(report, f"{line}\n".encode())


def watched_compile(
    source: Any, filename: Any, mode: str, flags: int = 0, *rest: Any, **more: Any
) -> Any:
    """The audit event of `compile` does not say whether only a tree was wanted."""
    if MARK in str(source) and not flags & ast.PyCF_ONLY_AST:
        note(f"compiles {filename!r}")
    return plain_compile(source, filename, mode, flags, *rest, **more)


report = os.open(REPORT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
plain_compile = builtins.compile
builtins.compile = watched_compile
sys.argv = [MODULE, *sys.argv[4:]]
# As `python -m` does: the folder one stands in comes before all others.
sys.path[0] = str(Path.cwd())
sys.addaudithook(watch)
try:
    runpy.run_module(MODULE, run_name="__main__", alter_sys=True)
finally:
    for name, module in list(sys.modules.items()):
        if name == "torch" or str(getattr(module, "__file__", "")).startswith(FOLDER):
            note(f"has loaded {name}")
