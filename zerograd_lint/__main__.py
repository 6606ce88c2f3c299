"""`zerograd-lint` and `python -m zerograd_lint`."""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` looks first in the folder it is called in, and what is checked must never run.
    sys.path.append(sys.path.pop(0))

from .cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
