"""Projects that are too large, that cannot be read, or that only seem to hold a module."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from zerograd_lint import Settings, check_source
from zerograd_lint.check.project_gate import ProjectGate
from zerograd_lint.project import known_files
from zerograd_lint.project.finder import Finder
from zerograd_lint.project.known_files import KnownFiles, remembering

STEP = "def step(model, optimizer):\n    model(1).backward()\n    optimizer.step()\n"
METHOD = STEP.replace("(model", "(self, model").splitlines()
LOOP = """\
import torch
{imports}
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(8):
    step(model, optimizer)
"""


def found_in(path: Path) -> list[str]:
    return [each.code for each in check_source(path.read_text(), str(path), settings=Settings())]


def test_ten_thousand_modules_are_not_looked_at(tmp_path: Path) -> None:
    for number in range(10_000):
        (tmp_path / f"m{number}.py").write_text(f"from m{(number + 1) % 10_000} import *\n" + STEP)
    main = tmp_path / "main.py"
    main.write_text(LOOP.format(imports="from m0 import step"))
    assert found_in(main) == ["ZG001"]
    gate = ProjectGate()
    assert gate.may_run_training(str(main), main.read_bytes(), ())
    assert len(gate.considered_modules(str(main), main.read_bytes(), ())) < 50


def test_a_file_that_imports_everything_ends_in_not_known(tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(2_000)]
    for name in names:
        (tmp_path / f"{name}.py").write_text("")
    main = tmp_path / "main.py"
    main.write_text(LOOP.format(imports="\n".join(f"from {name} import *" for name in names)))
    assert found_in(main) == []


@pytest.mark.parametrize("names", ["*", "step"])
def test_a_thousand_packages_that_hand_on_a_name_end_in_not_known(
    names: str, tmp_path: Path
) -> None:
    for number in range(1_000):
        (tmp_path / f"p{number}").mkdir()
        passed_on = f"from p{number + 1} import {names}\n"
        (tmp_path / f"p{number}" / "__init__.py").write_text(passed_on)
    (tmp_path / "p1000.py").write_text(STEP)
    main = tmp_path / "main.py"
    main.write_text(LOOP.format(imports="from p0 import step"))
    ProjectGate().may_run_training(str(main), main.read_bytes(), ())
    assert found_in(main) == []


def test_packages_in_a_circle_say_the_same_whichever_is_asked_first(tmp_path: Path) -> None:
    for name, others in {"a": ["b"], "b": ["a", "c"], "c": ["engine"]}.items():
        (tmp_path / name).mkdir()
        imports = "".join(f"from {other} import *\n" for other in others)
        (tmp_path / name / "__init__.py").write_text(imports)
    (tmp_path / "engine.py").write_text(STEP)
    mains = [tmp_path / "first.py", tmp_path / "second.py"]
    for main, package in zip(mains, "ab", strict=True):
        main.write_text(LOOP.format(imports=f"from {package} import step"))
    for order in (mains, mains[::-1]):
        gate = ProjectGate()
        assert all(gate.may_run_training(str(main), main.read_bytes(), ()) for main in order)


def test_classes_that_inherit_in_a_circle_of_files_are_survived(tmp_path: Path) -> None:
    for name, other in zip("abc", "bca", strict=True):
        text = f"from {other} import {other.upper()}\nclass {name.upper()}({other.upper()}):\n"
        (tmp_path / f"{name}.py").write_text(text + "".join(f"    {line}\n" for line in METHOD))
    main = tmp_path / "main.py"
    made = "from a import A\nstep = A().step"
    main.write_text(LOOP.format(imports=made))
    assert found_in(main) == []


@pytest.mark.skipif(sys.platform == "win32", reason="makes links and pipes")
@pytest.mark.parametrize("kind", ["link to itself", "link out", "pipe", "folder", "null bytes"])
def test_what_cannot_be_read_is_not_known(kind: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    (tmp_path / "outside.py").write_text(STEP)
    engine, main = project / "engine.py", project / "main.py"
    match kind:
        case "link to itself":
            engine.symlink_to(engine)
        case "link out":
            engine.symlink_to(tmp_path / "outside.py")
        case "pipe":
            os.mkfifo(engine)
        case "folder":
            engine.mkdir()
        case _:
            engine.write_bytes(b"\0" * 100 + STEP.encode())
    main.write_text(LOOP.format(imports="from engine import step"))
    assert found_in(main) == []


@pytest.mark.parametrize("more", ["print 'old'\n", "x = 1\n" * 20_000, "(" * 500], ids=len)
def test_what_a_module_clears_that_cannot_be_parsed_is_not_known(more: str, tmp_path: Path) -> None:
    clear = "def clear(optimizer):\n    optimizer.zero_grad()\n"
    (tmp_path / "helpers.py").write_text(clear + more)
    main = tmp_path / "main.py"
    text = LOOP.format(imports=f"from helpers import clear\n{STEP}") + "    clear(optimizer)\n"
    main.write_text(text)
    assert found_in(main) == []
    (tmp_path / "helpers.py").write_text(clear.replace("zero_grad", "state_dict"))
    assert found_in(main) == ["ZG001"]


def test_a_link_inside_the_project_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text(STEP)
    (tmp_path / "engine.py").symlink_to(tmp_path / "real.py")
    main = tmp_path / "main.py"
    main.write_text(LOOP.format(imports="from engine import step"))
    assert found_in(main) == ["ZG001"]


def test_a_file_checked_through_a_link_finds_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "__init__.py").touch()
    (tmp_path / "real" / "engine.py").write_text(STEP)
    (tmp_path / "real" / "main.py").write_text(LOOP.format(imports="from .engine import step"))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert found_in(tmp_path / "link" / "main.py") == ["ZG001"]


def test_names_that_differ_in_case_are_different(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the file system does not tell them apart, Python does."""
    (tmp_path / "engine.py").write_text(STEP)
    plain = os.lstat
    monkeypatch.setattr(known_files.sys, "platform", "darwin")
    monkeypatch.setattr(known_files.os, "lstat", lambda path: plain(str(path).lower()))
    if str(tmp_path) == str(tmp_path).lower():
        assert KnownFiles().is_file(str(tmp_path / "engine.py"), str(tmp_path))
    assert not KnownFiles().is_file(str(tmp_path / "Engine.py"), str(tmp_path))


def test_a_run_asks_once_for_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine.py").write_text(STEP)
    asked: list[str] = []
    plain = os.lstat

    def counted(path: str) -> os.stat_result:
        asked.append(Path(path).name)
        return plain(path)

    monkeypatch.setattr(known_files.os, "lstat", counted)
    with remembering():
        for _ in range(3):
            assert Finder(str(tmp_path / "main.py")).absolute("engine") is not None
    assert asked.count("engine.py") == 1
    # Outside of a run a module may appear at any time.
    assert Finder(str(tmp_path / "main.py")).absolute("later") is None
    (tmp_path / "later.py").touch()
    assert Finder(str(tmp_path / "main.py")).absolute("later") is not None


@pytest.mark.parametrize("in_lines", [True, False])
def test_a_notebook_is_read_with_the_module_it_imports(in_lines: bool, tmp_path: Path) -> None:
    from zerograd_lint.check.document import open_document

    (tmp_path / "engine.py").write_text(STEP)
    text = LOOP.format(imports="from engine import step")
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": part.splitlines(keepends=True) if in_lines else part,
        }
        for part in ("%matplotlib inline", text)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "train.ipynb"
    path.write_text(json.dumps(notebook))
    assert ProjectGate().may_run_training(str(path), path.read_bytes(), ())
    document = open_document("notebook", path.read_bytes(), str(path), Settings())
    assert [each.code for each in document.check(document.text)] == ["ZG001"]
