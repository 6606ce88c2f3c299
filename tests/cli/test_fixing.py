"""`--fix` and `--diff` change exactly what they say, in every kind of file, or nothing."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zerograd_lint.files.replace_file import replace_file

from .conftest import BUGGY, FIXED, Lint

FIX = ("--fix", "--unsafe-fixes")
ACCENTS = "éü"


def _encoded(text: str) -> dict[str, tuple[bytes, bytes]]:
    """(before, after) for each way to write the same program down."""
    crlf = BUGGY.replace("\n", "\r\n").encode(), FIXED.replace("\n", "\r\n").encode()
    latin = f"# -*- coding: latin-1 -*-\n# {text}\n"
    no_newline = BUGGY.removesuffix("\n").encode(), FIXED.removesuffix("\n").encode()
    return {
        "plain.py": (BUGGY.encode(), FIXED.encode()),
        "crlf.py": crlf,
        "cr.py": (crlf[0].replace(b"\n", b""), crlf[1].replace(b"\n", b"")),
        "bom.py": (b"\xef\xbb\xbf" + BUGGY.encode(), b"\xef\xbb\xbf" + FIXED.encode()),
        "latin.py": ((latin + BUGGY).encode("latin-1"), (latin + FIXED).encode("latin-1")),
        "no_newline.py": no_newline,
        "form_feed.py": (b"\x0c\n" + BUGGY.encode(), b"\x0c\n" + FIXED.encode()),
    }


def test_every_encoding_and_line_end_survives_the_fix(lint: Lint, project: Path) -> None:
    files = _encoded(ACCENTS)
    for name, (before, _) in files.items():
        (project / name).write_bytes(before)
    run = lint("check", *FIX, ".")
    assert (run.status, run.lines) == (0, [])
    assert run.summary == [f"Found {len(files)} errors ({len(files)} fixed, 0 remaining)."]
    for name, (_, after) in files.items():
        assert (project / name).read_bytes() == after, name


def test_no_fix_is_offered_for_a_text_that_libcst_would_change(lint: Lint, project: Path) -> None:
    text = BUGGY.replace("import torch", "\x0cimport torch", 1)
    (project / "a.py").write_text(text)
    run = lint("check", *FIX, ".")
    assert run.status == 1
    assert [line.split()[1] for line in run.lines] == ["ZG001"]
    assert "[*]" not in run.out
    assert "call optimizer.zero_grad() before the backward" in run.out
    assert (project / "a.py").read_text() == text


def test_mixed_line_ends_stay_mixed(lint: Lint, project: Path) -> None:
    lines = BUGGY.encode().split(b"\n")
    mixed = b"\r\n".join(lines[:5]) + b"\r\n" + b"\n".join(lines[5:])
    (project / "mixed.py").write_bytes(mixed)
    assert lint(*FIX).status == 0
    after = (project / "mixed.py").read_bytes()
    added = b"        optimizer.zero_grad()"
    assert [line for line in after.splitlines(True) if added not in line] == mixed.splitlines(True)
    assert added in after


def test_diff_shows_the_change_and_makes_none(lint: Lint, project: Path) -> None:
    files = _encoded("x")
    for name, (before, _) in files.items():
        (project / name).write_bytes(before)
    run = lint("--diff", "--unsafe-fixes", "plain.py")
    assert run.status == 1
    assert "--- plain.py\n+++ plain.py\n" in run.out
    assert "\n+        optimizer.zero_grad()\n" in run.out
    assert "Would fix 1 finding; 0 would remain." in run.err
    assert lint("--diff", "--unsafe-fixes", ".").status == 1
    for name, (before, _) in files.items():
        assert (project / name).read_bytes() == before
    (project / "fine.py").write_text(FIXED)
    assert (
        lint("--diff", "--unsafe-fixes", "fine.py").status,
        lint("--diff", "--unsafe-fixes", "fine.py").out,
    ) == (0, "")


def test_the_diff_can_be_applied_with_patch(lint: Lint, buggy: Path) -> None:
    diff = lint("--diff", "--unsafe-fixes", "train.py").out
    subprocess.run(["patch", "-s", "train.py"], input=diff, text=True, check=True)
    assert buggy.read_text() == FIXED


def test_a_fix_for_standard_input_goes_to_standard_output(lint: Lint) -> None:
    crlf = BUGGY.replace("\n", "\r\n").encode()
    run = lint(*FIX, "--stdin-filename", "a.py", "-", stdin=crlf)
    assert run.out.encode() == FIXED.replace("\n", "\r\n").encode()
    assert run.status == 0
    untouched = lint(*FIX, "-", stdin=b"print(1)\r\n")
    assert untouched.out == "print(1)\r\n"
    assert lint(
        "--diff", "--unsafe-fixes", "--stdin-filename", "a.py", "-", stdin=BUGGY.encode()
    ).out.startswith("--- a.py\n")


def test_what_noqa_or_a_baseline_silences_is_not_fixed(lint: Lint, buggy: Path) -> None:
    silenced = BUGGY.replace("step()", "step()  # noqa: ZG001")
    buggy.write_text(silenced)
    assert lint(*FIX).status == 0
    assert buggy.read_text() == silenced
    buggy.write_text(BUGGY)
    assert lint("--write-baseline", "known.json").status == 0
    assert lint(*FIX, "--baseline", "known.json").status == 0
    assert lint(*FIX, "--per-file-ignores", "train.py:ZG001").status == 0
    assert buggy.read_text() == BUGGY


def test_a_read_only_file_keeps_its_finding_and_content(lint: Lint, buggy: Path) -> None:
    buggy.chmod(0o444)
    Path("other.py").write_text(BUGGY)
    run = lint(*FIX)
    assert run.status == 2
    assert [line.split()[1] for line in run.lines] == ["ZG000", "ZG001"]
    assert "read-only" in run.out
    assert buggy.read_text() == BUGGY
    assert Path("other.py").read_text() == FIXED


def test_mode_and_links_are_kept(lint: Lint, project: Path) -> None:
    real = project / "real.py"
    real.write_text(BUGGY)
    real.chmod(0o755)
    link = project / "link.py"
    link.symlink_to("real.py")
    assert lint(*FIX, "link.py").status == 0
    assert link.is_symlink()
    assert real.read_text() == FIXED
    assert stat.S_IMODE(real.stat().st_mode) == 0o755


def test_a_file_that_changes_meanwhile_is_left_alone(project: Path) -> None:
    path = project / "a.py"
    path.write_bytes(b"someone's newer work")
    with pytest.raises(OSError, match="changed while"):
        replace_file(str(path), b"fixed", expected=b"what was read")
    assert path.read_bytes() == b"someone's newer work"


def test_a_failing_disk_leaves_the_old_file_and_no_litter(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / "a.py"
    path.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(str(path), b"new", expected=b"old")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in project.iterdir()] == ["a.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_kill_in_the_middle_never_loses_a_file(project: Path) -> None:
    names = [f"m{number:03}.py" for number in range(150)]
    for name in names:
        (project / name).write_text(BUGGY)
    command = [sys.executable, "-m", "zerograd_lint", "check", *FIX, "-j", "2", "."]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while (project / names[10]).read_text() == BUGGY and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    contents = [(project / name).read_text() for name in names]
    assert set(contents) <= {BUGGY, FIXED}
    assert FIXED in contents


def test_unsafe_fixes_need_to_be_asked_for(lint: Lint, buggy: Path) -> None:
    assert lint("--fix").status == 1
    assert buggy.read_text() == BUGGY
    diff = lint("--diff")
    assert (diff.status, diff.out) == (0, "")
    assert "1 would remain (1 fixable with --unsafe-fixes)." in diff.err
    full = lint("--output-format", "full").out
    assert "\n1 hidden fix: look with --diff --unsafe-fixes, then " in full
    assert lint("--fix", "--unsafe-fixes").status == 0
    assert buggy.read_text() == FIXED


def test_safe_fixes_need_no_permission(lint: Lint, project: Path) -> None:
    fixtures = Path(__file__).parents[2] / "fixtures" / "ZG003_unguarded_grad_zero"
    bad = next(path for path in sorted(fixtures.glob("bad_*.fixed.py")))
    path = project / "a.py"
    path.write_bytes(bad.with_name(bad.name.replace(".fixed", "")).read_bytes())
    assert lint("--select", "ZG003").status == 1
    assert lint("--select", "ZG003", "--fix").status == 0
    assert path.read_bytes() == bad.read_bytes()


def test_configuration_can_ask_for_fixes(lint: Lint, buggy: Path) -> None:
    Path("pyproject.toml").write_text("[tool.zerograd-lint]\nfix = true\nunsafe-fixes = true\n")
    assert lint().status == 0
    assert buggy.read_text() == FIXED
