"""Every option of `zerograd-lint check`, through the command itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import BUGGY, FIXED, STEP_LINE, Lint


def test_a_finding_is_one_line_and_status_one(lint: Lint, buggy: Path) -> None:
    run = lint("check", "train.py")
    assert run.status == 1
    assert run.codes() == ["train.py:9 ZG001"]
    assert run.lines[0].startswith("train.py:9:9: ZG001 optimizer.step() ")
    assert run.err == ""


def test_the_command_may_be_left_out(lint: Lint, buggy: Path) -> None:
    assert lint("train.py").out == lint("check", "train.py").out
    assert lint("--select", "ZG002", "train.py").status == 0


def test_the_default_path_is_the_current_folder(lint: Lint, buggy: Path) -> None:
    assert lint("check").codes() == ["train.py:9 ZG001"]
    assert lint().codes() == ["train.py:9 ZG001"]


def test_clean_files_pass(lint: Lint, project: Path) -> None:
    (project / "fine.py").write_text(FIXED)
    (project / "other.py").write_text("print('no training here')\n")
    run = lint("check", ".")
    assert (run.status, run.out, run.err) == (0, "All checks passed!\n", "")
    quiet = lint("check", "-q", ".")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")


def test_as_a_module_in_a_process_of_its_own(project: Path, buggy: Path) -> None:
    command = [sys.executable, "-m", "zerograd_lint", "check", "train.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("train.py:9:9: ZG001 ")


def test_stdin_needs_no_file(lint: Lint) -> None:
    run = lint("check", "-", stdin=BUGGY.encode())
    assert run.status == 1
    assert run.codes() == ["-:9 ZG001"]
    named = lint("check", "--stdin-filename", "src/a.py", "-", stdin=BUGGY.encode())
    assert named.codes() == ["src/a.py:9 ZG001"]


def test_stdin_stands_alone(lint: Lint, buggy: Path) -> None:
    run = lint("check", "-", "train.py", stdin=b"")
    assert run.status == 2
    assert "cannot be combined" in run.err


def test_select_and_ignore(lint: Lint, buggy: Path) -> None:
    assert lint("--select", "ZG001").status == 1
    assert lint("--select", "ZG0").status == 1
    assert lint("--select", "ALL").status == 1
    assert lint("--select", "ZG002,ZG003").status == 0
    assert lint("--ignore", "ZG001").status == 0
    assert lint("--ignore", "ALL").status == 0
    assert lint("--select", "ZG002", "--extend-select", "ZG001").status == 1
    assert lint("--ignore", "ZG", "--select", "ZG001").status == 1


def test_an_unknown_selector_is_an_error_with_a_hint(lint: Lint, buggy: Path) -> None:
    run = lint("--select", "ZG02")
    assert run.status == 2
    assert "unknown rule selector 'ZG02'; did you mean 'ZG" in run.err
    assert lint("--ignore", "E501").status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--select", ""), "--select: names no rule"),
        (("--jobs", "0"), "-j/--jobs: must be a whole number of at least 1, not '0'"),
        (("--jobs", "two"), "-j/--jobs: must be a whole number of at least 1, not 'two'"),
        (("--file-timeout", "soon"), "--file-timeout: must be a number above 0, not 'soon'"),
        (("--write-baseline", "missing/known.json"), "no such folder: missing"),
        (("--output-file", "missing/report"), "no such folder: missing"),
        (("--output-file", "."), "error: .: Is a directory"),
        (("--explain", "missing.py:3"), "error: missing.py: No such file or directory"),
    ],
)
def test_a_wrong_value_is_said_in_plain_words(
    lint: Lint, buggy: Path, words: tuple[str, ...], said: str
) -> None:
    run = lint(*words)
    assert run.status == 2
    assert said in run.err


def test_per_file_ignores(lint: Lint, project: Path) -> None:
    (project / "tests").mkdir()
    (project / "tests" / "a.py").write_text(BUGGY)
    (project / "b.py").write_text(BUGGY)
    assert lint(".", "--per-file-ignores", "tests/*:ZG001").codes() == ["b.py:9 ZG001"]
    assert lint(".", "--per-file-ignores", "tests/:ZG002,ZG001,b.py:ZG0").status == 0
    assert lint(".", "--per-file-ignores", "ZG001").status == 2


def test_excludes(lint: Lint, project: Path) -> None:
    for name in ("a.py", "old/b.py", "venv/c.py", "node_modules/d.py"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(BUGGY)
    assert lint().codes() == ["a.py:9 ZG001", "old/b.py:9 ZG001"]
    assert lint("--extend-exclude", "old").codes() == ["a.py:9 ZG001"]
    assert lint("--exclude", "old,a.py").codes() == [
        "node_modules/d.py:9 ZG001",
        "venv/c.py:9 ZG001",
    ]


def test_force_exclude_holds_for_named_files(lint: Lint, project: Path) -> None:
    (project / "old").mkdir()
    (project / "old" / "b.py").write_text(BUGGY)
    assert lint("old/b.py", "--extend-exclude", "old").status == 1
    assert lint("old/b.py", "--extend-exclude", "old", "--force-exclude").status == 0
    assert lint("old", "--extend-exclude", "old", "--force-exclude").status == 0


def test_gitignore_is_respected_unless_told_otherwise(lint: Lint, buggy: Path) -> None:
    Path(".gitignore").write_text("train.py\n")
    assert lint().status == 0
    assert lint("--no-respect-gitignore").status == 1
    assert lint("train.py").status == 1


def test_isolated_reads_no_configuration(lint: Lint, buggy: Path) -> None:
    Path("pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
    assert lint().status == 0
    assert lint("--isolated").status == 1


def test_statistics_count_by_rule(lint: Lint, buggy: Path) -> None:
    Path("second.py").write_text(BUGGY)
    run = lint("--statistics")
    assert run.status == 1
    assert run.lines == ["2  ZG001  [ ]  missing-zero-grad"]
    assert lint("--statistics", "--unsafe-fixes").lines == ["2  ZG001  [*]  missing-zero-grad"]
    rows = json.loads(lint("--statistics", "--unsafe-fixes", "--output-format", "json").out)
    assert rows == [{"code": "ZG001", "name": "missing-zero-grad", "count": 2, "fixable": 2}]


def test_exit_zero_hides_findings_but_not_problems(lint: Lint, buggy: Path) -> None:
    assert lint("--exit-zero").status == 0
    Path("broken.py").write_text("import torch\nloss.backward(\nopt.step()\n")
    run = lint("--exit-zero")
    assert run.status == 2
    assert [line.split()[1] for line in run.lines] == ["ZG000", "ZG001"]


def test_quiet_and_verbose(lint: Lint, buggy: Path) -> None:
    full = lint("--output-format", "full")
    quiet = lint("--output-format", "full", "--quiet")
    assert "Found 1 error." in full.out
    assert "Found" not in quiet.out
    verbose = lint("--verbose")
    assert "files: 1, of which 1 can train" in verbose.err
    assert "cache: " in verbose.err


def test_output_file(lint: Lint, buggy: Path) -> None:
    run = lint("--output-format", "json", "-o", "report.json")
    assert (run.status, run.out) == (1, "")
    assert json.loads(Path("report.json").read_text())[0]["code"] == "ZG001"


def test_add_noqa_silences_everything(lint: Lint, buggy: Path) -> None:
    run = lint("--add-noqa")
    assert run.status == 0
    assert "Added 1 noqa comment." in run.err
    assert buggy.read_text() == BUGGY.replace("step()", "step()  # noqa: ZG001")
    assert lint().status == 0


def test_jobs_keep_the_order(lint: Lint, project: Path) -> None:
    for number in range(12):
        (project / f"m{number:02}.py").write_text(BUGGY)
    alone = lint("-j", "1", "--no-cache")
    together = lint("--jobs", "3", "--no-cache")
    assert len(alone.lines) == 12
    assert alone.out == together.out
    assert lint("-j", "0").status == 2


def test_version(lint: Lint) -> None:
    from zerograd_lint import __version__

    for arguments in (["--version"], ["-V"], ["check", "--version"]):
        run = lint(*arguments)
        assert (run.status, run.out) == (0, f"zerograd-lint {__version__}\n")


@pytest.mark.parametrize("command", ["", "check", "rule", "rules", "audit", "verify"])
def test_help_fits_a_terminal_and_shows_an_example(lint: Lint, command: str) -> None:
    run = lint(*([command] if command else []), "--help")
    assert run.status == 0
    assert "example" in run.out
    assert max(map(len, run.lines)) <= 80


def test_usage_errors_end_with_status_two(lint: Lint) -> None:
    for arguments in (["--no-such-option"], ["check", "--output-format", "pdf"], ["nowhere.py"]):
        assert lint(*arguments).status == 2


def test_colours_obey_the_environment(
    lint: Lint, buggy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[" not in lint("--output-format", "full").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in lint("--output-format", "full").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in lint("--output-format", "full").out


def test_a_file_named_twice_is_checked_once(lint: Lint, buggy: Path) -> None:
    assert lint("train.py", ".", "./train.py").codes() == ["train.py:9 ZG001"]


def test_a_closed_pipe_is_no_crash(buggy: Path) -> None:
    for number in range(200):
        Path(f"m{number}.py").write_text(BUGGY)
    done = subprocess.run(
        f"'{sys.executable}' -m zerograd_lint check --no-cache . | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_a_bug_of_ours_ends_with_status_two(
    lint: Lint, buggy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("zerograd_lint.report.render", broken)
    run = lint()
    assert run.status == 2
    assert "please report it" in run.err


def test_file_timeout_must_be_a_time(lint: Lint) -> None:
    assert lint("--file-timeout", "0").status == 2
    assert lint("--file-timeout", "5").status == 0


def test_explain_gives_the_argument_of_a_finding_and_of_silence(lint: Lint, buggy: Path) -> None:
    run = lint("--explain", f"{buggy.name}:{STEP_LINE}")
    assert run.status == 1
    assert run.lines[0].startswith(f"{buggy.name}:{STEP_LINE}: ZG001 ")
    assert all(": yes: " in line or "? yes: " in line for line in run.lines[1:])
    buggy.write_text(FIXED)
    run = lint("--explain", f"{buggy.name}:{STEP_LINE + 1}")
    assert run.status == 0
    assert "not reported" in run.lines[0]
    assert run.lines[-1].endswith("no: it is zeroed on line 8")
    assert "these lines: 10" in lint("--explain", f"{buggy.name}:1").out
    assert lint("--explain", buggy.name).status == 2
    buggy.write_text(buggy.read_text(encoding="utf-8") + "x = (\n", encoding="utf-8")
    run = lint("--explain", f"{buggy.name}:{STEP_LINE}")
    assert run.status == 2
    assert "cannot parse" in run.err
