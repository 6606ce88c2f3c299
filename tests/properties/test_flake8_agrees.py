"""flake8 and the command say the same about any program, line for line, comments included."""

from __future__ import annotations

import contextlib
import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from flake8.main.application import Application
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.training_programs import program
from zerograd_lint.cli.main import main

COMMENTS = (
    "# noqa",
    "# NOQA",
    "# noqa: ZG001",
    "# noqa:ZG0,E501",
    "# noqa : ZG001",
    "# noqa: ZG002, ZG004 and more",
    "# noqa: E501",
    "# nothing to see, noqa",
    "# é # noqa: ZG001, ZG004",
)
FIRST_LINES = ("", "", "", "# flake8: noqa", "#!/usr/bin/env python", "# -*- coding: utf-8 -*-")
FLAKE8 = ("--isolated", "--select=ZG", "-j1")
COMMAND = ("check", "--isolated", "--no-cache", "-j1", "--output-format=concise", "--quiet")


def decorated(seed: int) -> str:
    """A training program with comments that silence, and the layout of somebody else."""
    chance = random.Random(seed)
    lines = program(seed).split("\n")
    for number, line in enumerate(lines):
        if line.endswith("()") and chance.random() < 0.3:
            indent = line[: len(line) - len(line.lstrip())]
            lines[number] = chance.choice(
                (
                    f"{line}  {chance.choice(COMMENTS)}",
                    f"{indent}print('é'); {line.strip()}",
                    f"{indent}{chance.choice(COMMENTS)}\n{line}",
                    f"{indent}print('''\n{chance.choice(COMMENTS)}\n'''); {line.strip()}",
                    f"{indent}print(); \\\n{line}  {chance.choice(COMMENTS)}",
                )
            )
    text = "\n".join(filter(None, [chance.choice(FIRST_LINES), *lines]))
    return chance.choice((str, _tabs, _windows, _marked))(text + "\n")


def _tabs(text: str) -> str:
    return text.replace("    ", "\t")


def _windows(text: str) -> str:
    return text.replace("\n", "\r\n")


def _marked(text: str) -> str:
    return "\ufeff" + text


@contextlib.contextmanager
def folder_of(texts: list[str]) -> Iterator[None]:
    """Work in a folder that holds these files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        for number, text in enumerate(texts):
            Path(name, f"train_{number:03}.py").write_bytes(text.encode())
        os.chdir(name)
        try:
            yield
        finally:
            os.chdir(before)


def printed(run: Callable[[list[str]], object], *arguments: str) -> list[str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(stream):
        run([*arguments])
        stream.flush()
    return _findings(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]


def _findings(output: str) -> list[str]:
    lines = (line.replace(" [*]", "", 1) for line in output.splitlines() if ": ZG" in line)
    return sorted(line.removeprefix("./") for line in lines)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 10**9), min_size=10, max_size=10, unique=True))
def test_programs_with_comments(seeds: list[int]) -> None:
    texts = [decorated(seed) for seed in seeds]
    with folder_of(texts):
        by_flake8 = printed(Application().run, *FLAKE8, ".")
        assert printed(main, *COMMAND, ".") == by_flake8, texts


def test_a_bracket_silences_more_here_and_nothing_less() -> None:
    """flake8 reads a comment for its own line only, the command for the whole statement."""
    texts = [
        program(seed).replace(".step()", f".step(  {first}\n        )  {second}")
        for seed, first, second in zip(
            range(200, 227), COMMENTS * 3, COMMENTS[::-1] * 3, strict=True
        )
    ]
    with folder_of(texts):
        by_flake8 = printed(Application().run, *FLAKE8, ".")
        by_command = printed(main, *COMMAND, ".")
    assert set(by_command) < set(by_flake8)
    assert by_command


def test_a_folder_of_many_from_outside() -> None:
    texts = [decorated(seed) for seed in range(120)]
    with folder_of(texts):
        outputs = []
        for command in (("flake8", *FLAKE8, "."), ("zerograd_lint", *COMMAND, ".")):
            done = subprocess.run(
                [sys.executable, "-m", *command], capture_output=True, encoding="utf-8", timeout=300
            )
            assert "Traceback" not in done.stderr, done.stderr
            outputs.append(_findings(done.stdout))
    by_flake8, by_command = outputs
    assert by_flake8 == by_command
    silenced = sum("noqa" in text for text in texts)
    assert len(by_command) > 20 and silenced > 20
