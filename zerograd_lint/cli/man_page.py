"""The manual page, written from the argument parsers when the package is built."""

from __future__ import annotations

from .. import __version__
from .commands import COMMANDS
from .parsers import CommandOption, command_parser, options_of_commands

_HEAD = r"""
.SH NAME
zerograd\-lint \- find zero_grad, backward and step out of order in PyTorch code
.SH SYNOPSIS
.B zerograd\-lint
[\fICOMMAND\fR] [\fIOPTIONS\fR] [\fIPATHS\fR]
.SH DESCRIPTION
Reads training code, follows what happens to every gradient, and says where it goes wrong.
Without a command, \fBcheck\fR is meant. \fBaudit\fR and \fBverify\fR run the program; no other
command does.
"""
_TAIL = r"""
.SH EXIT STATUS
.TP
0
nothing found
.TP
1
findings
.TP
2
wrong usage, or something could not be checked
.SH FILES
.TP
pyproject.toml
the table [tool.zerograd\-lint] of the nearest one above a file holds for that file
.SH ENVIRONMENT
.TP
ZEROGRAD_LINT_CACHE_DIR
where results are kept between runs
.TP
NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE
whether output is coloured
"""


def man_page() -> str:
    """The page in the language of man."""
    parts = [f'.TH ZEROGRAD-LINT 1 "" "zerograd-lint {__version__}"', _HEAD.strip()]
    options = options_of_commands()
    for command in COMMANDS:
        if command != "explain":
            _, parser = command_parser(command)
            parts += [f".SH {_escaped(command.upper())}", _escaped(parser.description or "")]
            parts += [_option(each) for each in options[command]]
    return "\n".join([*parts, _TAIL.strip()]) + "\n"


def _option(option: CommandOption) -> str:
    names = ", ".join(rf"\fB{_escaped(name)}\fR" for name in option.names)
    value = rf" \fI{_escaped(option.value)}\fR" if option.takes_value else ""
    return f".TP\n{names}{value}\n{_escaped(option.help)}"


def _escaped(text: str) -> str:
    """Text as man reads it: backslashes and hyphens kept, no line that looks like a request."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text.startswith((".", "'")) else text
