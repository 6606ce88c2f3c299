"""The argument parsers of the commands, and what they know about every option."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module

from .commands import COMMANDS
from .help_format import HelpFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def command_parser(command: str) -> tuple[ModuleType, ArgumentParser]:
    """A command's module, and the parser of its arguments."""
    module = import_module(COMMANDS[command])
    parser = ArgumentParser(prog=f"zerograd-lint {command}", formatter_class=HelpFormat)
    module.add_arguments(parser)
    return module, parser


class CommandOption:
    """One option of a command, as help, completions and the manual need it."""

    __slots__ = ("choices", "help", "names", "takes_value", "value")

    def __init__(
        self, names: tuple[str, ...], help_text: str, value: str, choices: tuple[str, ...]
    ) -> None:
        self.names = names
        self.help = help_text
        self.value = value
        """What its value is called; empty if it takes none."""
        self.choices = choices
        self.takes_value = bool(value)


def options_of_commands() -> dict[str, list[CommandOption]]:
    """Every command with its options."""
    return {command: _options(command_parser(command)[1]) for command in COMMANDS}


def _options(parser: ArgumentParser) -> list[CommandOption]:
    options = []
    for action in parser._actions:
        if not action.option_strings:
            continue
        choices = tuple(map(str, action.choices or ()))
        value = "" if action.nargs == 0 else str(action.metavar or "|".join(choices) or "VALUE")
        help_text = (action.help or "").replace("%%", "%")
        options.append(CommandOption(tuple(action.option_strings), help_text, value, choices))
    return options
