"""Repositories that may be drawn: names written down before anything was fetched."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .. import clones
from .count import training_contents

NAMES = Path(__file__).with_name("names")


def repositories(
    group: str, folder: Path, order: Callable[[set[str]], list[str]]
) -> Iterator[tuple[str, set[str]]]:
    """Each repository of the list at its newest commit; what has no clone is passed over."""
    for name in order(set((NAMES / f"{group}.txt").read_text("utf-8").split())):
        git = clones.find(name, folder)
        if git is None:
            print(f"left out, no clone: {name}")
            continue
        commit = clones.head(git)
        with tempfile.TemporaryDirectory() as target:
            clones.export(git, commit, Path(target))
            trains = training_contents(name, Path(target))
        if trains:
            yield f"{name} {commit}", trains
