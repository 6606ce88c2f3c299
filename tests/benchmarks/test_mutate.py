"""Each operator breaks exactly what it says, and leaves alone what would not be a bug."""

from __future__ import annotations

import ast
import difflib
import textwrap

import pytest

from benchmarks.wild.hidden import TrainingFile
from benchmarks.wild.mutate import OPERATORS
from benchmarks.wild.training import scopes

PLAIN = """
    def train(net, optimizer, data, loss_fn):
        for x, y in data:
            optimizer.zero_grad()  # keep the comment's line count
            loss_fn(net(x), y).backward()
            optimizer.step()
"""
PAIR = """
    def train(g, d, data):
        opt_g, opt_d = make(g), make(d)
        for x in data:
            opt_d.zero_grad()
            d.loss(x).backward()
            opt_d.step()
            opt_g.zero_grad()
            g.loss(x).backward()
            opt_g.step()
"""
WINDOW = """
    def train(net, optimizer, data, n):
        for i, x in enumerate(data):
            net.loss(x).backward()
            if (i + 1) % n == 0:
                optimizer.step()
                optimizer.zero_grad()
"""
CLOSURE = """
    def train(net, optimizer, data):
        for x in data:
            def closure():
                optimizer.zero_grad()
                loss = net.loss(x)
                loss.backward()
                return loss
            optimizer.step(closure)
"""
CALLED = """
    def update(net, optimizer, x):
        optimizer.zero_grad()
        net.loss(x).backward()
        optimizer.step()

    def train(net, optimizer, data):
        for x in data:
            update(net, optimizer, x)
"""
BY_HAND = """
    def attack(x, steps):
        for _ in range(steps):
            if x.grad is not None:
                x.grad.detach_()
                x.grad.zero_()
            loss(x).backward()
            x.data -= x.grad
"""


def broken(operator: str, text: str) -> list[str]:
    """The lines each mutant lost (-) and gained (+), in order."""
    text = textwrap.dedent(text)
    tree = ast.parse(text)
    made = []
    for mutant in OPERATORS[operator](TrainingFile(text, tree, scopes(tree))):
        ast.parse(mutant.text)
        changes = difflib.ndiff(text.splitlines(), mutant.text.splitlines())
        made.append(" ".join(f"{c[0]}{c[2:].strip()}" for c in changes if c[0] in "+-"))
    return made


ZERO_LINE = "-optimizer.zero_grad()  # keep the comment's line count"


@pytest.mark.parametrize(
    ("operator", "text", "expected"),
    [
        ("drop every zeroing", PLAIN, [ZERO_LINE]),
        (
            "move it between backward and step",
            PLAIN,
            [f"{ZERO_LINE} +optimizer.zero_grad()"],
        ),
        ("hoist it before the loop", PLAIN, [f"+optimizer.zero_grad() {ZERO_LINE}"]),
        ("drop its parentheses", PLAIN, [f"{ZERO_LINE} +optimizer.zero_grad"]),
        (
            "drop one optimizer's among several",
            PAIR,
            ["-opt_d.zero_grad()", "-opt_g.zero_grad()"],
        ),
        ("drop it in a closure", CLOSURE, ["-optimizer.zero_grad()"]),
        ("drop it in a function a loop calls", CALLED, ["-optimizer.zero_grad()"]),
        (
            "remove the None guard",
            BY_HAND,
            ["-if x.grad is not None: -x.grad.detach_() +x.grad.detach_() "
             "-x.grad.zero_() +x.grad.zero_()"],
        ),
        (
            "run it every micro-batch",
            WINDOW,
            ["+optimizer.zero_grad() -optimizer.zero_grad()"],
        ),
        (
            "swap two optimizers",
            PAIR,
            ["-opt_d.zero_grad() +opt_g.zero_grad()"],
        ),
    ],
)  # fmt: skip
def test_it_breaks_what_it_says(operator: str, text: str, expected: list[str]) -> None:
    assert broken(operator, text) == expected


def test_the_hoisted_zeroing_stands_before_the_loop() -> None:
    tree = ast.parse(textwrap.dedent(PLAIN))
    file = TrainingFile(textwrap.dedent(PLAIN), tree, scopes(tree))
    (mutant,) = OPERATORS["hoist it before the loop"](file)
    train = ast.parse(mutant.text).body[0]
    assert isinstance(train, ast.FunctionDef)
    assert [type(statement) for statement in train.body] == [ast.Expr, ast.For]
    assert mutant.places == ((2, 6),)


@pytest.mark.parametrize(
    ("why", "line"),
    [
        ("a helper zeroes", "reset_grads(net)"),
        ("the loop runs once", "break"),
        ("the optimizer is made anew", "optimizer = make(net)"),
        ("an engine zeroes by itself", "optimizer.backward(x)"),
        ("unknown code is handed the optimizer", "do_something(x, optimizer)"),
        ("gradients are written by hand", "w.grad = None"),
    ],
)
def test_what_is_no_bug_is_no_mutant(why: str, line: str) -> None:
    text = PLAIN.replace("optimizer.step()", f"optimizer.step()\n            {line}")
    assert broken("drop every zeroing", text) == [], why
    assert broken("hoist it before the loop", text) == [], why


def test_a_module_that_stays_zeroed_is_no_mutant() -> None:
    text = PLAIN.replace("optimizer.step()", "optimizer.step()\n            net.zero_grad()")
    assert broken("hoist it before the loop", text) == []


def test_a_caller_that_zeroes_is_no_mutant() -> None:
    text = CALLED.replace("for x in data:", "for x in data:\n            optimizer.zero_grad()")
    assert broken("drop it in a function a loop calls", text) == []


def test_shared_parameters_are_no_mutant() -> None:
    shared = PAIR.replace(
        "opt_g, opt_d = make(g), make(d)",
        "opt_g = make(g.parameters())\n        opt_d = make([*d.parameters(), *g.parameters()])",
    )
    assert broken("drop one optimizer's among several", shared) == []


def test_an_emptied_block_gets_a_pass() -> None:
    guarded = PLAIN.replace(
        "optimizer.zero_grad()  #", "if x is not None:\n                optimizer.zero_grad()  #"
    )
    assert broken("drop every zeroing", guarded) == [f"{ZERO_LINE} +pass"]
