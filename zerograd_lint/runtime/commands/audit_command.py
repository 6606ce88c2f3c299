"""`zerograd-lint audit`: run a training script as it is and report what its steps applied."""

from __future__ import annotations

import argparse

from ...cli.option_values import new_file, positive, seconds
from .script_arguments import leave_all_after_the_module, leave_arguments_to_the_program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.description = (
        "Run SCRIPT under python with its gradients watched. Exit status: 0 clean, 1 a gradient "
        "bug was seen, 2 it could not be run to a verdict (crash, time limit, no step)."
    )
    parser.add_argument("script", metavar="SCRIPT", nargs="?", help="a training script or notebook")
    parser.add_argument(
        "-m", dest="module", metavar="MODULE", help="run this module instead, as python -m does"
    )
    parser.add_argument(
        "--device",
        default="auto",
        metavar="NAME",
        help="run on this device, whatever the program says: cpu, cuda, mps, xpu, ... (auto)",
    )
    parser.add_argument("--steps", type=positive, metavar="N", help="stop after N optimizer steps")
    parser.add_argument(
        "--timeout", type=seconds, default=600.0, metavar="S", help="kill after S seconds (600)"
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--report", type=new_file, metavar="FILE.html", help="write a page with curves"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="do not show what the program prints"
    )
    parser.add_argument("--stdin", action="store_true", help="let the program read standard input")
    parser.epilog = (
        "examples:\n"
        "  zerograd-lint audit --steps 50 train.py -- --epochs 1\n"
        "  zerograd-lint audit -m package.train --epochs 1\n\n"
        "What stands after --, after -m MODULE, and every option unknown to us\n"
        "is given to the program. What it prints is shown on standard error."
    )
    leave_arguments_to_the_program(parser)
    leave_all_after_the_module(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..requirement import INSTALL_HINT, torch_is_installed
    from .stderr import complain

    if (args.script is None) == (args.module is None):
        return complain("give one script to run, or one module with -m")
    if not torch_is_installed():
        return complain(INSTALL_HINT)
    from .audit_run import run_audit

    return run_audit(args)
