"""`zerograd-lint check --explain FILE:LINE`: the argument behind a finding, or behind silence."""

from __future__ import annotations

import os
import sys

from ..check.gate import can_train
from ..check.project_gate import may_run_training
from ..config.discovery import Discovery
from ..config.errors import ConfigError
from ..files import source
from ..files.kinds import kind_of
from ..finding import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from ..check.explain import Explanation


def explain(args: Namespace, discovery: Discovery) -> int:
    """Print what is known of a line; 1 if it is reported."""
    path, line = args.explain
    settings = discovery.config_for(os.path.dirname(os.path.abspath(path))).settings()
    if kind_of(path) != "python":
        raise ConfigError("--explain reads Python files")
    with open(path, "rb") as file:
        data = file.read()
    text = source.decode(data).text
    found: list[Explanation] = []
    if can_train(text, settings.gate_names) or may_run_training(path, text, settings):
        from ..check.explain import explain as explanations

        try:
            found = explanations(text, path, settings)
        except SourceError as error:
            raise ConfigError(f"{path}:{error.line}: {error}") from None
    here = [one for one in found if one.line == line]
    for explanation in here:
        _show(path, explanation)
    if not here:
        known = ", ".join(str(number) for number in sorted({one.line for one in found}))
        print(f"{path}:{line}: nothing here is a step of an optimizer or a finding")
        if known:
            print(f"  there is something to explain on these lines: {known}")
    return 1 if any(one.is_reported for one in here) else 0


def _show(path: str, explanation: Explanation) -> None:
    said = f"{explanation.code} " if explanation.is_reported else "not reported: "
    sys.stdout.write(f"{path}:{explanation.line}: {said}{explanation.claim}\n")
    for answer in explanation.argument:
        sys.stdout.write(f"  {answer.question.value} {answer.verdict.value}: {answer.reason}\n")
