"""Generators in the flow engine: their consumers run where they suspend."""

from __future__ import annotations

from zerograd_lint.program import (
    Block,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Ref,
    Suspend,
    Try,
)

from .machines import do, ends


def test_a_generator_runs_its_consumer_at_every_yield() -> None:
    generator = Function("g", "g", body=[*do("a"), Suspend(), *do("b"), Suspend()])
    assert ends([Invoke(generator, consumer=do("-"))]) == {"-b-"}
    stopped: Block = [*do("!"), Jump(JumpKind.BREAK)]
    assert ends([Invoke(generator, consumer=stopped), *do("z")]) == {"a!z"}


def test_a_generator_nobody_consumes_in_sight_is_unknown() -> None:
    assert ends([*do("a"), Suspend(), *do("b")]) == {"?b"}


def test_a_generator_that_is_collected_runs_through() -> None:
    generator = Function("g", "g", body=[*do("a"), Suspend(), *do("b")])
    assert ends([Invoke(generator), *do("z")]) == {"abz"}


def test_continue_in_a_consumer_resumes_its_generator() -> None:
    generator = Function("g", "g", body=[*do("a"), Suspend(), *do("b")])
    skipping: Block = [Jump(JumpKind.CONTINUE), *do("never")]
    assert ends([Invoke(generator, consumer=skipping)]) == {"ab"}


def test_a_generator_that_consumes_another_hands_on_to_its_own_consumer() -> None:
    inner = Function("g", "g", body=[*do("i"), Suspend()])
    outer = Function("h", "h", body=[Invoke(inner, consumer=[Suspend()]), *do("o")])
    assert ends([Invoke(outer, consumer=do("-"))]) == {"i-o"}


def test_a_generator_cleans_up_when_its_consumer_stops() -> None:
    generator = Function("g", "g", body=[Try([Suspend()], (), [], do("f")), *do("never")])
    stopped: Block = [*do("!"), Jump(JumpKind.BREAK)]
    assert ends([Invoke(generator, consumer=stopped), *do("z")]) == {"!fz"}


def test_a_consumer_sees_the_parameters_of_its_own_function() -> None:
    generator = Function("g", "g", body=[Suspend()])
    bound = ((Ref("g", "p"), Ref("f", "inside")),)
    consuming = Function("f", "f", body=[Invoke(generator, bound, consumer=do("=p"))])
    assert ends([Invoke(consuming, ((Ref("g", "p"), Ref("m", "outside")),))]) == {"outside"}
