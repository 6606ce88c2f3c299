"""Groups stay as they were drawn, and only the first look at one counts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import clones
from benchmarks.command import check
from benchmarks.first_look import draw, groups, looks
from benchmarks.first_look.count import training_contents
from benchmarks.first_look.groups import Repository, group_names, load
from benchmarks.wild import index, packages
from benchmarks.wild.index import Distribution, chosen

BUGGY = """
import torch
net = torch.nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.rand(9, 1):
    net(x).sum().backward()
    opt.step()
"""


def test_groups_are_as_drawn_and_share_no_project() -> None:
    drawn = {group: [project.name for project in load(group)] for group in group_names()}
    names = [name for group in drawn.values() for name in group]
    assert names and len(names) == len(set(names))
    # What has been looked at may be pinned for the wild benchmark; what has not, may not.
    looked_at = {look.group for look in looks.looks()}
    waiting = {name for group in drawn.keys() - looked_at for name in drawn[group]}
    assert not waiting & {package.name for package in packages.load()}


def test_a_changed_list_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "GROUPS", tmp_path)
    monkeypatch.setattr(groups, "_HASHES", tmp_path / "SHA256SUMS")
    groups.write_group("some-1", ["owner/name 0123"])
    assert groups.load("some-1") == [Repository("owner/name", "0123")]
    with pytest.raises(ValueError, match="drawn already"):
        groups.write_group("some-1", [])
    (tmp_path / "some-1.txt").write_text("owner/other 0123\n")
    with pytest.raises(ValueError, match="not the list"):
        groups.load("some-1")


def test_a_copy_of_a_drawn_or_read_project_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("a", BUGGY), ("b", f"{BUGGY}# fork"), ("read", f"{BUGGY}# read")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.py").write_text(text)
    named = {"o/a": "a", "o/again": "a", "o/copy-of-read": "read", "o/b": "b"}
    drawn = [(f"{line} 0123", training_contents("", tmp_path / at)) for line, at in named.items()]
    monkeypatch.setattr(draw, "_candidates", lambda _: iter(drawn))
    monkeypatch.setattr(groups, "GROUPS", tmp_path)
    monkeypatch.setattr(groups, "_HASHES", tmp_path / "SHA256SUMS")
    draw.main(["some-1", "--read", str(tmp_path / "read")])
    assert [project.name for project in groups.load("some-1")] == ["o/a", "o/b"]


def test_what_a_release_requires_is_read_from_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [
        "torch (>=1.0)",
        "numpy>=1; python_version > '3'",
        'PyTorch_Lightning[x]; extra == "a"',
    ]
    answers = {
        "says": SimpleNamespace(status=200, data=json.dumps({"info": {"requires_dist": listed}})),
        "silent": SimpleNamespace(status=200, data='{"info": {"requires_dist": null}}'),
        "gone": SimpleNamespace(status=404, data=""),
    }
    connections = SimpleNamespace(request=lambda _, url, timeout: answers[url.split("/")[-2]])
    monkeypatch.setattr(index, "_connections", lambda: connections)
    assert index.required("says") == {"torch", "numpy", "pytorch-lightning"}
    assert index.required("silent") == index.required("gone") == set()


def test_a_second_look_is_refused_and_verdicts_are_counted(tmp_path: Path) -> None:
    look = looks.Look("2020-01-01", "abc", "some-1", 1, 2, 2, 0)
    found = [
        looks.Judged("p", "a.py", "3", "ZG001", "says", looks.TRUE, "read it, is one"),
        looks.Judged("p", "b.ipynb", "cell 2:1", "ZG002", "says"),
    ]
    looks.record(look, found, tmp_path)
    assert looks.looks(tmp_path) == [look]
    assert looks.findings("some-1", tmp_path) == found
    assert looks.table(tmp_path).endswith("| abc | some-1 | 1 | 2 | 2 | 1 | 0 | 0 | 1 |")
    with pytest.raises(ValueError, match="looked at"):
        looks.record(look, [], tmp_path)


def test_a_repository_is_read_from_a_bare_clone(tmp_path: Path) -> None:
    work, bare = tmp_path / "work", tmp_path / "clones" / "owner+name"
    (work / "pkg").mkdir(parents=True)
    (work / "pkg" / "train.py").write_text(BUGGY)
    (work / "data.bin").write_text("large")
    (work / "link.py").symlink_to("/etc/passwd")
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "x")):
        subprocess.run(("git", *words), cwd=work, check=True)
    subprocess.run(("git", "clone", "-q", "--bare", work, bare), check=True)

    git = clones.find("owner/name", tmp_path / "clones")
    assert git == bare
    commit = clones.head(git)
    assert clones.has_commit(git, commit) and not clones.has_commit(git, "0" * 40)
    assert clones.read(git, commit, "pkg/train.py").decode() == BUGGY
    clones.export(git, commit, tmp_path / "out")
    written = [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert written == ["train.py"] and (tmp_path / "out" / ".git").is_dir()
    assert [(one.place, one.code) for one in check(tmp_path / "out")] == [("7", "ZG001")]


def test_the_newest_final_sdist_is_chosen() -> None:
    files = ["a-1.0.tar.gz", "a-1.1-py3-none-any.whl", "a-1.1.tar.gz", "a-2.0rc1.tar.gz", "a.egg"]
    offered = [Distribution(file, "", "") for file in files]
    newest, pinned = chosen(offered), chosen(offered, "1.0")
    assert newest and newest.file == "a-1.1.tar.gz"
    assert pinned and pinned.file == "a-1.0.tar.gz"
    assert chosen([]) is None
