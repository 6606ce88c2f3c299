"""Small random training programs that run: right ones, and the ways people get them wrong.

A program is a right training loop put together from interchangeable parts (how many networks,
who holds the optimizer, how gradients are cleared, whether they accumulate), to which a few
random changes are made: a zeroing lost, moved, doubled, put under a test or given to the wrong
optimizer. What comes out may be right or wrong; running it tells which.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

HEAD = """\
import torch
from torch import nn

torch.manual_seed({seed})
batches = torch.randn({batches}, 4, 3)
"""


@dataclass
class Line:
    """One statement of the loop, and the test it stands under."""

    kind: str
    owner: int
    code: list[str]
    guard: str = ""
    level: int = 0
    """0 in the loop over batches, 1 in the loop over epochs before it, 2 before all loops."""


@dataclass
class Plan:
    seed: int
    nets: int = 1
    joint: bool = False
    """One optimizer over all networks."""
    every: int = 1
    """Steps once in so many batches."""
    style: str = "flat"
    lines: list[Line] = field(default_factory=list)


def program(seed: int) -> str:
    """The program of a seed: always the same one."""
    chance = random.Random(seed)
    plan = _right(seed, chance)
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        _change(plan, chance)
    return _render(plan, chance)


def _optimizers(plan: Plan) -> list[int]:
    return [0] if plan.joint else list(range(plan.nets))


def _right(seed: int, chance: random.Random) -> Plan:
    plan = Plan(
        seed,
        nets=chance.choice((1, 1, 2)),
        joint=chance.random() < 0.3,
        every=chance.choice((1, 1, 1, 2, 3)),
        style=chance.choice(("flat", "flat", "function", "helper", "method")),
    )
    guard = f"(i + 1) % {plan.every} == 0" if plan.every > 1 else ""
    if plan.every == 1 and chance.random() < 0.2:
        guard = chance.choice(("True", "TRAIN", "i >= 0"))
    for owner in _optimizers(plan):
        zero = Line("zero", owner, [_zero(plan, owner, chance)], guard if plan.every > 1 else "")
        step = Line("step", owner, [f"opt_{owner}.step()"], guard)
        backward = Line("backward", owner, _backward(plan, owner, chance))
        if plan.every > 1 or chance.random() < 0.3:
            plan.lines += [backward, step, zero]
        else:
            plan.lines += chance.choice(
                ([zero, backward, step], [zero, backward, step], [backward, step, zero])
            )
    return plan


def _zero(plan: Plan, owner: int, chance: random.Random) -> str:
    forms = [f"opt_{owner}.zero_grad()"] * 4
    if not plan.joint or plan.nets == 1:
        forms += [
            f"net_{owner}.zero_grad()",
            f"[p.grad.zero_() for p in net_{owner}.parameters() if p.grad is not None]",
            f"opt_{owner}.zero_grad(set_to_none=False)",
        ]
    if plan.style == "helper":
        forms += [f"clear(opt_{owner})"] * 4
    return chance.choice(forms)


def _backward(plan: Plan, owner: int, chance: random.Random) -> list[str]:
    nets = range(plan.nets) if plan.joint else [owner]
    terms = " + ".join(f"net_{net}(x)" for net in nets)
    scale = f" / {plan.every}" if plan.every > 1 and chance.random() < 0.7 else ""
    loss = [f"loss_{owner} = ({terms}).pow(2).mean(){scale}"]
    if plan.style == "helper" and chance.random() < 0.4:
        return [*loss, f"learn(loss_{owner})"]
    return [*loss, f"loss_{owner}.backward()"]


def _change(plan: Plan, chance: random.Random) -> None:
    lines = plan.lines
    zeros = [line for line in lines if line.kind == "zero"]
    kind = chance.choice(
        ("lose", "lose", "move", "move", "hoist", "wrong", "guard", "unguard", "double", "swap")
    )
    if kind == "lose" and zeros:
        lines.remove(chance.choice(zeros))
    elif kind == "move" and lines:
        line = lines.pop(chance.randrange(len(lines)))
        lines.insert(chance.randint(0, len(lines)), line)
    elif kind == "hoist" and zeros:
        chance.choice(zeros).level = chance.choice((1, 2))
    elif kind == "wrong" and zeros and len(_optimizers(plan)) > 1:
        line = chance.choice(zeros)
        line.owner = 1 - line.owner
        line.code = [f"opt_{line.owner}.zero_grad()"]
    elif kind == "guard" and lines:
        line = chance.choice(lines)
        line.guard = chance.choice(("i % 2 == 0", "i > 0", "TRAIN", "True"))
    elif kind == "unguard" and lines:
        chance.choice(lines).guard = ""
    elif kind == "double" and lines:
        line = chance.choice(lines)
        lines.insert(chance.randint(0, len(lines)), replace(line, code=list(line.code)))
    elif kind == "swap" and len(lines) > 1:
        first, second = chance.sample(range(len(lines)), 2)
        lines[first], lines[second] = lines[second], lines[first]


def _render(plan: Plan, chance: random.Random) -> str:
    # Long enough for the audit to make up its mind about windows of three.
    epochs, batches = chance.choice((2, 3, 3)), chance.choice((10, 11, 12))
    text = [HEAD.format(seed=plan.seed % 1000, batches=batches)]
    if any("TRAIN" in line.guard for line in plan.lines):
        text.append("TRAIN = True\n")
    if plan.style == "helper":
        text.append(
            "\ndef clear(optimizer):\n    optimizer.zero_grad()\n\n\n"
            "def learn(loss):\n    loss.backward()\n\n"
        )
    setup = [f"net_{n} = nn.Linear(3, 2)" for n in range(plan.nets)]
    kind = chance.choice(("SGD", "SGD", "Adam"))
    for owner in _optimizers(plan):
        whose = " + ".join(f"list(net_{n}.parameters())" for n in range(plan.nets))
        given = whose if plan.joint and plan.nets > 1 else f"net_{owner}.parameters()"
        setup.append(f"opt_{owner} = torch.optim.{kind}({given}, lr=0.01)")
    loops = [code for line in plan.lines if line.level == 2 for code in line.code]
    loops += [f"for epoch in range({epochs}):"]
    loops += [f"    {code}" for line in plan.lines if line.level == 1 for code in line.code]
    body = _body([line for line in plan.lines if line.level == 0])
    if plan.style == "method":
        return "\n".join(text) + _as_class(plan, setup, loops, body)
    if plan.style == "function":
        loops += ["    for i, x in enumerate(batches):", *(f"        {code}" for code in body)]
        lines = "\n".join(f"    {code}" for code in setup + loops)
        return "\n".join(text) + f"\n\ndef main():\n{lines}\n\n\nmain()\n"
    loops += ["    for i, x in enumerate(batches):", *(f"        {code}" for code in body)]
    return "\n".join([*text, *setup, *loops]) + "\n"


def _body(lines: list[Line]) -> list[str]:
    body: list[str] = []
    for line in lines:
        indent = ""
        if line.guard:
            body.append(f"if {line.guard}:")
            indent = "    "
        body += [indent + code for code in line.code]
    return body or ["pass"]


def _as_class(plan: Plan, setup: list[str], loops: list[str], body: list[str]) -> str:
    names = [f"net_{n}" for n in range(plan.nets)] + [f"opt_{n}" for n in _optimizers(plan)]

    def own(code: str) -> str:
        for name in names:
            code = code.replace(name, f"self.{name}")
        return code

    made = "\n".join(f"        {own(code)}" for code in setup)
    outer = "\n".join(f"        {own(code)}" for code in loops)
    inner = "\n".join(f"        {own(code)}" for code in body)
    return (
        f"\n\nclass Trainer:\n    def __init__(self):\n{made}\n\n"
        f"    def fit(self):\n{outer}\n"
        f"            for i, x in enumerate(batches):\n                self.learn(i, x)\n\n"
        f"    def learn(self, i, x):\n{inner}\n\n\nTrainer().fit()\n"
    )
