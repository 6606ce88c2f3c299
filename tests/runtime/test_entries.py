"""What can be run: scripts, modules, entries of a project, notebooks, and what torchrun starts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ..cli.test_shown_commands import WITH_TORCHRUN, words_of
from .command import command, environment, run

_LOOP = """\
import torch
from torch import nn


def train(steps):
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
"""
_MAIN = """\
import argparse

from {package}.loop import train

parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, required=True)
train(parser.parse_args().count)
"""
_BY_HAND = """\
import torch

w = torch.ones(3, requires_grad=True)
for _ in range(10_000):
    (w * w).sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad.zero_()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package with a loop in one module and the program in another, and a script beside it."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "loop.py").write_text(_LOOP)
    (tmp_path / "package" / "train.py").write_text(_MAIN.format(package=""))
    (tmp_path / "main.py").write_text(_MAIN.format(package="package"))
    return tmp_path


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), cwd=folder, capture_output=True, text=True, env=environment(None)
    )


@pytest.mark.parametrize(
    "words",
    [("--entry", "main.py"), ("-m", "package.train")],
    ids=["a script of the project", "a module"],
)
def test_a_finding_in_a_module_is_settled_by_running_the_program(
    words: tuple[str, str], project: Path
) -> None:
    options = ("--output-format", "json", "--extend-select", "ZG901", "--jobs", "1")
    done = run_in(project, "verify", *options, *words, "package", "--", "--count", "5")
    settled = json.loads(done.stdout)
    assert done.returncode == 1, done.stdout + done.stderr
    assert [(Path(each["path"]).name, each["verdict"]) for each in settled] == [
        ("loop.py", "CONFIRMED")
    ]
    assert "with the fix it differs from step 2" in settled[0]["evidence"]


def test_a_module_is_audited(project: Path) -> None:
    done = run_in(project, "audit", "-m", "package.train", "--count", "5")
    assert done.returncode == 1, done.stderr
    assert "stale" in done.stdout
    assert "loop.py:10" in done.stdout


def test_options_that_only_the_program_knows_are_given_to_it(project: Path) -> None:
    done = run_in(project, "audit", "main.py", "--count", "5")
    assert done.returncode == 1, done.stderr
    assert "note: given to the program: --count 5" in done.stderr


def test_what_the_program_prints_is_shown_unless_it_must_be_quiet(tmp_path: Path) -> None:
    script = tmp_path / "says.py"
    script.write_text("print('epoch', 1)\nimport torch\n" + _BY_HAND)
    assert "epoch 1" in run("audit", "--steps", "3", script).stderr
    quiet = run("audit", "--quiet", "--steps", "3", script)
    assert "epoch 1" not in quiet.stderr + quiet.stdout


def test_steps_end_a_loop_without_an_optimizer(tmp_path: Path) -> None:
    script = tmp_path / "by_hand.py"
    script.write_text(_BY_HAND)
    done = run("audit", "--steps", "7", script)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no gradient bug was seen in 7 steps" in done.stdout
    assert "stopped as asked" in done.stdout


def test_a_program_reads_standard_input_when_asked(tmp_path: Path) -> None:
    script = tmp_path / "reads.py"
    script.write_text("print('read', input())\n" + _BY_HAND)
    words = command("audit", "--stdin", "--steps", "3", script)
    done = subprocess.run(words, input="typed in\n", capture_output=True, text=True)
    assert "read typed in" in done.stderr


def test_a_program_that_wants_to_be_asked_says_how(tmp_path: Path) -> None:
    script = tmp_path / "reads.py"
    script.write_text("import torch\ninput()\n")
    done = run("audit", script)
    assert done.returncode == 2
    assert "reads.py:2; it reads standard input: let it, with --stdin\n" in done.stdout
    script.write_text("import torch\nfrom . import loop\n")
    done = run("audit", script)
    assert done.returncode == 2
    assert "it is a module of a package: run it with -m package.module\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--steps", "0"), "--steps: must be a whole number of at least 1"),
        (("--timeout", "-1"), "--timeout: must be a number above 0"),
        (("--report", "nowhere/page.html"), "--report: no such folder: nowhere"),
    ],
)
@pytest.mark.parametrize("name", ["audit", "verify"])
def test_a_wrong_option_is_refused_before_anything_is_run(
    tmp_path: Path, name: str, words: tuple[str, str], said: str
) -> None:
    script = tmp_path / "runs.py"
    script.write_text("open('was_run', 'w')\n")
    done = run_in(tmp_path, name, *words, "runs.py")
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "was_run").exists()


def test_a_folder_is_run_by_its_main_file(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    done = run_in(tmp_path, "audit", "app")
    assert done.returncode == 2
    assert "app: a folder without a __main__.py: name a script in it" in done.stderr
    (folder / "__main__.py").write_text(f"{_LOOP}\ntrain(5)\n")
    done = run_in(tmp_path, "audit", "app")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "app/__main__.py:10: stale" in done.stdout


def notebook_of(tmp_path: Path, *sources: str) -> Path:
    cells = [
        {"cell_type": "code", "source": each, "metadata": {}, "outputs": [], "execution_count": 1}
        for each in sources
    ]
    notebook = tmp_path / "train.ipynb"
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    notebook.write_text(json.dumps(document))
    return notebook


_IMPORTS, _DEFINITION = _LOOP.split("\n\n", 1)
_CELLS = (f"%matplotlib inline\n{_IMPORTS}", _DEFINITION.lstrip("\n"), "train(5)")


def test_a_notebook_is_run_as_one_program(tmp_path: Path) -> None:
    notebook = notebook_of(tmp_path, *_CELLS)
    done = run("verify", "--output-format", "json", "--jobs", "1", notebook)
    assert done.returncode == 1, done.stdout + done.stderr
    (settled,) = json.loads(done.stdout)
    assert (settled["cell"], settled["line"], settled["verdict"]) == (2, 6, "CONFIRMED")


def test_the_audit_of_a_notebook_names_its_cells(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("import sys\nprint('given', sys.argv[1:])\n")
    indented = "    import beside\n    assert __name__ == '__main__'"
    done = run("audit", notebook_of(tmp_path, *_CELLS, indented), "--lr", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "train.ipynb:cell 2:6: stale: SGD.step()" in done.stdout
    assert "given ['--lr', '1']" in done.stderr


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = = 1", "train.ipynb:cell 2:1: cannot parse: invalid syntax"),
        ("\n1 / 0", "crashed after 0 steps: ZeroDivisionError: division by zero at "),
    ],
)
def test_a_notebook_that_cannot_be_run_is_no_success(
    tmp_path: Path, source: str, said: str
) -> None:
    done = run("audit", "-q", notebook_of(tmp_path, "import torch", source))
    assert done.returncode == 2
    assert said in done.stdout
    assert "train.ipynb:cell 2:" in done.stdout


_RANKS = """\
import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

distributed.init_process_group("gloo")
net = DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
distributed.destroy_process_group()
"""


@pytest.mark.parametrize(("name", "said"), [("audit", "stale"), ("verify", "CONFIRMED")])
def test_what_torchrun_starts_is_seen(name: str, said: str, tmp_path: Path) -> None:
    """By the command that the documentation shows for it."""
    (words,) = [words for words in map(words_of, WITH_TORCHRUN) if words[0] == name]
    (tmp_path / "train.py").write_text(_RANKS)
    done = run_in(tmp_path, *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stdout
