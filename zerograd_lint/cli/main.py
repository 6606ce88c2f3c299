"""The entry point: choose the command, and handle errors, interrupts and broken pipes."""

from __future__ import annotations

import os
import sys

from .. import __version__
from ..config.errors import ConfigError, closest
from .commands import COMMANDS

_HELP = """\
zerograd-lint finds zero_grad, backward and step out of order in PyTorch code.

usage: zerograd-lint [COMMAND] [OPTIONS] [PATHS]

commands:
  check    report findings in files, folders, notebooks (the default command)
  rule     explain one rule, or all of them (also: explain)
  rules    list all rules
  audit    run a training script and watch its gradients
  verify   prove or refute findings by running the program and its fixed twin
  server   findings and fixes in an editor, by the Language Server Protocol

options:
  -h, --help     this text; 'zerograd-lint COMMAND --help' for more
  -V, --version  print the version

examples:
  zerograd-lint .                   check everything below this folder
  zerograd-lint check --fix src     and mend what can be mended safely
  zerograd-lint rule ZG001          what a code means, with an example

exit status: 0 nothing found, 1 findings, 2 something could not be checked
"""


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _never_fail_to_print()
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
    except ConfigError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # The reader went away (`| head`): nothing is left to say, not even at shutdown.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"error: {place}{error.strerror or error}", file=sys.stderr)
        return 2
    except Exception as error:
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
            # In the middle of an import, Python wraps it into an error of the class being made.
            return _interrupted()
        import traceback

        traceback.print_exc()
        print("error: this is a bug in zerograd-lint, please report it", file=sys.stderr)
        return 2
    return status


def _interrupted() -> int:
    print("interrupted", file=sys.stderr)
    return 130


def _dispatch(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first == "help" and arguments[1:2] and arguments[1] in COMMANDS:
        arguments = [arguments[1], "--help"]
        first = arguments[0]
    if first in ("-h", "--help", "help"):
        sys.stdout.write(_HELP)
        return 0
    if first in ("-V", "--version"):
        print(f"zerograd-lint {__version__}")
        return 0
    if first in COMMANDS:
        del arguments[0]
    else:
        _refuse_misspelt(first)
        first = "check"  # `zerograd-lint PATH` checks it, as in other linters
    from .parsers import command_parser

    command, parser = command_parser(first)
    return int(command.run(parser.parse_args(arguments)))


def _refuse_misspelt(word: str) -> None:
    """Raise `ConfigError` for a word that is no path, but nearly a command."""
    if not word.isalpha() or os.path.exists(word):
        return
    hint = closest(word, COMMANDS)
    if hint:
        raise ConfigError(f"there is no command and no path '{word}'{hint}")


def _never_fail_to_print() -> None:
    """File names can hold anything; what the terminal cannot show is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
