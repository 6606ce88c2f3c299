"""What a random training program with settings does: the lines of its loop, and their tests.

A right loop is drawn first: how many networks and optimizers, mixed precision by a setting,
accumulation windows whose length is one, a clip that a flag turns on. A few random changes follow,
as people make them: a zeroing lost, moved, doubled, given to another optimizer, or put on one
side of a setting.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

ALL = -1
"""The owner of a line that goes over all optimizers in a loop."""
PERIODS = ("(i + 1) % {n} == 0", "i % {n} == {n} - 1", "not (i + 1) % {n}")


@dataclass
class Act:
    """One thing the loop does, to one optimizer or to all, and the tests it stands under."""

    kind: str
    owner: int = ALL
    tests: tuple[str, ...] = ()
    in_helper: bool = False
    by_network: bool = False
    """Cleared by the network instead of the optimizer."""


@dataclass
class ConfiguredPlan:
    nets: int
    optimizers: str
    """"names", "list", "dict", or "joint": one over all networks."""
    amp: str
    """"" without, "enabled" as an argument of the scaler, "flag", or "none": no scaler without."""
    every: str
    """The length of a window: "" without, a setting or a constant."""
    period: str
    """The test that closes a window."""
    clip: bool
    """Gradients are clipped where a flag says so."""
    acts: list[Act] = field(default_factory=list)
    changes: set[str] = field(default_factory=set)
    """What was done to it since it was right."""

    @property
    def owners(self) -> list[int]:
        return [0] if self.optimizers == "joint" else list(range(self.nets))

    @property
    def scaled(self) -> str:
        """The test of mixed precision; empty where the scaler knows by itself."""
        return {"flag": "args.amp", "none": "scaler is not None"}.get(self.amp, "")

    @property
    def settings(self) -> list[str]:
        """Tests of settings that a line may stand under."""
        tests = [test for test in (self.scaled, f"not {self.scaled}") if self.scaled]
        tests += ["args.clip"] if self.clip else []
        return tests + ([f"{self.every} > 1"] if self.every.startswith("args") else [])


def drawn_plan(chance: random.Random) -> ConfiguredPlan:
    """A right program, and up to three changes to it."""
    nets = chance.choice((1, 2, 2, 3))
    every = chance.choice(("", "args.accum", "args.accum", "ACCUM"))
    plan = ConfiguredPlan(
        nets=nets,
        optimizers=chance.choice(("names", "names", "list", "list", "dict", "joint")),
        amp=chance.choice(("", "", "enabled", "flag", "none")),
        every=every,
        period=chance.choice(PERIODS).format(n=every) if every else "",
        clip=chance.random() < 0.25,
    )
    plan.acts = _right(plan, chance)
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        before = repr(plan.acts)
        kind = _change(plan, chance)
        plan.changes |= {kind} if repr(plan.acts) != before else set()
    return plan


def _right(plan: ConfiguredPlan, chance: random.Random) -> list[Act]:
    window = (plan.period,) if plan.period else ()
    together = plan.optimizers in ("list", "dict") and chance.random() < 0.6
    zeros = [Act("zero", owner, window) for owner in ([ALL] if together else plan.owners)]
    for zero in zeros:
        zero.by_network = not together and plan.optimizers != "joint" and chance.random() < 0.15
    backwards = [Act("backward", owner) for owner in plan.owners]
    steps = [Act("step", owner, window) for owner in ([ALL] if together else plan.owners)]
    if plan.clip:
        steps = [each for step in steps for each in (*_clip(plan, step), step)]
    update = [Act("update", tests=window)] if plan.amp else []
    if plan.every or chance.random() < 0.5:
        acts = [*backwards, *steps, *update, *zeros]
    else:
        acts = [*zeros, *backwards, *steps, *update]
    for act in acts:
        act.in_helper = act.kind in ("zero", "backward", "step") and chance.random() < 0.25
    return acts


def _clip(plan: ConfiguredPlan, step: Act) -> list[Act]:
    unscale = [Act("unscale", step.owner, (*step.tests, "args.clip"))] if plan.amp else []
    return [*unscale, Act("clip", step.owner, (*step.tests, "args.clip"))]


def _change(plan: ConfiguredPlan, chance: random.Random) -> str:
    """Change one thing, if it is there, and say what was to be changed."""
    acts = plan.acts
    zeros = [act for act in acts if act.kind == "zero"]
    kind = chance.choice(
        ("lose", "lose", "move", "wrong", "setting", "setting", "guard", "unguard", "double")
    )
    if kind == "lose":
        small = [act for act in acts if act.kind in ("zero", "zero", "unscale", "update")]
        if small:
            acts.remove(chance.choice(small))
    elif kind == "move":
        moved = acts.pop(chance.randrange(len(acts)))
        acts.insert(chance.randint(0, len(acts)), moved)
    elif kind == "wrong" and zeros and len(plan.owners) > 1:
        zero = chance.choice(zeros)
        zero.owner = chance.choice([owner for owner in plan.owners if owner != zero.owner])
    elif kind == "setting" and plan.settings:
        act = chance.choice(zeros or acts)
        act.tests = (*act.tests, chance.choice(plan.settings))
    elif kind == "guard":
        act = chance.choice(acts)
        act.tests = (*act.tests, chance.choice(("i % 2 == 0", "i > 0", plan.period or "i >= 0")))
    elif kind == "unguard":
        chance.choice(acts).tests = ()
    elif kind == "double":
        act = chance.choice(acts)
        acts.insert(chance.randint(0, len(acts)), replace(act))
    return kind
