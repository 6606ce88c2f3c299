"""The table of historical bugs is well formed; places and fixes are compared strictly."""

from __future__ import annotations

import ast
import subprocess
import textwrap
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.command import Edit
from benchmarks.historical.bugs import (
    FRESH,
    LAST,
    LATE,
    LATER,
    NEWEST,
    SEEN,
    TUNED,
    UNSEEN,
    Bug,
    half_of,
    load,
)
from benchmarks.historical.importers import importing_files
from benchmarks.historical.judge import EQUAL, MISSED, STATEMENT, applied, judge
from benchmarks.historical.places import same_loop, same_statement, scope_names
from benchmarks.historical.substance import same_substance

TRAINS = textwrap.dedent(
    """\
    import torch

    def train(net, data):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x in data:
            net(x).sum().backward()
            optimizer.step()
        for _ in range(3):
            print(
                data
            )
    """
)
MENDED = TRAINS.replace("optimizer.step()", "optimizer.step()\n        net.zero_grad()")


def test_the_table_is_large_enough_and_its_halves_are_by_hash() -> None:
    bugs = load()
    assert len(bugs) >= 60
    assert {bug.half for bug in bugs} == {*TUNED, *LATER}
    halves = [bug for bug in bugs if bug.half in (SEEN, UNSEEN)]
    assert all(bug.half == half_of(bug.repository, bug.commit) for bug in halves)
    assert all(len(bug.commit) == 40 and bug.link.startswith("https://") for bug in bugs)
    assert len({(bug.repository, bug.commit, bug.file, bug.lines) for bug in bugs}) == len(bugs)


@pytest.mark.parametrize(("later", "enough"), [(FRESH, 50), (LATE, 30), (LAST, 45), (NEWEST, 34)])
def test_later_bugs_are_of_other_commits_and_copies_are_two_at_most(
    later: str, enough: int
) -> None:
    bugs = load()
    others = {(bug.repository, bug.commit) for bug in bugs if bug.half != later}
    found = [bug for bug in bugs if bug.half == later]
    copies = Counter((bug.repository, bug.commit, bug.kind) for bug in found)
    assert len(found) >= enough and max(copies.values()) <= 2
    assert others.isdisjoint((bug.repository, bug.commit) for bug in found)


def test_places() -> None:
    tree = ast.parse(TRAINS)
    assert same_statement(tree, 9, 11) and not same_statement(tree, 6, 7)
    assert same_loop(tree, 6, 7) and not same_loop(tree, 7, 9)
    assert not same_loop(tree, 4, 7) and not same_loop(tree, 5, 6)
    assert scope_names(tree, 7) == ("train",)


def test_clearing_before_the_backward_and_after_the_step_are_the_same() -> None:
    before = "for x in d:\n    o.zero_grad()\n    f(x).backward()\n    o.step()\n"
    after = "for x in d:\n    f(x).backward()\n    o.step()\n    net.zero_grad()\n"
    outside = "o.zero_grad()\nfor x in d:\n    f(x).backward()\n    o.step()\n"
    guarded = after.replace("    net", "    if x:\n        net")
    assert same_substance(ast.parse(before), ast.parse(after))
    assert not same_substance(ast.parse(before), ast.parse(outside))
    assert not same_substance(ast.parse(after), ast.parse(guarded))


def test_edits_are_applied_from_the_end() -> None:
    edits = [Edit((1, 1), (1, 2), "x"), Edit((2, 1), (3, 1), "")]
    assert applied("abc\nd\ne\n", edits) == "xbc\ne\n"


def test_a_bug_is_judged_from_a_clone(tmp_path: Path) -> None:
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    commits = [_commit(tmp_path, {"train.py": text}) for text in (TRAINS, MENDED)]
    bug = Bug("o/n", commits[0], "train.py", (7,), "missing", ("ZG001",), commits[1], "", SEEN)
    outcome = judge(bug, tmp_path / ".git")
    assert (outcome.found, outcome.code, outcome.fix) == (STATEMENT, "ZG001", EQUAL)
    mended = Bug("o/n", commits[1], "train.py", (7,), "missing", ("ZG001",), "", "", SEEN)
    assert judge(mended, tmp_path / ".git").found == MISSED


HELPER = textwrap.dedent(
    """\
    def update(net, optimizer, x):
        net(x).sum().backward()
        optimizer.step()
    """
)
CALLER = textwrap.dedent(
    """\
    import torch
    from engine import update

    def train(net, data):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x in data:
            update(net, optimizer, x)
    """
)


def test_a_bug_that_a_caller_makes_is_found_in_the_file_of_the_caller(tmp_path: Path) -> None:
    subprocess.run(("git", "init", "-q"), cwd=tmp_path, check=True)
    files = {
        "lib/engine/__init__.py": "from .core import update\n",
        "lib/engine/core.py": HELPER,
        "lib/train.py": CALLER,
        "lib/other.py": "import torch\n",
    }
    commit = _commit(tmp_path, files)
    assert importing_files(tmp_path, "lib/engine/core.py") == [
        "lib/engine/__init__.py",
        "lib/train.py",
    ]
    bug = Bug("o/n", commit, "lib/engine/core.py", (3,), "missing", ("ZG001",), "", "", SEEN)
    outcome = judge(bug, tmp_path / ".git")
    assert (outcome.found, outcome.by_callers, outcome.in_project) == (MISSED, STATEMENT, True)
    assert outcome.callers == ("lib/train.py:7",)
    assert not judge(bug, tmp_path / ".git", callers=False).in_project


def _commit(folder: Path, files: dict[str, str]) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    subprocess.run(("git", "add", "."), cwd=folder, check=True)
    subprocess.run(("git", *who, "commit", "-qm", "x"), cwd=folder, check=True)
    asked = subprocess.check_output(("git", "rev-parse", "HEAD"), cwd=folder, text=True)
    return asked.strip()
