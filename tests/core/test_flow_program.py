"""What the flow engine finds out about a program before it follows any path."""

from __future__ import annotations

from zerograd_lint.flow.invocations import Invocations
from zerograd_lint.flow.recall import recall
from zerograd_lint.flow.trim import trim
from zerograd_lint.program import (
    Branch,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
)

from .machines import IF_X, IF_Y, X, Y, do


def test_entry_points_are_what_nothing_invokes_and_one_of_each_circle() -> None:
    leaf = Function("leaf", "leaf")
    root = Function("root", "root", body=[Loop([Invoke(leaf)])])
    one, other = Function("one", "one"), Function("other", "other")
    one.body, other.body = [Invoke(other)], [Branch(IF_X, [Invoke(one)], [])]
    functions = [leaf, one, other, root]
    found = Invocations(functions).entry_points(set(functions))
    assert found == {root: [root, leaf], one: [one, other]}


def test_callers_are_found_through_others() -> None:
    leaf, aside = Function("leaf", "leaf"), Function("aside", "aside")
    middle = Function("middle", "middle", body=[Invoke(leaf)])
    root = Function("root", "root", body=[Invoke(middle), Invoke(aside)])
    invocations = Invocations([leaf, aside, middle, root])
    assert invocations.with_callers([leaf]) == {leaf, middle, root}


def test_only_tests_that_are_asked_again_are_remembered() -> None:
    callee = Function("g", "g", body=[Branch(IF_X, [], [])])
    root = Function("f", "f", body=[Branch(IF_X, [], []), Branch(IF_Y, [], []), Invoke(callee)])
    assert recall(root, Invocations([root])).tests == {"x"}


def test_trimming_keeps_what_can_be_noticed() -> None:
    silent = Function("g", "g", body=[Rebind(frozenset({Y}))])
    acting = Function("h", "h", body=do("a", "ignored"))
    asked_again = Branch(IF_X, do("b"), [])
    root = Function("f", "f")
    root.body = [
        *(Invoke(silent), Rebind(frozenset({X})), Rebind(frozenset({Y}))),
        *(Branch(IF_Y, [Rebind(frozenset({Y}))], []), Loop([Invoke(silent)]), Invoke(acting)),
        *(Branch(IF_X, do("c"), []), asked_again, Jump(JumpKind.RETURN), *do("never")),
    ]
    after = trim(Invocations([root, silent, acting]), [], lambda event: event == "ignored")
    assert [type(statement) for statement in root.body] == [Rebind, Invoke, Branch, Branch, Jump]
    assert after.reachable(root) == [root, acting]
    assert after.contents(acting).events == ["a"]
