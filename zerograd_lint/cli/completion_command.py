"""`zerograd-lint generate-shell-completion`: a script that completes commands and options."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .parsers import CommandOption, options_of_commands

_DEFAULT = "check"
"""The command whose options are completed where none is named."""


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.description = "Print a script that completes commands and options in a shell."
    parser.epilog = 'example:\n  eval "$(zerograd-lint generate-shell-completion bash)"'
    parser.add_argument("shell", choices=tuple(SCRIPTS), help=", ".join(SCRIPTS))


def run(args: Namespace) -> int:
    """Print the script and return the exit status."""
    print(SCRIPTS[args.shell](), end="")
    return 0


def bash() -> str:
    """The script for bash."""
    commands = options_of_commands()
    words = "\n".join(
        f'        {command}) words="{" ".join(name for each in options for name in each.names)}" ;;'
        for command, options in commands.items()
    )
    values = "\n".join(
        f"        {_patterns(command, each)}) "
        f'COMPREPLY=($(compgen -W "{" ".join(each.choices)}" -- "$current")); return ;;'
        for command, options in commands.items()
        for each in options
        if each.choices
    )
    return f"""\
_zerograd_lint() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words
    local command=${{COMP_WORDS[1]}}
    case $command in
        {"|".join(commands)}) ;;
        *) command={_DEFAULT} ;;
    esac
    case "$command $previous" in
{values}
    esac
    case $command in
{words}
    esac
    if [[ $COMP_CWORD -eq 1 && $current != -* ]]; then
        words="{" ".join(commands)}"
    elif [[ $current != -* ]]; then
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _zerograd_lint zerograd-lint
"""


def _patterns(command: str, option: CommandOption) -> str:
    return "|".join(f'"{command} {name}"' for name in option.names)


def fish() -> str:
    """The script for fish."""
    commands = options_of_commands()
    lines = [
        f"complete -c zerograd-lint -n __fish_use_subcommand -a {command}" for command in commands
    ]
    for command, options in commands.items():
        for each in options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in each.names
            )
            value = f" -x -a '{' '.join(each.choices)}'" if each.choices else ""
            value = value or (" -r" if each.takes_value else "")
            seen = f"__fish_seen_subcommand_from {command}"
            if command == _DEFAULT:
                seen += "; or __fish_use_subcommand"
            lines.append(
                f"complete -c zerograd-lint -n '{seen}' {names}{value} -d {_quoted(each.help)}"
            )
    return "\n".join(lines) + "\n"


def zsh() -> str:
    """The script for zsh."""
    cases = []
    commands = options_of_commands()
    for command, options in commands.items():
        specs = []
        for each in options:
            value = ":value:" if each.takes_value else ""
            if each.choices:
                value = f":value:({' '.join(each.choices)})"
            text = each.help.replace("[", "(").replace("]", ")").replace(":", " -")
            specs += [_quoted(f"{name}[{text}]{value}") for name in each.names]
        listed = " \\\n            ".join([*specs, "'*:file:_files'"])
        cases.append(f"        {command}) _arguments \\\n            {listed} ;;")
    body = "\n".join(cases)
    return f"""\
#compdef zerograd-lint
_zerograd_lint() {{
    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        compadd -- {" ".join(commands)}
        _files
        return
    fi
    local command={_DEFAULT}
    case $words[2] in
        {"|".join(commands)}) command=$words[2]; shift words; (( CURRENT-- )) ;;
    esac
    case $command in
{body}
    esac
}}
if [ "$funcstack[1]" = "_zerograd_lint" ]; then
    _zerograd_lint "$@"
else
    compdef _zerograd_lint zerograd-lint
fi
"""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "") + "'"


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
