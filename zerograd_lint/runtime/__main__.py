"""`python -m zerograd_lint.runtime audit|verify …`."""

from __future__ import annotations

import argparse
import importlib
import sys

if __name__ == "__main__":
    command = importlib.import_module(f"zerograd_lint.runtime.{sys.argv[1]}_command")
    parser = argparse.ArgumentParser(prog=f"zerograd-lint {sys.argv[1]}")
    command.add_arguments(parser)
    sys.exit(command.run(parser.parse_args(sys.argv[2:])))
