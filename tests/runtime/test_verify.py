"""`verify` lints, runs the program with and without each fix, and settles each finding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import leftovers, processes_in, run

_STALE = """\
import sys
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 4)
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
"""
_STEP = "    optimizer.step()\n"
_BACKWARD = "    loss.backward()\n"
_VARYING = _STALE.replace("torch.manual_seed(0)", "torch.manual_seed(time.time_ns() % 10**9)")
_VARYING = "import time\n" + _VARYING
_GUARDED = _STALE.replace(_STEP, "    if len(sys.argv) > 1:\n        optimizer.step()\n")
_SCRIPTS = {
    "stale": _STALE,
    "steps_once": _STALE.replace("range(6)", "range(int('1'))"),
    "guarded": _GUARDED,
    "hardly_stale": _STALE.replace("range(6)", "range(2)").replace(
        _BACKWARD, "    (loss * (1e-4 if step == 0 else 1)).backward()\n"
    ),
    "dies_before": _STALE.replace(
        _STEP, "    if step == 0:\n        raise ValueError('no')\n" + _STEP
    ),
    "varies": _VARYING,
    "varies_elsewhere": _VARYING.replace(_BACKWARD, "    optimizer.zero_grad\n" + _BACKWARD),
    "draws_new_seeds": "import random\nimport numpy\n"
    + _STALE.replace(
        "torch.manual_seed(0)",
        "torch.seed(); random.seed(); numpy.random.seed()\n"
        "data = numpy.random.default_rng().normal(size=(6, 8, 4)) + numpy.random.rand()",
    ).replace("torch.randn(8, 4)", "torch.from_numpy(data[step]).float() + random.random()"),
    "comes_late": _STALE.replace(_STEP, "    optimizer.step()\n    optimizer.zero_grad()\n")
    + _STALE.partition("torch.manual_seed(0)\n")[2],
    "crashes_by_it": _STALE.replace(
        _BACKWARD, _BACKWARD + "    optimizer.zero_grad()\n    float(net.weight.grad.norm())\n"
    ),
    "none_crash": _STALE.replace(
        _BACKWARD, "    for p in net.parameters():\n        p.grad.zero_()\n" + _BACKWARD
    ),
    "scaler_is_off": _STALE.replace(
        _BACKWARD,
        "    optimizer.zero_grad()\n    scaler.scale(loss).backward()\n"
        "    torch.nn.utils.clip_grad_norm_(net.parameters(), 1)\n",
    )
    .replace(_STEP, "    scaler.step(optimizer)\n    scaler.update()\n")
    .replace(
        "for step", "scaler = torch.amp.GradScaler('cpu', enabled=bool(sys.argv[9:]))\nfor step"
    ),
    "right": _STALE + "    optimizer.zero_grad()\n",
    "imports_a_helper": "from shapes import WIDTH\n" + _STALE.replace("Linear(4", "Linear(WIDTH"),
    "shapes": "WIDTH = 4\n",
}
_LATIN = "# -*- coding: latin-1 -*-\nassert len('é') == 1\n" + _STALE
"""Read in any other encoding, it fails."""

Verdicts = dict[str, list[tuple[str, str, str]]]


def verify(folder: Path, *words: str | Path) -> tuple[int, Verdicts]:
    temporary = folder / "temporary"
    temporary.mkdir()
    before = {path: path.read_bytes() for path in folder.glob("*.py")}
    done = run("verify", "--output-format", "json", "--jobs", "1", *words, temporary=temporary)
    assert before == {path: path.read_bytes() for path in folder.glob("*.py")}
    assert not leftovers(temporary)
    assert not processes_in(temporary)
    found: Verdicts = {}
    for each in json.loads(done.stdout):
        entry = (each["code"], each["verdict"], each["evidence"])
        found.setdefault(Path(each["path"]).stem, []).append(entry)
    return done.returncode, found


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Verdicts]:
    """All scripts in one run."""
    folder = tmp_path_factory.mktemp("scripts")
    for name, text in _SCRIPTS.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "latin.py").write_bytes(_LATIN.encode("latin-1"))
    return verify(folder, folder, "--steps", "5")


def test_something_confirmed_gives_status_1(verified: tuple[int, Verdicts]) -> None:
    assert verified[0] == 1


def test_a_real_bug_is_confirmed_by_both_instruments(verified: tuple[int, Verdicts]) -> None:
    ((code, verdict, evidence),) = verified[1]["stale"]
    assert (code, verdict) == ("ZG001", "CONFIRMED")
    assert "stale in 4 of 5 steps" in evidence
    assert "with the fix it differs from step 2" in evidence


@pytest.mark.parametrize(
    ("script", "code", "verdict", "said"),
    [
        ("steps_once", "ZG001", "REFUTED", "the same gradients"),
        ("guarded", "ZG001", "NOT REACHED", "not executed"),
        ("hardly_stale", "ZG001", "NEGLIGIBLE", "only"),
        ("dies_before", "ZG001", "INCONCLUSIVE", "ValueError: no"),
        ("varies", "ZG001", "CONFIRMED", "two runs of the program differ"),
        ("draws_new_seeds", "ZG001", "CONFIRMED", "with the fix it differs from step 2"),
        ("comes_late", "ZG001", "CONFIRMED", "with the fix it differs from step 2"),
        ("varies_elsewhere", "ZG005", "CONFIRMED", "with the fix nothing of it is seen"),
        ("crashes_by_it", "ZG002", "CONFIRMED", "with the fix it does not"),
        ("none_crash", "ZG003", "CONFIRMED", ".grad was None"),
        ("imports_a_helper", "ZG001", "CONFIRMED", "stale in 4 of 5 steps"),
        ("scaler_is_off", "ZG101", "INCONCLUSIVE", "its GradScaler was switched off"),
        ("latin", "ZG001", "CONFIRMED", "with the fix it differs from step 2"),
    ],
)
def test_every_verdict(
    script: str, code: str, verdict: str, said: str, verified: tuple[int, Verdicts]
) -> None:
    found = verified[1].get(script, [])
    settled = [entry for entry in found if entry[0] == code]
    assert settled, found
    assert settled[0][1] == verdict, settled
    assert said in settled[0][2]


def test_a_right_program_has_nothing_to_settle(verified: tuple[int, Verdicts]) -> None:
    assert "right" not in verified[1]


def test_arguments_reach_the_script(tmp_path: Path) -> None:
    script = tmp_path / "guarded.py"
    script.write_text(_GUARDED)
    status, found = verify(tmp_path, script, "--", "go")
    assert status == 1
    assert found["guarded"][0][1] == "CONFIRMED"


def test_a_hang_is_killed_and_said(tmp_path: Path) -> None:
    script = tmp_path / "hangs.py"
    pause = "    time.sleep(600 if step == 1 else 0)\n"
    script.write_text("import time\n" + _STALE.replace(_STEP, pause + _STEP))
    status, found = verify(tmp_path, script, "--timeout", "4")
    assert status == 2
    (settled,) = found["hangs"]
    assert settled[1] == "INCONCLUSIVE"
    assert "killed at the time limit" in settled[2]


def test_a_crash_is_shown_as_python_shows_it(tmp_path: Path) -> None:
    script = tmp_path / "dies_before.py"
    script.write_text(_SCRIPTS["dies_before"])
    said = run("verify", "--jobs", "1", script).stdout
    assert "ValueError: no" in said
    assert f'File "{script}", line' in said
    assert "fork_server" not in said


@pytest.mark.parametrize(
    "silenced",
    [
        _STALE.replace("optimizer.step()", "optimizer.step()  # noqa: ZG001"),
        "# zerograd-lint: skip-file\n" + _STALE,
    ],
    ids=["noqa", "skip-file"],
)
def test_what_a_comment_silences_is_not_verified(tmp_path: Path, silenced: str) -> None:
    script = tmp_path / "silenced.py"
    script.write_text(silenced)
    assert verify(tmp_path, script) == (0, {})


def test_what_the_configuration_ignores_is_not_verified(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.zerograd-lint.per-file-ignores]\n'ignored.py' = ['ZG001']\n"
    )
    script = tmp_path / "ignored.py"
    script.write_text(_STALE)
    assert verify(tmp_path, script) == (0, {})


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import torch\nloss.backward(\noptimizer.step()\n")
    done = run("verify", broken)
    assert done.returncode == 2
    assert "broken.py" in done.stderr
    assert run("verify", tmp_path / "nowhere.py").returncode == 2
