"""The tables tell what is new, what vanished, and keep what a person wrote into them."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

from benchmarks.wild import precision, recall
from benchmarks.wild.corpus import Counts, lint
from benchmarks.wild.examine import Report, Said, Sown, examine
from benchmarks.wild.fixing import Mending, mend
from benchmarks.wild.hidden import TrainingFile
from benchmarks.wild.mutate import OPERATORS, Mutant
from benchmarks.wild.packages import SEEN, Package, load
from benchmarks.wild.training import scopes

PACKAGE = Package("pkg", "1", "pkg-1.tar.gz", "", SEEN)
MUTANT = Mutant("", 1, ((1, 9),), ((1, 9),), frozenset({"ZG001"}))
TRAINS = textwrap.dedent(
    """
    import torch

    def train(net, data, loss_fn):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in data:
            optimizer.zero_grad()
            loss_fn(net(x), y).backward()
            optimizer.step()
    """
)


def report(*said: Said, missed: bool = False) -> Report:
    sown = Sown("drop every zeroing", "pkg", "a.py", 3, not missed, Mending(False), "", MUTANT)
    return Report(PACKAGE, Counts(files=9, training=4), list(said), [sown])


def test_a_new_finding_is_unjudged_and_a_lost_one_has_vanished() -> None:
    table = {("pkg", "a.py", 1, "ZG001"): precision.Judged(precision.TRUE, "it is")}
    judged = precision.judge([report(Said("pkg", "b.py", 2, "ZG002"))], table)
    assert [finding.file for finding in judged.unjudged] == ["b.py"]
    assert judged.vanished == (("pkg", "a.py", 1, "ZG001"),)


def test_precision_counts_only_what_is_still_said() -> None:
    table = {
        ("pkg", "a.py", 1, "ZG001"): precision.Judged(precision.TRUE, ""),
        ("pkg", "a.py", 5, "ZG001"): precision.Judged(precision.FALSE, ""),
    }
    said = [Said("pkg", "a.py", 1, "ZG001"), Said("pkg", "a.py", 5, "ZG001")]
    judged = precision.judge([report(*said)], table)
    assert (judged.true, judged.false, judged.share) == (1, 1, 0.5)
    assert judged.false_per_2000 == 500


def test_verdicts_survive_an_update(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    key = ("pkg", "a.py", 1, "ZG001")
    known = {key: precision.Judged(precision.TRUE, "read it, is one")}
    precision.save([report(Said(*key, "said"), Said("pkg", "z.py", 2, "ZG005"))], known, path)
    saved = precision.load(path)
    assert saved[key] == known[key]
    assert saved["pkg", "z.py", 2, "ZG005"].verdict == precision.UNJUDGED


def test_reasons_of_misses_survive_an_update(tmp_path: Path) -> None:
    path = tmp_path / "missed.csv"
    key = ("drop every zeroing", "pkg", "a.py", 3)
    recall.save([report(missed=True)], {key: "out of sight"}, path)
    assert recall.load(path) == {key: "out of sight"}
    recall.save([report()], {key: "out of sight"}, path)
    assert recall.load(path) == {}


def test_a_package_is_examined_from_start_to_end(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAINS)
    (tmp_path / "other.py").write_text("print('hello')\n")
    result = examine(PACKAGE, tmp_path, cap=3)
    assert (result.counts.files, result.counts.training, result.said) == (2, 1, [])
    assert {one.operator for one in result.sown if one.caught} == {
        "drop every zeroing",
        "move it between backward and step",
        "hoist it before the loop",
        "drop its parentheses",
    }
    assert [one.mending.wrong for one in result.sown] == [""] * 4


def test_a_fix_that_mends_is_right() -> None:
    tree = ast.parse(TRAINS)
    file = TrainingFile(TRAINS, tree, scopes(tree))
    (mutant,) = OPERATORS["drop its parentheses"](file)
    mending = mend(mutant, lint(mutant.text, "train.py"), "train.py")
    assert mending.offered
    assert mending.wrong == ""


def test_every_package_is_pinned_once() -> None:
    packages = load()
    assert len({package.name for package in packages}) == len(packages)
    assert all(len(package.sha256) == 64 for package in packages)
