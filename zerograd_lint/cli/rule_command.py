"""`zerograd-lint rule`: a rule's own documentation."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..config.errors import ConfigError, closest

_EPILOG = """\
examples:
  zerograd-lint rule ZG001
  zerograd-lint rule missing-zero-grad
  zerograd-lint rule --all --output-format json
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.description = "Explain a rule: what it finds, why that is bad, and what to write."
    parser.epilog = _EPILOG
    parser.add_argument("rule", nargs="?", metavar="CODE", help="a code or a rule's name")
    parser.add_argument("--all", action="store_true", help="explain every rule")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="(text)")


def run(args: Namespace) -> int:
    """Print one rule's documentation, or that of all, and return the exit status."""
    from ..rules.documentation import is_fixable
    from ..rules.registry import all_rules

    rules = all_rules()
    if args.all == (args.rule is not None):
        raise ConfigError("name one rule, or say --all; 'zerograd-lint rules' lists them")
    chosen = list(rules.values())
    if not args.all:
        wanted = args.rule
        chosen = [r for r in chosen if wanted.upper() == r.code or wanted.lower() == r.name]
        if not chosen:
            names = [*rules, *(rule.name for rule in rules.values())]
            raise ConfigError(f"unknown rule '{wanted}'{closest(wanted, names)}")
    if args.output_format == "json":
        import json

        described = [
            {
                "code": rule.code,
                "name": rule.name,
                "summary": rule.summary,
                "default": rule.on_by_default,
                "fixable": is_fixable(rule),
                "explanation": rule.documentation(),
            }
            for rule in chosen
        ]
        print(json.dumps(described if args.all else described[0], indent=2))
    else:
        print("\n".join(rule.documentation().rstrip() + "\n" for rule in chosen), end="")
    return 0
