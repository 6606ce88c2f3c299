"""Leaving out what cannot matter changes no finding."""

from __future__ import annotations

import ast

import pytest

from tests.fixture_files import label, programs, settings_for
from zerograd_lint.check import engine, project_reading
from zerograd_lint.config.settings import DEFAULT, Settings
from zerograd_lint.prefilter import Selection, excerpt, relevant_part
from zerograd_lint.prefilter.excerpt import Excerpt
from zerograd_lint.prefilter.outline import Outline
from zerograd_lint.rules.registry import all_rules, enabled_rules, needs_of
from zerograd_lint.vocabulary.calls import Effect

EVERYTHING = Settings(select=("ALL",))
IDLE = '''
def one_line(x): return x

def long_signature(
    a,
    b=(1,
       2)) -> int:
    """Docstring with optimizer.step() in it."""
    return a \\
        + b

class Outer:
    """Speaks of loss.backward()."""

    class Inner:
        @property
        def value(self):
            @decorated
            def nested():
                text = """
not indented # at all
"""
                return text
            return nested

    async def wait(self):
        # a comment first
        pass
    def separator(self):
        return '\u2028'

class Documented:
    """Has one method, and nothing else."""

    def described(self):
        return 1

class Tabs:
\tdef tabs(self):
\t\treturn 1

if True:
    def conditional():
        yield 1
'''
PROGRAMS = list(programs())
HEAD = "import torch\noptimizer = torch.optim.SGD(net.parameters(), lr=1)\n"


def relevant(text: str, settings: Settings = DEFAULT) -> Excerpt | None:
    found = relevant_part(Outline(text), settings, needs_of(enabled_rules(settings)))
    return None if found is None else found.part


def whole(outline: Outline, *_: object) -> Selection:
    return Selection(frozenset(), excerpt.whole_file(outline.text))


@pytest.mark.parametrize("path", PROGRAMS, ids=label)
def test_findings_stay(path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    text = IDLE + path.read_text().replace("from __future__ import annotations\n", "")  # type: ignore[attr-defined]
    for settings in (settings_for(path), EVERYTHING):  # type: ignore[arg-type]
        with monkeypatch.context() as patch:
            pruned = engine.check(text, "a.py", settings)
            patch.setattr(project_reading, "relevant_part", whole)
            assert engine.check(text, "a.py", settings) == pruned


def functions(text: str, settings: Settings = DEFAULT) -> set[str]:
    """The functions of a file that are left with a body."""
    part = relevant(text, settings)
    if part is None:
        return set()
    return {
        node.name
        for node in ast.walk(ast.parse(part.text))
        if isinstance(node, ast.FunctionDef) and not isinstance(node.body[0], ast.Pass)
    }


def test_what_cannot_matter_goes() -> None:
    assert functions(IDLE + PROGRAMS[0].read_text()).isdisjoint(
        {"one_line", "long_signature", "nested", "value", "wait", "separator"}
    )


@pytest.mark.parametrize(
    "body",
    [
        '"""loss.backward(); optimizer.step()"""',
        "print('loss.backward(); optimizer.step()')",
        "self.step = self.grad_fn.backward",
        "loss.backward()",
        "optimizer.step()",
        "return p.grad",
    ],
)
def test_talk_of_gradients_is_not_enough(body: str) -> None:
    assert relevant(f"{HEAD}def f(self):\n    {body}\n") is None


def test_acts_that_never_meet_are_not_enough() -> None:
    apart = "def f(loss):\n    loss.backward()\n\ndef g():\n    optimizer.step()\n"
    assert relevant(HEAD + apart) is None
    together = apart + "\ndef h():\n    f(1)\n    g()\n"
    assert functions(HEAD + together) == {"f", "g", "h"}
    by_another_name = apart + "\ndef h():\n    q = g\n    f(1)\n    q()\n"
    assert functions(HEAD + by_another_name) == {"f", "g", "h"}


def test_a_method_is_run_through_its_instance() -> None:
    trainer = (
        "class Trainer:\n"
        "    def update(self):\n        self.optimizer.step()\n"
        "    def __call__(self, x):\n        self.optimizer.step()\n"
        "class Other:\n"
        "    def update(self):\n        return 1\n"
    )
    for call in ("trainer.update()", "trainer(x)"):
        known = f"def run(x):\n    trainer = Trainer()\n    x.backward()\n    {call}\n"
        assert "run" in functions(HEAD + trainer + known)
    unknown = "def run(x, other):\n    x.backward()\n    other.update()\n"
    assert relevant(HEAD + trainer + unknown) is None


def test_defining_a_class_does_not_run_its_constructor() -> None:
    text = (
        f"{HEAD}class Used:\n    def __init__(self):\n        self.used = 1\n"
        "class Idle:\n    def __init__(self):\n        self.idle = 1\n"
        "def train(x):\n    net = Used()\n    x.backward()\n    optimizer.step()\n"
    )
    part = relevant(text)
    assert part is not None
    assert "self.used" in part.text
    assert "self.idle" not in part.text
    listed = relevant(text + "ALL = [Idle]\n")
    assert listed is not None
    assert "self.idle" in listed.text


def test_a_zeroing_anywhere_stays() -> None:
    text = (
        f"{HEAD}def train(x):\n    x.backward()\n    optimizer.step()\n"
        "def reset():\n    optimizer.zero_grad()\n"
        "def log():\n    print(1)\n"
    )
    assert functions(text) == {"train", "reset"}


def test_gradients_that_are_only_looked_at_are_no_reason_to_read_on() -> None:
    looked_at = "import torch\ndef test(x):\n    x.sum().backward()\n    assert x.grad.norm() > 0\n"
    needs = needs_of(enabled_rules(DEFAULT))
    assert relevant_part(Outline(looked_at), DEFAULT, needs) is None
    by_hand = looked_at + "    x.grad.zero_()\n"
    assert relevant_part(Outline(by_hand), DEFAULT, needs) is not None


def test_needs_are_those_of_the_enabled_rules() -> None:
    for code, rule in all_rules().items():
        assert needs_of(enabled_rules(Settings(select=(code,)))) == (set(rule.needs) or None)
    chosen = Settings(select=("ZG002", "ZG005"))
    everything = Effect.DEPOSIT | Effect.CONSUME | Effect.ZERO | Effect.IRREGULAR
    assert needs_of(enabled_rules(chosen)) == {everything, Effect.UNCALLED}


def test_a_rule_that_says_nothing_gets_the_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "def f(loss):\n    loss.backward()\n\ndef idle():\n    return 1\n"
    assert relevant(text) is None
    monkeypatch.setattr(all_rules()["ZG001"], "needs", ())
    assert functions(text) == {"f", "idle"}
    assert relevant(text, Settings(ignore=("ZG001",))) is None


def test_what_only_an_opt_in_rule_needs_counts_when_it_is_selected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(all_rules()["ZG904"], "needs", (Effect.CLIP,))
    text = HEAD + "def f(net):\n    torch.nn.utils.clip_grad_norm_(net.parameters(), 1)\n"
    assert relevant(text) is None
    assert functions(text, Settings(extend_select=("ZG904",))) == {"f"}


@pytest.mark.parametrize(
    ("statements", "matters"),
    [
        ("x.sum().backward()\n    x.grad.zero_()", True),
        ("x.sum().backward()\n    if x.grad is not None:\n        x.grad.zero_()", False),
        ("x.sum().backward()\n    if y:\n        x.grad.zero_()", True),
        ("x.sum().backward()\n    x.grad = None", False),
        ("x.grad = None\n    print(x.grad.norm())", True),
        ("x.grad = None\n    check(x.grad).item()", True),
        ("x.grad = None\n    check(x.grad)", False),
        ("x.grad = None\n    if x.grad is not None:\n        print(x.grad.norm())", False),
        ("x.sum().backward()\n    y.grad = x.grad", True),
        ("x.sum().backward()\n    y.grad = x.copy()", False),
        ("x.sum().backward()\n    x = x - x.grad", True),
        ("x.sum().backward()\n    x.data = y - x.grad", True),
        ("x.sum().backward()\n    y = x.grad.norm()", False),
        ("x.grad += y\n    x.data -= x.grad", True),
    ],
)
def test_gradients_touched_by_hand_matter_where_a_rule_could_report(
    statements: str, matters: bool
) -> None:
    text = f"import torch\ndef test(x, y):\n    {statements}\n"
    assert (relevant(text) is not None) == matters
