"""The folder of the cache; apart from the cache itself, which most runs never load."""

from __future__ import annotations

import os
import sys


def default_folder() -> str | None:
    """`ZEROGRAD_LINT_CACHE_DIR`, or the user's cache folder: never inside the checked project."""
    chosen = os.environ.get("ZEROGRAD_LINT_CACHE_DIR")
    if chosen:
        return chosen
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "zerograd-lint") if os.path.isabs(base) else None
