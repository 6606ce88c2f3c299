"""The files of a project get the same findings, word for word, however they are handed over."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from flake8.main.application import Application

from tests.fixture_files import copied_projects
from zerograd_lint.check.reading import UNDERSTOOD
from zerograd_lint.cli.main import main
from zerograd_lint.project.library import LIBRARY
from zerograd_lint.syntax.parsed_before import PARSED

CHECK = ("check", "--isolated", "--quiet", "--no-cache", "--output-format=json", "--select=ALL")
Found = list[dict[str, object]]


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_projects(tmp_path_factory.mktemp("projects"))


@pytest.fixture
def files(projects: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All files of the projects, in whose folder the test then works."""
    monkeypatch.chdir(projects)
    return sorted(str(path.relative_to(projects)) for path in projects.rglob("*.py"))


def forget() -> None:
    """As in a new process: nothing has been read before."""
    LIBRARY.__init__()  # type: ignore[misc]
    PARSED.__init__()  # type: ignore[misc]
    UNDERSTOOD.__init__(UNDERSTOOD.most)  # type: ignore[misc]


def printed(run: Callable[[list[str]], object], *arguments: str) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(stream):
        run([*arguments])
        stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def reported(*arguments: str) -> Found:
    """Every finding with its message, its fix and its related lines."""
    found: Found = json.loads(printed(main, *CHECK, *arguments))
    return sorted(found, key=lambda each: json.dumps(each, sort_keys=True))


def test_alone_and_from_standard_input(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    together = reported("-j1", ".")
    assert {each["code"] for each in together} > {"ZG001", "ZG002"}
    assert any("run from here" in str(each["message"]) for each in together)
    for name in files:
        expected = [each for each in together if each["filename"] == name]
        forget()
        assert reported("-j1", name) == expected
        forget()
        data = io.BytesIO(Path(name).read_bytes())
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(data, encoding="utf-8"))
        assert reported("--stdin-filename", name, "-") == expected


@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_and_number_of_processes(seed: int, files: list[str]) -> None:
    chance = random.Random(seed)
    together = reported("-j1", ".")
    some = chance.sample(files, len(files) // (seed + 1))
    forget()
    found = reported(f"-j{chance.choice((1, 2))}", *some)
    assert found == [each for each in together if each["filename"] in some]


def test_cached_by_others(files: list[str], tmp_path: Path) -> None:
    """What one run keeps, another takes up: in another order, with another number of processes."""
    together = reported("-j1", ".")
    halves = files[::2], files[1::2]
    for jobs, names in ((2, halves[0]), (1, files[::-1]), (2, files)):
        forget()
        options = [word for word in CHECK[1:] if word != "--no-cache"]
        output = printed(main, "check", *options, "--cache-dir", str(tmp_path), f"-j{jobs}", *names)
        found = sorted(json.loads(output), key=lambda each: json.dumps(each, sort_keys=True))
        assert found == [each for each in together if each["filename"] in names]


def test_by_flake8(files: list[str]) -> None:
    """Its plugin sees one file after the other, in whichever order flake8 takes them."""
    words = ("check", "--isolated", "--quiet", "--no-cache", "-j1", "--output-format=concise")
    by_command = [line.replace(" [*]", "", 1) for line in printed(main, *words, ".").splitlines()]
    forget()
    by_flake8 = printed(Application().run, "--isolated", "--select=ZG", "-j1", *files)
    assert sorted(by_flake8.splitlines()) == sorted(line for line in by_command if ": ZG" in line)
