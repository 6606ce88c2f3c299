"""The configuration in which windows are one batch long: `i % n == 1` then never holds."""

from __future__ import annotations

from collections.abc import Iterator

from ..flow.invocations import Invocations
from ..program import Atom, Branch, Function, atoms, walk
from .run_configuration import RunConfiguration


def without_windows(root: Function, invocations: Invocations) -> RunConfiguration | None:
    """What holds in it, if a test fails for that length alone and the code does not ask for it.

    A bare name may be a length that some caller gives: only parts of a configuration are asked.
    """
    asked = [atom for f in invocations.reachable(root) for atom in _asked(f)]
    lengths = {atom.period_setting for atom in asked if not atom.picks_single}
    for length in sorted(each for each in lengths if "." in each):
        if any(length in atom.setting for atom in asked):
            continue  # `if args.window > 1:`
        answers: dict[str | None, bool] = {}
        counting = [atom for atom in asked if atom.period_setting == length]
        if all(answers.setdefault(a.key, a.picks_single) is a.picks_single for a in counting):
            return RunConfiguration(answers, f"{length} is 1")
    return None


def _asked(function: Function) -> Iterator[Atom]:
    for statement in walk(function.body):
        if isinstance(statement, Branch):
            yield from atoms(statement.test)
