"""A small project in an empty folder, and the command line run in it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from zerograd_lint.cli.main import main

BUGGY = """\
import torch


def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
"""
FIXED = BUGGY.replace(
    "        loss.backward()", "        optimizer.zero_grad()\n        loss.backward()"
)
SUMMARY = re.compile(
    r"Found \d+ errors?\b|Fixed \d+ error|All checks passed!$|\[\*\] \d+ fixable with "
    r"|\d+ hidden fix|\d+ problems? kept "
)
STEP_LINE, STEP_COLUMN = 9, 9


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What was printed, without the summary at the end."""
        return [line for line in self.out.splitlines() if not SUMMARY.match(line)]

    @property
    def summary(self) -> list[str]:
        return [line for line in self.out.splitlines() if SUMMARY.match(line)]

    def codes(self) -> list[str]:
        """`file:line CODE` of every concise line."""
        found = []
        for line in self.lines:
            place, _, rest = line.partition(": ")
            found.append(f"{place.rpartition(':')[0]} {rest.split()[0]}")
        return found


Lint = Callable[..., Run]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a home and a cache of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "ZEROGRAD_LINT_CACHE_DIR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def lint(
    project: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Lint:
    """Run the real command line in this process."""

    def run(*arguments: str, stdin: bytes | None = None) -> Run:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        try:
            status = main(list(arguments))
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else 2
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Run(status, out.decode("utf-8"), err.decode("utf-8"))

    return run


@pytest.fixture
def buggy(project: Path) -> Path:
    """`train.py` with one missing zero_grad."""
    path = project / "train.py"
    path.write_text(BUGGY)
    return path
