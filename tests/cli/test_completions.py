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


ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -d ./dump; source ./script
compadd() {
    local -a found; builtin compadd -O found "$@"
    [[ -n $found ]] && print -rl -- $found >> ./found; builtin compadd "$@"
}
bindkey "^I" complete-word; : > ./found; print ready > ./ready'
while [[ ! -s ./ready ]]; do sleep 0.1; done
zpty -w -n shell "$1"$'\t'
zpty -w -n shell $'\C-u'"print done > ./done"$'\n'
while [[ ! -s ./done ]]; do sleep 0.1; done
sort -u ./found
"""

WORDS = pytest.mark.parametrize(
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


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@WORDS
def test_bash_completes(words: str, completed: list[str]) -> None:
    line = ["zerograd-lint", *words.split()]
    script = (
        f"{SCRIPTS['bash']()}\nCOMP_WORDS=({' '.join(line)}); COMP_CWORD={len(line) - 1}\n"
        '_zerograd_lint; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == completed


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@WORDS
def test_fish_completes(project: Path, words: str, completed: list[str]) -> None:
    (project / "script").write_text(SCRIPTS["fish"]())
    command = ["fish", "-c", f'source script; complete -C "zerograd-lint {words}"']
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == completed


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@WORDS
def test_zsh_completes(project: Path, words: str, completed: list[str]) -> None:
    """In a terminal of its own, as zsh completes nowhere else; what it lists is read back."""
    (project / "script").write_text(SCRIPTS["zsh"]())
    (project / "driver").write_text(ZSH)
    command = ["zsh", "-f", "driver", f"zerograd-lint {words}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert sorted(done.stdout.split()) == completed


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
