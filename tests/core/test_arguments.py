"""Every default finding rests on an argument that consists of yes, and silence has its reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_files import expected, label, programs, settings_for
from zerograd_lint import Settings
from zerograd_lint.argument import Question, Verdict, holds
from zerograd_lint.check.explain import Explanation, explain
from zerograd_lint.check.gate import can_train
from zerograd_lint.check.project_gate import may_run_training

HEAD = "import torch\nnet = torch.nn.Linear(3, 1)\n"
LOOP = "for x in batches:\n    net(x).mean().backward()\n    optimizer.step()\n"
TORCHS = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"


def explained(path: Path) -> list[Explanation]:
    text = path.read_text(encoding="utf-8")
    settings = settings_for(path)
    if not can_train(text) and not may_run_training(str(path), text, settings):
        return []
    return explain(text, str(path), settings)


@pytest.mark.parametrize("path", programs(), ids=label)
def test_what_a_rule_says_is_made_of_yes(path: Path) -> None:
    found = explained(path)
    reported = {(one.line, one.code) for one in found if one.is_reported}
    assert reported == set(expected(path))
    for one in found:
        for answer in one.argument:
            assert answer.reason
        if one.is_reported:
            assert one.argument
            assert holds(one.argument)


def answer_to(question: Question, program: str) -> tuple[Verdict, str]:
    (explanation,) = explain(program, "<string>", Settings())
    (answer,) = [a for a in explanation.argument if a.question is question]
    return answer.verdict, answer.reason


def test_an_imported_factory_makes_what_is_not_known() -> None:
    made = "from elsewhere import make\noptimizer = make(net)\n"
    answer = answer_to(Question.OPTIMIZER, HEAD + made + LOOP)
    assert answer == (Verdict.NOT_KNOWN, "elsewhere.make is not read")
    answer = answer_to(Question.OPTIMIZER, HEAD + TORCHS + LOOP)
    assert answer == (Verdict.YES, "torch.optim.SGD makes it")


def test_a_zeroing_is_named_by_its_line() -> None:
    program = HEAD + TORCHS + LOOP + "    optimizer.zero_grad()\n"
    answer = answer_to(Question.UNCLEARED, program)
    assert answer == (Verdict.NO, "it is zeroed on line 7")


def test_without_a_loop_in_view_nothing_comes_round() -> None:
    step = "def step(net, optimizer, x):\n    net(x).mean().backward()\n    optimizer.step()\n"
    verdict, reason = answer_to(Question.REPEATED, f"import torch\n{step}")
    assert verdict is Verdict.NOT_KNOWN
    assert "no loop in view" in reason
