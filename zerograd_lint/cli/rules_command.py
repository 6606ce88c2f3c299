"""`zerograd-lint rules`: the table of all rules."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.description = "List all rules."
    parser.epilog = "example:\n  zerograd-lint rules"
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="(text)")


def run(args: Namespace) -> int:
    """Print the table and return the exit status."""
    from ..rules.documentation import is_fixable
    from ..rules.registry import all_rules

    rules = list(all_rules().values())
    if args.output_format == "json":
        import json

        rows = [
            {
                "code": rule.code,
                "name": rule.name,
                "summary": rule.summary,
                "default": rule.on_by_default,
                "fixable": is_fixable(rule),
            }
            for rule in rules
        ]
        print(json.dumps(rows, indent=2))
        return 0
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        default = "on " if rule.on_by_default else "off"
        fixable = "[*]" if is_fixable(rule) else "   "
        print(f"{rule.code}  {default}  {fixable}  {rule.name:<{width}}  {rule.summary}")
    print("\non/off: by default or only when selected; [*]: has an autofix (--fix)")
    return 0
