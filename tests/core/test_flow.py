"""The flow engine alone: programs written as lists, a machine that only writes down its path."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zerograd_lint.flow.explore import BudgetSpent, Enough, Explorer
from zerograd_lint.flow.recall import Recall
from zerograd_lint.program import (
    Atom,
    Block,
    Both,
    Branch,
    Choice,
    Condition,
    Constant,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Not,
    Rebind,
    Ref,
    Try,
)

from .machines import IF_X, IF_Y, Diary, X, do, ends, explore

JUMPS: dict[str, tuple[Block, set[str]]] = {
    "straight": (do("a", "b"), {"ab"}),
    "branch": ([Branch(IF_X, do("a"), do("b"))], {"a", "b"}),
    "constant": ([Branch(Constant(True), do("a"), do("b"))], {"a"}),
    "equal tests agree": (
        [Branch(IF_X, do("a"), []), *do("-"), Branch(IF_X, do("b"), [])],
        {"a-b", "-"},
    ),
    "unless what they read is rebound": (
        [Branch(IF_X, do("a"), []), Rebind(frozenset({X})), Branch(IF_X, do("b"), [])],
        {"ab", "a", "b", ""},
    ),
    "a negated test is the same test": (
        [Branch(IF_X, do("a"), []), Branch(Not(IF_X), do("b"), [])],
        {"a", "b"},
    ),
    "a conjunction teaches both of its parts": (
        [Branch(Both(IF_X, IF_Y), do("a"), [Jump(JumpKind.RETURN)]), Branch(IF_Y, do("b"), [])],
        {"ab", ""},
    ),
    "a flag answers its tests from its assignment on": (
        [
            Branch(IF_X, do("a"), []),
            Rebind(frozenset({X})),
            Branch(IF_X, [], [Jump(JumpKind.NEVER)]),
            Branch(IF_X, do("b"), do("c")),
        ],
        {"ab", "b"},
    ),
    "choice": ([Choice((do("a"), do("b"), []))], {"a", "b", ""}),
    "a loop runs at least once": ([Loop(do("a"))], {"a", "aa", "aaa"}),
    "a loop that only raises is passed by": (
        [Loop([*do("a"), Jump(JumpKind.RAISE)]), *do("z")],
        {"z"},
    ),
    "an endless loop ends by break only": (
        [Loop([*do("a"), Branch(IF_X, [Jump(JumpKind.BREAK)], [])], endless=True)],
        {"a", "aa", "aaa"},
    ),
    "a walked collection is visited once": ([Loop(do("a"), each=(X,))], {"a"}),
    "else runs unless broken out of": (
        [Loop([Jump(JumpKind.BREAK)], orelse=do("e")), *do("z")],
        {"z"},
    ),
    "continue skips the rest": ([Loop([Jump(JumpKind.CONTINUE), *do("a")])], {""}),
    "return ends the function": ([Loop([*do("a"), Jump(JumpKind.RETURN)]), *do("z")], {"a"}),
    "finally runs on every way out": (
        [Try([Jump(JumpKind.RETURN)], (), [], do("f"))],
        {"f"},
    ),
    "raise goes to the handlers": (
        [Try([*do("a"), Jump(JumpKind.RAISE)], (do("h"),), do("e"), [])],
        {"h", "ah"},
    ),
    "else of try runs without handlers": (
        [Try(do("a"), (do("h"),), do("e"), [])],
        {"ae", "h", "ah"},
    ),
}


@pytest.mark.parametrize("name", JUMPS)
def test_paths(name: str) -> None:
    body, expected = JUMPS[name]
    assert ends(body) == expected


def test_parameters_stand_for_arguments_through_two_calls() -> None:
    inner = Function("g", "g", body=do("=p"))
    middle = Function("h", "h", body=[Invoke(inner, ((Ref("g", "p"), Ref("h", "q", ("a",))),))])
    assert ends([Invoke(middle, ((Ref("h", "q"), Ref("f", "top")),))]) == {"top.a"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [(Constant(False), {"c", "xc"}), (IF_X, {"ac", "xc"}), (Not(IF_X), {"c", "xac"})],
)
def test_tests_of_a_parameter_ask_what_the_caller_gives(
    given: Condition, expected: set[str]
) -> None:
    parameter = Ref("g", "p")
    if_p = Atom("p", frozenset({parameter}), pieces=(parameter,))
    inner = Function("g", "g", body=[Branch(if_p, do("a"), [])])
    body = [
        Branch(IF_X, [], do("x")),
        Invoke(inner, tests=((parameter, given),)),
        *do("c"),
    ]
    assert ends(body) == expected


def test_return_in_a_callee_comes_back_to_the_caller() -> None:
    callee = Function("g", "g", body=[*do("a"), Jump(JumpKind.RETURN), *do("never")])
    assert ends([Invoke(callee), *do("z")]) == {"az"}


def test_recursion_is_unknown() -> None:
    function = Function("f", "f")
    function.body = [*do("a"), Branch(IF_X, [Invoke(function)], [])]
    paths = explore(Diary(), function)
    assert {"".join(path.state) for path in paths} == {"a", "?"}


def doubling(depth: int) -> Function:
    """A function that calls another one twice, which calls another one twice, and so on."""
    chain = Function("f0", "f0", body=do("a"))
    for n in range(1, depth):
        chain = Function(f"f{n}", f"f{n}", body=[Invoke(chain), Invoke(chain)])
    return chain


def test_cost_is_linear_in_independent_tests_and_calls() -> None:
    many: Block = [Branch(Atom(f"t{n}", frozenset()), do("a"), do("b")) for n in range(400)]
    assert ends([Loop(many)], budget=200_000)
    assert ends([Invoke(doubling(30))], budget=50_000) == {"aaa"}


def test_cost_is_no_power_of_the_loops_inside_loops() -> None:
    nested: Block = [Try([Branch(IF_X, do("a"), do("b"))], (do("h"),), [], [])]
    for n in range(16):
        nested = [*do(f"{n}"), Loop(nested)]
    assert ends(nested, budget=20_000)


def test_calls_inside_calls_are_followed_to_a_fixed_depth() -> None:
    assert ends([Invoke(doubling(200))], budget=50_000) == {"?"}


def test_a_spent_budget_is_said() -> None:
    repeated: Callable[[int], Branch] = lambda n: Branch(  # noqa: E731
        Atom(f"t{n}", frozenset()), do(f"{n}"), []
    )
    with pytest.raises(BudgetSpent):
        ends([repeated(n) for n in range(8)] * 40, budget=100)


def test_the_rest_is_not_followed_once_enough_is_known() -> None:
    diary = Diary()
    root = Function("root", "root", body=[Loop(do("a") * 400)])
    explorer = Explorer(diary, Recall(), 100_000, lambda: True)
    with pytest.raises(Enough):
        explorer.explore(root, "")
    assert explorer.spent < 300
