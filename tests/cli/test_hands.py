"""The command line as hands know it from other linters: summaries, hints, warnings, aliases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zerograd_lint import __version__
from zerograd_lint.cli.colour_choice import wants_color

from .conftest import BUGGY, FIXED, Lint

SAFE = (
    "import torch\nw = torch.zeros(1, requires_grad=True)\nfor _ in range(3):\n"
    "    w.grad.zero_()\n    (w * w).sum().backward()\n    w.data -= w.grad\n"
)


def test_the_summary_counts_what_was_fixed_and_what_is_left(lint: Lint, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    (project / "b.py").write_text(BUGGY)
    assert lint().summary == [
        "Found 2 errors.",
        "[*] 1 fixable with --fix, 1 more with --unsafe-fixes.",
    ]
    run = lint("--fix")
    assert run.summary[0] == "Found 2 errors (1 fixed, 1 remaining)."
    assert run.summary[1].startswith("1 hidden fix: look with --diff --unsafe-fixes, ")
    (project / "a.py").write_text(SAFE)
    everything = lint("--fix", "--unsafe-fixes")
    assert everything.summary == ["Found 2 errors (2 fixed, 0 remaining)."]
    assert lint().summary == ["All checks passed!"]


def test_a_star_marks_what_the_flags_given_would_fix(lint: Lint, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    (project / "b.py").write_text(BUGGY)
    for form in ("concise", "full"):
        starred = [f"ZG00{code} [*]" for code in (1, 3)]
        assert [star in lint("--output-format", form).out for star in starred] == [False, True]
        both = lint("--output-format", form, "--unsafe-fixes").out
        assert [star in both for star in starred] == [True, True]


@pytest.mark.parametrize("form", ["json", "github", "sarif", "gitlab", "junit", "rdjson"])
def test_a_fix_is_never_silent(lint: Lint, buggy: Path, form: str) -> None:
    run = lint("--fix", "--unsafe-fixes", "--output-format", form)
    assert buggy.read_text() == FIXED
    assert run.err == "Fixed 1 error.\n"
    assert "Found" not in run.out


def test_fix_only_reports_nothing_else(lint: Lint, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    (project / "b.py").write_text(BUGGY)
    run = lint("--fix-only")
    assert (run.status, run.out.splitlines()[0]) == (0, "Fixed 1 error, 1 remaining.")
    assert run.lines == []
    assert lint("--fix-only", "--unsafe-fixes").status == 0
    assert (project / "b.py").read_text() == FIXED


def test_exit_non_zero_on_fix(lint: Lint, buggy: Path) -> None:
    flags = ("--fix", "--unsafe-fixes", "--exit-non-zero-on-fix")
    assert lint(*flags).status == 1
    assert lint(*flags).status == 0


@pytest.mark.parametrize("other", ["--fix", "--fix-only", "--diff"])
def test_noqa_comments_are_not_added_while_fixing(lint: Lint, buggy: Path, other: str) -> None:
    run = lint("--add-noqa", other)
    assert run.status == 2
    assert f"--add-noqa cannot be combined with {other}" in run.err
    assert buggy.read_text() == BUGGY


def test_a_path_without_python_is_warned_about(lint: Lint, project: Path) -> None:
    (project / "empty").mkdir()
    (project / "notes.txt").write_text("nothing")
    run = lint("empty")
    assert (run.status, run.out) == (0, "All checks passed!\n")
    assert run.err == "warning: no Python files or notebooks found below empty\n"
    assert lint("-q", "empty").err == ""
    assert lint("").status == 2
    missing = lint("nowhere/train.py")
    assert missing.status == 2
    assert missing.lines == ["nowhere/train.py:1:1: ZG000 No such file or directory"]


def test_a_mistyped_command_gets_a_hint(lint: Lint, buggy: Path) -> None:
    run = lint("chekc", "train.py")
    assert run.status == 2
    assert run.err == "error: there is no command and no path 'chekc'; did you mean 'check'?\n"
    Path("chekc").mkdir()
    assert lint("chekc", "train.py").status == 1


def test_explain_is_rule_and_help_knows_commands(lint: Lint) -> None:
    assert lint("explain", "ZG001").out == lint("rule", "ZG001").out
    assert lint("help", "check").out == lint("check", "--help").out


@pytest.mark.parametrize(
    ("choice", "variables", "terminal", "colored"),
    [
        ("auto", {}, False, False),
        ("auto", {}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, False, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colours(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    variables: dict[str, str],
    terminal: bool,
    colored: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert wants_color(choice, terminal) is colored


def test_color_reaches_every_report_for_people(lint: Lint, buggy: Path) -> None:
    for form in ("concise", "full"):
        assert "\x1b[" in lint("--color", "always", "--output-format", form).out
        assert "\x1b[" not in lint("--color", "never", "--output-format", form).out


def test_show_files(lint: Lint, buggy: Path) -> None:
    Path("b.py").write_text("")
    Path("notes.md").write_text("")
    run = lint("--show-files")
    assert (run.status, run.out) == (0, "b.py\ntrain.py\n")
    assert lint("--show-files", "--exclude", "b.py").out == "train.py\n"
    assert lint("--show-files", "missing").status == 2


def test_show_settings_is_a_table_that_can_be_read(lint: Lint, buggy: Path) -> None:
    import tomllib

    Path("pyproject.toml").write_text(
        '[tool.zerograd-lint]\nignore = ["ZG003"]\njobs = 2\n'
        '[tool.zerograd-lint.per-file-ignores]\n"tests/*" = ["ZG001"]\n'
    )
    out = lint("--show-settings", "--extend-select", "ZG901").out
    assert f"# file: {Path('pyproject.toml').resolve()}\n" in out
    rules = next(line for line in out.splitlines() if line.startswith("# rules: "))
    assert "ZG901" in rules
    assert "ZG003" not in rules
    assert tomllib.loads(out) == {
        "ignore": ["ZG003"],
        "extend-select": ["ZG901"],
        "jobs": 2,
        "per-file-ignores": {"tests/*": ["ZG001"]},
    }


def test_config_names_a_file_or_one_setting(lint: Lint, buggy: Path) -> None:
    Path("pyproject.toml").write_text('[tool.zerograd-lint]\nignore = ["ZG001"]\n')
    Path("ours.toml").write_text('select = ["ZG001"]\n')
    Path("other").mkdir()
    Path("other/pyproject.toml").write_text('[tool.zerograd-lint]\nselect = ["ZG002"]\n')
    assert lint().status == 0
    assert lint("--config", "ours.toml").status == 1
    assert lint("--config", "other/pyproject.toml").status == 0
    assert lint("--config", "ignore = []").status == 1
    assert lint("--config", "ours.toml", "--config", "select=['ZG002']").status == 0
    assert lint("--config", "select=['ZG002']", "--select", "ZG001").status == 1
    for wrong, reason in (
        ("missing.toml", "cannot read missing.toml"),
        ("ignore = [", "--config ignore = ["),
        ("colour = 1", "unknown key 'colour'"),
    ):
        run = lint("--config", wrong)
        assert run.status == 2
        assert reason in run.err
    assert lint("--isolated", "--config", "ours.toml").status == 2
    assert lint("--isolated", "--config", "ignore=['ZG001']").status == 0


def test_a_projects_own_words_can_stand_on_the_command_line(lint: Lint, buggy: Path) -> None:
    text = BUGGY.replace("        loss.b", "        clear(optimizer)\n        loss.b")
    buggy.write_text(text.replace("import torch", "import torch\nfrom ours import clear"))
    assert lint("--config", "zeroing-helpers=['clear']").status == 0


@pytest.mark.parametrize(
    ("required", "good"),
    [
        (__version__, True),
        (f"=={__version__}", True),
        (">=0.1", True),
        (">=0.1,<0.2", True),
        ("~=0.1.0", True),
        ("==0.1.*", True),
        ("!=0.1.*", False),
        ("~=0.2", False),
        (">=99", False),
        ("<0.1", False),
        ("newest", False),
    ],
)
def test_a_project_can_require_a_version(
    lint: Lint, buggy: Path, required: str, good: bool
) -> None:
    Path("pyproject.toml").write_text(f'[tool.zerograd-lint]\nrequired-version = "{required}"\n')
    run = lint()
    assert run.status == (1 if good else 2)
    assert good or required in run.err


def test_json_has_no_summary(lint: Lint, buggy: Path) -> None:
    assert len(json.loads(lint("--output-format", "json").out)) == 1
