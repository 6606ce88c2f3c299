"""`verify` changes nothing of the user's: each run works on a copy of the folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zerograd_lint.runtime.child.own_files import OwnFolders
from zerograd_lint.runtime.running import working_copy

from .command import command, environment

_WRITES = """\
import os
import shutil
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn

print(sys.stdin.read())
net = nn.Linear(4, 1)
net.load_state_dict(torch.load("checkpoint.pt"))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
torch.save(net.state_dict(), "checkpoint.pt")
torch.save(net.state_dict(), Path(__file__).with_name("checkpoint.pt"))
torch.save(net.state_dict(), sys.argv[1])
with open("log.txt", "a") as log:
    log.write(f"lines {len(Path('log.txt').read_text())}")
assert Path("log.txt").read_text() == "firstlines 5", Path("log.txt").read_text()
os.remove("old.txt")
shutil.rmtree("runs")
Path("made").mkdir()
Path("made/new.txt").write_text("new")
Path(tempfile.mkdtemp(), "scratch").write_text("scratch")
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_everything_in_the_folder_is_the_same_afterwards(tmp_path: Path) -> None:
    import torch

    folder, temporary = tmp_path / "project", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    (folder / "train.py").write_text(_WRITES)
    torch.save(torch.nn.Linear(4, 1).state_dict(), folder / "checkpoint.pt")
    (folder / "log.txt").write_text("first")
    (folder / "old.txt").write_text("old")
    (folder / "runs").mkdir()
    (folder / "runs" / "1.txt").write_text("run")
    before = contents(folder)
    done = subprocess.run(
        command(
            "verify", "--jobs", "1", "--stdin", "train.py", "--", str(folder / "checkpoint.pt")
        ),
        cwd=folder,
        input="typed in",
        capture_output=True,
        text=True,
        env=environment(temporary),
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "CONFIRMED" in done.stdout
    assert contents(folder) == before
    assert not [path for path in temporary.iterdir() if path.name.startswith(("zero", "tmp"))]


@pytest.fixture
def linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A folder and its copy, in which everything beyond the first files is linked."""
    original = tmp_path / "original"
    for name in ("a.txt", "data/b.txt", "data/inner/c.txt"):
        path = original / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (original / "alias.txt").symlink_to(original / "a.txt")
    monkeypatch.setattr(working_copy, "_MOST_FILES", 1)
    made = working_copy.make([original], tmp_path / "copies")
    return original, Path(made.copies[str(original)])


def test_what_is_linked_becomes_the_programs_own_before_it_is_changed(
    linked: tuple[Path, Path], tmp_path: Path
) -> None:
    original, copy = linked
    before = contents(original)
    assert (copy / "data").is_symlink()
    assert not (copy / "a.txt").is_symlink()
    assert os.path.realpath(copy / "alias.txt") == str(copy / "a.txt")
    code = (
        "import os, shutil, sys\n"
        "from zerograd_lint.runtime.child import own_files\n"
        "original, copy, free = sys.argv[1:]\n"
        "own_files.guard(own_files.OwnFolders({original: copy}, free))\n"
        "os.chdir(copy)\n"
        "assert open('data/inner/c.txt').read() == 'data/inner/c.txt'\n"
        "open('data/inner/c.txt', 'a').write(' and more')\n"
        "assert open('data/inner/c.txt').read() == 'data/inner/c.txt and more'\n"
        "open('alias.txt', 'w').write('changed')\n"
        "os.rename('data/b.txt', 'data/d.txt')\n"
        "os.truncate('data/d.txt', 1)\n"
        "try:\n"
        "    open(original + '/a.txt', 'w')\n"
        "except PermissionError as error:\n"
        "    assert 'works on a copy' in str(error)\n"
        "else:\n"
        "    raise AssertionError\n"
        "shutil.rmtree('data')\n"
    )
    words = [sys.executable, "-c", code, str(original), str(copy), str(tmp_path / "free")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert contents(original) == before
    assert not (copy / "data").exists()
    assert (copy / "a.txt").read_text() == "changed"


def test_what_has_no_path_is_left_alone() -> None:
    OwnFolders({}, "/").make_own(3)
