"""Exceptions in the flow engine: what is thrown, and which handler gets it."""

from __future__ import annotations

from zerograd_lint.flow.explore import Explorer
from zerograd_lint.flow.invocations import Invocations
from zerograd_lint.flow.recall import recall
from zerograd_lint.program import (
    Block,
    Branch,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Try,
)

from .machines import IF_X, Depths, Diary, do, ends, explore


def test_paths_through_handlers_are_rare() -> None:
    diary = Diary()
    body: Block = [Try(do("a"), (do("h"),), [], []), *do("z")]
    explore(diary, Function("f", "f", body=body))
    assert {"".join(trail) for trail in diary.rare} == {"h", "ah", "hz", "ahz"}


def test_what_a_callee_throws_reaches_the_handler_of_its_caller() -> None:
    callee = Function("g", "g", body=do("a", "b"))
    assert ends([Try([Invoke(callee)], (do("h"),), [], [])]) == {"ab", "h", "ah", "abh"}


def test_a_callee_throws_only_where_it_can_be_caught() -> None:
    """One that was followed outside any `try` is followed again inside one."""
    callee = Function("g", "g", body=do("a"))
    body: Block = [Invoke(callee), Try([Invoke(callee)], (do("h"),), [], [])]
    assert ends(body) == {"aa", "ah", "aah"}


def test_without_handlers_it_is_thrown_further() -> None:
    inner = Try(do("a"), (), [], do("f"))
    assert ends([Try([inner], (do("h"),), [], [])]) == {"af", "h", "ah", "afh"}


def test_with_handlers_it_is_not_thrown_further() -> None:
    inner = Try(do("a"), ([],), [], [])
    assert ends([Try([*do("1"), inner], (do("h"),), [], [])]) == {"1a", "1", "h", "1h"}


def test_a_handled_raise_goes_on_after_the_try() -> None:
    assert ends([Try([Jump(JumpKind.RAISE)], (do("h"),), [], []), *do("z")]) == {"hz"}


def test_what_a_loop_throws_has_left_the_loop() -> None:
    counting = Depths()
    function = Function("f", "f", body=[Try([Loop(do("a"))], (do("h"),), [], []), *do("z")])
    Explorer(counting, recall(function, Invocations([function])), 1000).explore(function, 0)
    assert counting.met == {"a": {1}, "h": {0}, "z": {0}}


def test_a_handler_does_not_rely_on_answers_given_before() -> None:
    body: Block = [
        Try([Branch(IF_X, do("a"), [Jump(JumpKind.RETURN)])], (do("h"),), [], []),
        Branch(IF_X, do("y"), do("n")),
    ]
    assert ends(body) == {"", "ay", "hy", "hn", "ahy", "ahn"}


def test_finally_runs_before_a_loop_is_left() -> None:
    body: Block = [Loop([Try([*do("a"), Jump(JumpKind.BREAK)], (), [], do("f"))]), *do("z")]
    assert ends(body) == {"afz"}


def test_a_function_that_only_raises_is_there_to_be_overridden() -> None:
    callee = Function("g", "g", body=[Jump(JumpKind.RAISE)])
    assert ends([*do("a"), Invoke(callee), *do("b")]) == {"ab"}
