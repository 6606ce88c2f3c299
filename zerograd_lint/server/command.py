"""`zerograd-lint server`: findings and fixes in an editor, over standard input and output."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from ..config.errors import ConfigError

_EPILOG = """\
Editors start this command and talk to it over standard input and output:
docs/editors.md has the settings of each.
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = "Speak the Language Server Protocol: findings and fixes as you type."
    parser.epilog = _EPILOG
    parser.add_argument("--stdio", action="store_true", help="the default, which editors may say")


def run(args: Namespace) -> int:
    """Serve one client until it leaves."""
    try:
        import lsprotocol.types  # noqa: F401
        import pygls.lsp.server  # noqa: F401
    except ImportError:
        raise ConfigError("the server needs pygls: pip install 'zerograd-lint[server]'") from None
    from .serving import serve

    if sys.stdin is None or sys.stdout is None:
        raise ConfigError("standard input or output is closed")
    serve(sys.stdin.buffer, sys.stdout.buffer)
