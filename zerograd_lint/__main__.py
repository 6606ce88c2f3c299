"""`zerograd-lint` and `python -m zerograd_lint`."""

from __future__ import annotations

import gc
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` looks first in the folder it is called in, and what is checked must never run.
    sys.path.append(sys.path.pop(0))

from .cli.main import main as run_command


def main(argv: list[str] | None = None) -> int:
    """Run one command; the process is about to end when this returns."""
    try:
        return run_command(argv)
    finally:
        # Python would look for garbage among all that a run has read, which takes seconds.
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
