"""Adding a rule or an idiom takes the steps that CONTRIBUTING.md names, and nothing else.

Each step is done in a copy of the project, which is then used through its command line.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
COPIED = ("zerograd_lint", "fixtures", "docs", "tests", "README.md", "CHANGELOG.md")

RULE = '''
from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Read
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from .rule import Line, Rule


class ClippedGradient(Rule):
    """
    ## What it does

    Finds gradients that are clipped.

    ## Why is this bad?

    It is not: this rule shows how one is added.

    ## Fix safety

    There is no fix: take the clipping out where it is not wanted.
    """

    code = "ZG990"
    name = "clipped-gradient"
    summary = "gradients are clipped"
    on_by_default = False
    proof = "differs"
    example = "clipped_to_nothing"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for event in analysis.events:
            if isinstance(event, Read) and event.through:
                yield Report(event, "gradients are clipped on this line")
'''
MODULE = "zg990_clipped_gradient.py"
FOLDER = "ZG990_clipped_gradient"
RIGHT = '''\
"""A straight line through noise."""

import torch
from torch import nn

torch.manual_seed(0)
inputs = torch.randn(32, 4)
targets = inputs.sum(dim=1, keepdim=True)

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(5):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), targets).backward()
    optimizer.step()
'''
CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), 1e-3)"
WRONG = RIGHT.replace("    optimizer.step()", f"{CLIP}  # expect: ZG990\n    optimizer.step()")
# No other rule has anything to do with this function: only the whole file holds the clip.
CLIP_ONLY = (
    "import torch\n\n\ndef clip(net, loss):\n    loss.backward()\n"
    "    torch.nn.utils.clip_grad_norm_(net.parameters(), 1)\n    return net.weight.grad\n"
)

IDIOMS = """\
    "pour_gradients": (Idiom(Effect.DEPOSIT, On.EVERYTHING),),
    "drop_gradients": (Idiom(Effect.ZERO, On.RECEIVER),),
    "advance": (Idiom(Effect.CONSUME, On.RECEIVER, Thing.OPTIMIZER),),
"""
LOOP = """\
import torch
from launchers import Launcher

launcher = Launcher()
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(8, 16, 4):
    {}
"""
PROGRAMS = {
    "bad_deposit.py": ("launcher.pour_gradients(model(batch).mean())", "optimizer.step()"),
    "bad_consume.py": ("model(batch).mean().backward()", "optimizer.advance()"),
    "bad_zero.py": (
        "model(batch).mean().backward()",
        "optimizer.drop_gradients()",
        "optimizer.step()",
    ),
    "ok_all.py": (
        "launcher.pour_gradients(model(batch).mean())",
        "optimizer.advance()",
        "optimizer.drop_gradients()",
    ),
}


class Copy:
    """A copy of the project, and its command line."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in COPIED:
            source = PROJECT / name
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "programs")
                shutil.copytree(source, root / name, ignore=ignored)
            else:
                shutil.copy(source, root / name)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *words: str, status: int = 0) -> str:
        """What a Python command says in this copy, which must end with this status."""
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root), "HOME": str(self.root / "home")},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    def lint(self, *words: str, status: int = 0) -> str:
        return self.run("-m", "zerograd_lint", *words, status=status)

    def found(self, *words: str, status: int = 1) -> list[tuple[str, int, str]]:
        """File, line and code of every finding."""
        shown = self.lint("check", "--no-cache", "--output-format", "json", *words, status=status)
        return [
            (Path(each["filename"]).name, each["location"]["row"], each["code"])
            for each in json.loads(shown)
        ]


@pytest.fixture(scope="module")
def with_rule(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    copy = Copy(tmp_path_factory.mktemp("rule"))
    copy.write(f"zerograd_lint/rules/{MODULE}", RULE)
    copy.write(f"fixtures/{FOLDER}/bad_clipped_to_nothing.py", WRONG)
    copy.write(f"fixtures/{FOLDER}/ok_clipped_to_nothing.py", RIGHT)
    copy.write(
        f"fixtures/{FOLDER}/bad_clipped_to_nothing.message.txt",
        "gradients are clipped on this line\n",
    )
    copy.run("docs/generate.py")
    return copy


def test_a_rule_fires(with_rule: Copy) -> None:
    folder = f"fixtures/{FOLDER}"
    line = WRONG.partition(CLIP)[0].count("\n") + 1
    expected = [("bad_clipped_to_nothing.py", line, "ZG990")]
    assert with_rule.found("--extend-select", "ZG990", folder) == expected
    assert with_rule.found(folder, status=0) == []


def test_a_rule_that_names_no_needs_sees_what_no_other_rule_needs(with_rule: Copy) -> None:
    with_rule.write("clip.py", CLIP_ONLY)
    assert with_rule.found("--select", "ZG990", "clip.py") == [("clip.py", 6, "ZG990")]


def test_a_rule_appears_in_lists_and_documents(with_rule: Copy) -> None:
    assert "ZG990  off       clipped-gradient" in with_rule.lint("rules")
    page = with_rule.lint("rule", "ZG990")
    assert "## Use instead" in page
    assert CLIP + "\n" in page
    documents = with_rule.root / "docs" / "rules"
    assert (documents / "ZG990.md").read_text(encoding="utf-8").endswith(page)
    assert "| [ZG990](ZG990.md) | clipped-gradient |" in (documents / "README.md").read_text()
    row = "| [ZG990](docs/rules/ZG990.md) | gradients are clipped | no | no |\n"
    assert row in (with_rule.root / "README.md").read_text(encoding="utf-8")


def test_the_tests_read_a_rule_and_its_fixtures(with_rule: Copy) -> None:
    tests = [f"tests/core/test_{name}.py" for name in ("rules", "fixtures", "messages")]
    chosen = "ZG990 or test_every or test_codes"
    said = with_rule.run("-m", "pytest", "-p", "no:cacheprovider", *tests, "-k", chosen)
    assert " passed" in said


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="the proof runs torch")
def test_the_proof_holds_a_rule_to_its_fixtures(with_rule: Copy) -> None:
    words = ("verify", "--expect", "--jobs", "1")
    said = with_rule.lint(*words, f"fixtures/{FOLDER}").splitlines()
    assert [line.split()[:2] for line in said[:2]] == [["CONFIRMED", "ZG990"], ["CLEAN", "ZG990"]]


def test_an_idiom_is_one_entry(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    for name, body in PROGRAMS.items():
        copy.write(f"sample/{name}", LOOP.format("\n    ".join(body)))
    assert copy.found("sample", status=0) == []
    calls = copy.root / "zerograd_lint" / "vocabulary" / "calls.py"
    head, table, rest = calls.read_text(encoding="utf-8").partition(
        "METHODS: dict[str, tuple[Idiom, ...]] = {\n"
    )
    calls.write_text(head + table + IDIOMS + rest, encoding="utf-8")
    assert copy.found("sample") == [
        ("bad_consume.py", 9, "ZG001"),
        ("bad_deposit.py", 9, "ZG001"),
        ("bad_zero.py", 9, "ZG002"),
    ]
