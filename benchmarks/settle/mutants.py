"""Broken copies of a script, written beside it, of which the linter has something to say."""

from __future__ import annotations

import ast
import random
import warnings
from dataclasses import dataclass
from pathlib import Path

from ..command import check
from ..wild.hidden import TrainingFile
from ..wild.mutate import OPERATORS
from ..wild.training import scopes


@dataclass(frozen=True, slots=True)
class Broken:
    """A copy of a script with one bug in it."""

    operator: str
    path: Path


def broken_copies(script: Path, *, unrepeatable: bool = False) -> list[Broken]:
    """Every mutant of the script in which something is found; the others are not written."""
    warnings.simplefilter("ignore", SyntaxWarning)
    text = script.read_text(encoding="utf-8")
    tree = ast.parse(text)
    file = TrainingFile(text, tree, scopes(tree))
    copies: dict[str, Broken] = {}
    for operator, mutants in OPERATORS.items():
        for mutant in mutants(file):
            changed = _unseeded(mutant.text) if unrepeatable else mutant.text
            name = f"{script.stem}_broken_{len(copies) + 1}.py"
            if changed is not None:
                script.with_name(name).write_text(changed, encoding="utf-8")
                copies[name] = Broken(operator, script.with_name(name))
    found = {Path(each.file).name for each in check(script.parent, *copies)} if copies else set()
    for name, copy in copies.items():
        if name not in found:
            copy.path.unlink()
    return [copy for name, copy in copies.items() if name in found]


def drawn(copies: list[Broken], most: int, seed: int) -> list[Broken]:
    """So many of them, as different as can be: one of each operator before a second of any."""
    chance = random.Random(seed)
    shuffled = sorted(copies, key=lambda each: each.path)
    chance.shuffle(shuffled)
    turns: dict[str, int] = {}
    ranked = []
    for each in shuffled:
        turns[each.operator] = turns.get(each.operator, 0) + 1
        ranked.append((turns[each.operator], each))
    return [each for _, each in sorted(ranked, key=lambda pair: pair[0])][:most]


def _unseeded(text: str) -> str | None:
    """The same program with other random numbers in each run; None where that is not simple."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.rstrip() == "import torch":
            lines[number] = "import torch; torch.seed()\n"
            return "".join(lines)
    return None
