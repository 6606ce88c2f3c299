"""`verify --expect` proves every fixture, and notices when one of them stops being true."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import torch

from tests.fixture_files import one_in

from .command import run

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
_ZG001 = FIXTURES / "ZG001_missing_zero_grad"
_BAD, _FIXED, _OK = "bad_textbook_loop.py", "bad_textbook_loop.fixed.py", "ok_textbook_loop.py"


@pytest.mark.parametrize("device", ["cpu", "second", "cuda"])
def test_every_fixture_is_as_it_says(
    device: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch.cuda.is_available() is false on this machine")
    page = tmp_path / "report.html"
    programs = _programs() if device != "second" else _sample()
    done = run(
        *("verify", "--expect", "--device", device, "--output-format", "json"),
        *("--report", page, *programs),
        plugins=request.getfixturevalue("second_device") if device == "second" else None,
    )
    judgements = json.loads(done.stdout)
    wrong = [each for each in judgements if each["verdict"] == "FAILED"]
    assert done.returncode == 0, wrong
    assert not wrong
    assert {each["path"] for each in judgements} == set(map(str, programs))
    assert {(each["kind"], each["verdict"]) for each in judgements} <= {
        *(("bad", verdict) for verdict in ("CONFIRMED", "SKIPPED")),
        *((kind, verdict) for kind in ("fixed", "ok") for verdict in ("CLEAN", "SKIPPED")),
    }
    skipped = [each["evidence"] for each in judgements if each["verdict"] == "SKIPPED"]
    assert all("not installed" in each or "cannot be run there" in each for each in skipped)
    assert _BAD in page.read_text()


def _programs() -> list[Path]:
    """All fixtures; projects of several files have modules as well, which are no programs."""
    return [p for p in sorted(FIXTURES.rglob("*.py")) if p.name.startswith(("bad_", "ok_"))]


def _sample() -> list[Path]:
    """One shape in twelve, with its twins: the CPU runs all, and only tensors differ there."""
    programs = _programs()
    shapes = {_shape(path): path for path in programs}
    chosen = {*map(_shape, one_in(12, sorted(shapes.values()))), _shape(_ZG001 / _BAD)}
    return [path for path in programs if _shape(path) in chosen]


def _shape(path: Path) -> tuple[str, str]:
    stem = path.name.removesuffix(".py").removesuffix(".fixed")
    return path.parent.name, stem.partition("_")[2]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, tuple[str, str]]]:
    """Copies of three fixtures, broken in several ways and held to what they say in one run."""
    root = tmp_path_factory.mktemp("broken")

    def copy(case: str) -> Path:
        folder = root / case / _ZG001.name
        folder.mkdir(parents=True)
        for name in (_BAD, _FIXED, _OK):
            shutil.copy(_ZG001 / name, folder)
        return folder

    ok = copy("ok without zeroing") / _OK
    ok.write_text(replaced(ok, r"^.*zero_grad\(\).*\n", ""))
    bad = copy("bad with zeroing") / _BAD
    bad.write_text(replaced(bad, r"^( *)(\w+)\.step\(\)", r"\1\2.step(); \2.zero_grad()"))
    random = copy("bad at random") / _BAD
    at_random = "import time; torch.manual_seed(time.time_ns() % 10**9)"
    random.write_text(replaced(random, r"torch\.manual_seed\(0\)", at_random))
    others = copy("others")
    (others / _OK).write_text("import torch\nraise SystemExit(3)\n")
    (others / "bad_lonely.py").write_text((others / _BAD).read_text())
    (others / "ok_elsewhere.py").write_text("# requires: a_module_nobody_has\nimport torch\n")
    done = run("verify", "--expect", "--output-format", "json", "--jobs", "1", root)
    judgements = json.loads(done.stdout)
    return done.returncode, {
        f"{Path(each['path']).parts[-3]}/{Path(each['path']).name}": (
            each["verdict"],
            each["evidence"],
        )
        for each in judgements
    }


def replaced(path: Path, pattern: str, replacement: str) -> str:
    text = path.read_text()
    changed = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    assert changed != text
    return changed


@pytest.mark.parametrize(
    ("program", "verdict", "said"),
    [
        (f"ok without zeroing/{_OK}", "FAILED", "stale"),
        (f"ok without zeroing/{_BAD}", "CONFIRMED", "stale"),
        (f"ok without zeroing/{_FIXED}", "CLEAN", "steps"),
        (f"bad with zeroing/{_BAD}", "FAILED", "nothing of it was seen"),
        (f"bad at random/{_BAD}", "FAILED", "not repeatable"),
        (f"others/{_OK}", "FAILED", "exit code 3 after 0 steps"),
        ("others/bad_lonely.py", "FAILED", "neither a .fixed.py nor an ok_ twin"),
        ("others/ok_elsewhere.py", "SKIPPED", "needs a_module_nobody_has, not installed"),
    ],
)
def test_a_broken_fixture_is_noticed(
    program: str, verdict: str, said: str, broken: tuple[int, dict[str, tuple[str, str]]]
) -> None:
    status, found = broken
    assert status == 1
    assert found[program][0] == verdict, found[program]
    assert said in found[program][1]


def test_nothing_to_hold_is_an_error(tmp_path: Path) -> None:
    assert run("verify", "--expect", tmp_path / "nowhere").returncode == 2
