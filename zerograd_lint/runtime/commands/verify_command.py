"""`zerograd-lint verify`: confirm or refute findings by running programs as they are and fixed."""

from __future__ import annotations

import argparse

from ...cli.option_values import new_file, positive, seconds
from .script_arguments import leave_arguments_to_the_program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.description = (
        "Lint, run each program as it is and with the fix applied, and compare the gradients that "
        "every step consumed. Exit status: 0 nothing was confirmed (with --expect: everything is "
        "as the files say), 1 something was, 2 something could not be run."
    )
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="scripts and notebooks, or folders of them"
    )
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument(
        "--entry", metavar="SCRIPT", help="run this script for findings in any of the files"
    )
    entry.add_argument(
        "-m", dest="module", metavar="MODULE", help="run this module, as python -m does"
    )
    parser.add_argument(
        "--expect",
        action="store_true",
        help="check the expectations written in the files (bad_*.py, *.fixed.py, ok_*.py)",
    )
    parser.add_argument("--select", metavar="CODES", help="lint with these rules only")
    parser.add_argument("--extend-select", metavar="CODES", help="lint with these rules too")
    parser.add_argument(
        "--device",
        default="auto",
        metavar="NAME",
        help="run on this device, whatever the program says: cpu, cuda, mps, xpu, ... (auto)",
    )
    parser.add_argument(
        "--steps", type=positive, default=200, metavar="N", help="stop each run after N steps (200)"
    )
    parser.add_argument(
        "--timeout", type=seconds, default=120.0, metavar="S", help="seconds per run (120)"
    )
    parser.add_argument(
        "--stdin", action="store_true", help="give standard input to each run of the programs"
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="programs run at the same time")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--report", type=new_file, metavar="FILE.html", help="write a page with curves"
    )
    parser.epilog = (
        "examples:\n"
        "  zerograd-lint verify --steps 50 train.py -- --epochs 1\n"
        "  zerograd-lint verify --entry main.py package\n"
        "  zerograd-lint verify -m package.train package -- --epochs 1\n\n"
        "What stands after --, and every option unknown to us, is given to the\n"
        "programs. Each run works on a copy of the current folder."
    )
    leave_arguments_to_the_program(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..requirement import INSTALL_HINT, torch_is_installed
    from .stderr import complain

    if not torch_is_installed():
        return complain(INSTALL_HINT)
    if args.expect:
        from .verify_expect import run_expect

        return run_expect(args)
    from .verify_findings import run_findings

    return run_findings(args)
