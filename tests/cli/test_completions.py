"""Shell completions and the manual page, both written from the parsers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from zerograd_lint.cli.completion_command import SCRIPTS
from zerograd_lint.cli.man_page import man_page

from .conftest import Lint


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_shell_accepts_its_script(lint: Lint, project: Path, shell: str) -> None:
    run = lint("generate-shell-completion", shell)
    assert run.status == 0
    assert "exit-non-zero-on-fix" in run.out
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (project / "script").write_text(run.out)
    assert subprocess.run([shell, "-n", "script"], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("ver", ["verify"]),
        ("check --fix-", ["--fix-only"]),
        ("check --output-format js", ["json", "json-lines"]),
        ("rules --output-format js", ["json"]),
        ("--fix-", ["--fix-only"]),
        ("--output-format gith", ["github"]),
        ("rule --al", ["--all"]),
        ("audit --rep", ["--report"]),
        ("check tra", []),
    ],
)
def test_bash_completes(words: str, completed: list[str]) -> None:
    line = ["zerograd-lint", *words.split()]
    script = (
        f"{SCRIPTS['bash']()}\nCOMP_WORDS=({' '.join(line)}); COMP_CWORD={len(line) - 1}\n"
        '_zerograd_lint; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == completed


def test_the_manual_page_names_every_option_of_check(project: Path) -> None:
    page = man_page()
    for option in ("--select", "--documents", "--fix-only"):
        assert f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in page
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    (project / "zerograd-lint.1").write_text(page)
    command = ["man", "--warnings=mac", "-l", "./zerograd-lint.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "EXIT STATUS" in done.stdout
