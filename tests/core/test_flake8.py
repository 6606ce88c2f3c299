"""The real flake8, with the plugin installed, says what the API says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixture_files import ROOT, expected, one_in, programs
from zerograd_lint import Settings, check_source

BUGGY = """\
import torch

net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(4, 8, 2):
    "é"; net(x).mean().backward(); opt.step()
"""


def flake8(*arguments: str, stdin: str | None = None, cwd: Path | None = None) -> list[str]:
    command = [sys.executable, "-m", "flake8", "--isolated", "--select=ZG", "--jobs=1", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd)
    assert done.stderr == ""
    return done.stdout.splitlines()


def lines_of(path: Path, settings: Settings) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [
        f"{path}:{f.line}:{f.column}: {f.code} {f.message}"
        for f in check_source(text, str(path), settings=settings)
    ]


@pytest.mark.parametrize(("jobs", "number"), [("1", 4), ("2", 16)])
def test_fixtures_line_for_line(jobs: str, number: int) -> None:
    default = one_in(number, sorted(ROOT.glob("ZG[01]*/*.py")))
    printed = flake8(f"--jobs={jobs}", *map(str, default))
    announced = {(str(path), line, code) for path in default for line, code in expected(path)}
    parsed = {
        (m[1], int(m[2]), m[3])
        for m in (re.fullmatch(r"(.+?):(\d+):\d+: (ZG\d+) .+", line) for line in printed)
        if m
    }
    assert parsed == announced
    assert len(printed) == len(announced)
    api = [line for path in default for line in lines_of(path, Settings())]
    assert sorted(printed) == sorted(api)


def test_opt_in_rules_run_only_when_asked_for() -> None:
    opt_in = [path for path in programs("ZG9") if expected(path)]
    assert flake8(*map(str, opt_in)) == []
    for folder in sorted({path.parent for path in opt_in}):
        code = folder.name[:5]
        paths = [path for path in opt_in if path.parent == folder]
        api = [line for path in paths for line in lines_of(path, Settings(extend_select=(code,)))]
        assert flake8(f"--zerograd-select={code}", *map(str, paths)) == api
        assert len(api) == sum(len(expected(path)) for path in paths)


def test_stdin_and_columns_behind_other_letters(tmp_path: Path) -> None:
    printed = flake8("--stdin-display-name=unsaved.py", "-", stdin=BUGGY)
    assert [line.partition(" ")[0] for line in printed] == ["unsaved.py:6:36:"]


def test_noqa_and_per_file_ignores(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BUGGY.replace("opt.step()", "opt.step()  # noqa: ZG001"))
    (tmp_path / "b.py").write_text(BUGGY)
    assert [line[:5] for line in flake8(".", cwd=tmp_path)] == ["./b.p"]
    assert flake8("--per-file-ignores=b.py:ZG001", ".", cwd=tmp_path) == []


def test_a_syntax_error_in_one_file_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nloss.backward(\nopt.step()")
    (tmp_path / "b.py").write_text(BUGGY)
    assert [line.split(":")[0] for line in flake8(".", cwd=tmp_path)] == ["./b.py"]


def test_what_goes_wrong_in_one_file_is_said_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import zerograd_lint.check.engine
    from zerograd_lint.flake8_plugin import Plugin

    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(zerograd_lint.check.engine, "check_with_dependencies", broken)
    import ast

    (said,) = Plugin(ast.parse(BUGGY), "a.py", BUGGY.splitlines(True)).run()
    assert said[2] == "ZG000 internal error, please report it: RuntimeError: two lines"


def test_options_survive_spawned_workers() -> None:
    """flake8 hands options to spawned workers by parsing them again in each."""
    opt_in = next(path for path in programs("ZG904") if expected(path))
    code = (
        "import multiprocessing, sys; multiprocessing.set_start_method('spawn', force=True);"
        "from flake8.main.cli import main;"
        "sys.exit(main(sys.argv[1:]))"
    )
    twice = [str(opt_in), str(opt_in.parent)]
    arguments = ["--isolated", "--select=ZG", "--jobs=2", "--zerograd-select=ZG904", *twice]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.stderr == ""
    assert "ZG904" in done.stdout
