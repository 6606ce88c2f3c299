"""What the flow engine finds out about a program before it follows any path."""

from __future__ import annotations

from collections.abc import Sequence

from zerograd_lint.flow.invocations import Invocations
from zerograd_lint.flow.recall import recall
from zerograd_lint.flow.trim import trim
from zerograd_lint.program import (
    Block,
    Branch,
    Emit,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Ref,
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


def _trimmed(*functions: Function, followed: Sequence[Ref] = ()) -> Block:
    """What is left of the body of the first of these functions."""
    trim(Invocations(functions), followed, lambda event: False)
    return functions[0].body


def test_what_loops_walk_over_may_be_given_another_value() -> None:
    root = Function("f", "f", body=[Loop([Rebind(frozenset({Y})), *do("a")], each=(Y,))])
    (loop,) = _trimmed(root)
    assert isinstance(loop, Loop)
    assert [type(statement) for statement in loop.body] == [Emit]


def test_tests_that_decide_about_nothing_but_themselves_go() -> None:
    again = [Branch(IF_X, [Rebind(frozenset({X}))], []) for _ in range(2)]
    assert _trimmed(Function("f", "f", body=[Loop([*again])])) == []


def test_parameters_are_followed_with_what_they_stand_for() -> None:
    parameter = Ref("g", "p")

    def kept(*followed: Ref) -> list[type]:
        callee = Function("g", "g", (parameter,), body=do("a"))
        root = Function("f", "f", body=[Rebind(frozenset({X})), Invoke(callee, ((parameter, X),))])
        return [type(statement) for statement in _trimmed(root, callee, followed=followed)]

    assert kept(parameter) == kept(X) == [Rebind, Invoke]
    assert kept(Y) == [Invoke]


def test_a_function_that_may_raise_tells_the_answer_to_a_test_that_is_asked_again() -> None:
    def kept(*asked: Branch) -> list[type]:
        callee = Function("g", "g", body=[Branch(IF_X, [Jump(JumpKind.RAISE)], [])])
        root = Function("f", "f", body=[Invoke(callee), *do("a"), *asked])
        return [type(statement) for statement in _trimmed(root, callee)]

    assert kept(Branch(IF_Y, do("b"), [])) == [Emit, Branch]
    assert kept(Branch(IF_X, do("b"), [])) == [Invoke, Emit, Branch]
