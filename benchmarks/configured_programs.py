"""Random training programs with settings, several optimizers, helpers and a second file.

The same plan is written as a script, a function or a class; runs of its lines become helper
functions or methods, which may stand in a module beside it, as may the factory of the
optimizers. The program is to be run once with every combination of its settings.
"""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass

from .configured_plans import ALL, Act, ConfiguredPlan, drawn_plan
from .sample import MAIN, Sample

HELPERS = "helpers"
_IMPORTS = "import torch\nfrom torch import nn\n"
_BASE = "Parts"
_NAMES = re.compile(r"(?<![\w.])(net_\d|opt_\d|nets|opts|scaler|args|i|x)(?!\w)")
_OWN = re.compile(r"(?<![\w.])(net_\d|opt_\d|nets|opts|scaler|args)(?!\w)")
_FACTORY = "def make_optimizer(params):\n    return torch.optim.{kind}(params, lr=0.01)\n"


def configured_program(seed: int) -> Sample:
    """The program of a seed: always the same one."""
    chance = random.Random(f"configured {seed}")
    plan = drawn_plan(chance)
    writing = _Writing(plan, chance, chance.choice(("script", "function", "class")))
    return Sample(writing.files(), tuple(_runs(plan)), frozenset(plan.changes))


def _runs(plan: ConfiguredPlan) -> list[tuple[str, ...]]:
    options: list[list[tuple[str, ...]]] = []
    if plan.amp:
        options.append([(), ("--amp",)])
    if plan.every == "args.accum":
        options.append([(), ("--accum", "3")])
    if plan.clip:
        options.append([(), ("--clip",)])
    return [tuple(itertools.chain(*each)) for each in itertools.product(*options)]


@dataclass
class _Writing:
    """One plan as text."""

    plan: ConfiguredPlan
    chance: random.Random
    style: str

    def __post_init__(self) -> None:
        self.helpers: dict[str, str] = {}
        self.methods: list[str] = []
        self.as_methods = self.style == "class" and self.chance.random() < 0.6
        self.apart = self.chance.random() < 0.5
        """The helpers stand in a second file."""
        self.kind = self.chance.choice(("SGD", "Adam"))
        self.factory = self.chance.random() < 0.25
        self.short_import = self.style != "class" and self.chance.random() < 0.3

    def files(self) -> dict[str, str]:
        body = self._extracted(self._blocks())
        setup = self._setup()
        main = getattr(self, f"_as_{self.style}")(setup, body)
        if self.apart and self.methods:
            self.helpers[_BASE] = f"class {_BASE}:\n" + "\n".join(self.methods)
        head = f"import argparse\n\n{_IMPORTS}"
        helpers = "\n\n".join(self.helpers.values())
        main = f"{self._parser()}\n{main}"
        if not self.helpers:
            return {MAIN: f"{head}\n{main}"}
        if not self.apart:
            return {MAIN: f"{head}\n\n{helpers}\n\n{main}"}
        if self.short_import:
            head += f"\nimport {HELPERS}\n"
            for name in self.helpers:
                main = re.sub(rf"(?<![\w.]){name}\(", f"{HELPERS}.{name}(", main)
        else:
            head += f"\nfrom {HELPERS} import {', '.join(self.helpers)}\n"
        return {MAIN: f"{head}\n{main}", f"{HELPERS}.py": f"{_IMPORTS}\n\n{helpers}"}

    def _parser(self) -> str:
        lines = ["torch.manual_seed(0)", "batches = torch.randn(10, 4, 3)"]
        if self.plan.every == "ACCUM":
            lines.append(f"ACCUM = {self.chance.choice((2, 3))}")
        options = ['"--amp", action="store_true"'] * bool(self.plan.amp)
        options += ['"--accum", type=int, default=1'] * (self.plan.every == "args.accum")
        options += ['"--clip", action="store_true"'] * self.plan.clip
        lines.append("parser = argparse.ArgumentParser()")
        lines += [f"parser.add_argument({option})" for option in options]
        return "\n".join([*lines, "args = parser.parse_args()\n"])

    def _setup(self) -> list[str]:
        plan = self.plan
        lines = [f"net_{n} = nn.Linear(3, 2)" for n in range(plan.nets)]
        made = {owner: self._made(f"net_{owner}.parameters()") for owner in plan.owners}
        if plan.optimizers == "joint":
            together = " + ".join(f"list(net_{n}.parameters())" for n in range(plan.nets))
            lines.append(f"opt_0 = {self._made(together)}")
        elif plan.optimizers == "names":
            lines += [f"opt_{owner} = {text}" for owner, text in made.items()]
        elif plan.optimizers == "list":
            lines.append(f"opts = [{', '.join(made.values())}]")
        else:
            pairs = ", ".join(f'"{"abc"[owner]}": {text}' for owner, text in made.items())
            lines.append(f"opts = {{{pairs}}}")
        scaler = 'torch.amp.GradScaler("cpu", init_scale=64.0{})'
        if plan.amp == "none":
            lines.append(f"scaler = {scaler.format('')} if args.amp else None")
        elif plan.amp:
            enabled = ", enabled=args.amp" if plan.amp == "enabled" else ""
            lines.append(f"scaler = {scaler.format(enabled)}")
        return lines

    def _made(self, params: str) -> str:
        if not self.factory:
            return f"torch.optim.{self.kind}({params}, lr=0.01)"
        self.helpers["make_optimizer"] = _FACTORY.format(kind=self.kind)
        return f"make_optimizer({params})"

    def _optimizer(self, owner: int) -> str:
        form = {"list": f"opts[{owner}]", "dict": f'opts["{"abc"[owner]}"]'}
        return form.get(self.plan.optimizers, f"opt_{owner}")

    def _blocks(self) -> list[list[str]]:
        """The acts as statements; neighbours under the same tests may share them."""
        blocks: list[list[str]] = []
        before: tuple[str, ...] = ()
        for act in self.plan.acts:
            shared = act.tests and act.tests == before and self.chance.random() < 0.7
            lines = _indented(self._act(act), len(act.tests))
            if not shared:
                tests = [f"{'    ' * depth}if {test}:" for depth, test in enumerate(act.tests)]
                blocks.append([*tests, *lines])
            else:
                blocks[-1] += lines
            before = act.tests
        return blocks

    def _act(self, act: Act) -> list[str]:
        if act.owner == ALL and act.kind in ("zero", "step", "unscale"):
            every = "opts.values()" if self.plan.optimizers == "dict" else "opts"
            return [f"for opt in {every}:", *_indented(self._on(act, "opt"))]
        if act.kind == "backward":
            return self._backward(act)
        if act.kind == "update":
            return _under(self.plan.scaled, ["scaler.update()"])
        if act.kind == "clip":
            nets = range(self.plan.nets) if self.plan.optimizers == "joint" else [act.owner]
            nets = range(self.plan.nets) if act.owner == ALL else nets
            return [f"nn.utils.clip_grad_norm_(net_{n}.parameters(), 1.0)" for n in nets]
        if act.by_network:
            return [f"net_{act.owner}.zero_grad()"]
        return self._on(act, self._optimizer(act.owner))

    def _on(self, act: Act, optimizer: str) -> list[str]:
        lines = {
            "zero": ["opt.zero_grad()"],
            "unscale": _under(self.plan.scaled, ["scaler.unscale_(opt)"]),
            "step": self._either("scaler.step(opt)", "opt.step()"),
        }[act.kind]
        if act.in_helper:
            name = {"zero": "clear", "step": "advance"}[act.kind]
            return [self._call(name, ["opt"], lines).replace("(opt", f"({optimizer}")]
        return [
            line.replace("(opt)", f"({optimizer})").replace("opt.", f"{optimizer}.")
            for line in lines
        ]

    def _backward(self, act: Act) -> list[str]:
        nets = range(self.plan.nets) if self.plan.optimizers == "joint" else [act.owner]
        terms = " + ".join(f"net_{n}(x)" for n in nets)
        divided = f" / {self.plan.every}" if self.plan.every else ""
        loss = f"loss = ({terms}).pow(2).mean(){divided}"
        lines = self._either("scaler.scale(loss).backward()", "loss.backward()")
        return [loss, *([self._call("learn", ["loss"], lines)] if act.in_helper else lines)]

    def _either(self, scaled: str, plain: str) -> list[str]:
        if not self.plan.amp:
            return [plain]
        if not self.plan.scaled:
            return [scaled]
        return [f"if {self.plan.scaled}:", f"    {scaled}", "else:", f"    {plain}"]

    def _call(self, name: str, first: list[str], lines: list[str]) -> str:
        """A call of a helper function of these lines, which is written down."""
        given = [*first, *_names(lines)]
        body = "\n".join(_indented(lines))
        self.helpers[name] = f"def {name}({', '.join(given)}):\n{body}\n"
        return f"{name}({', '.join(given)})"

    def _extracted(self, blocks: list[list[str]]) -> list[str]:
        """The blocks, some runs of them as calls of functions or methods."""
        lines: list[str] = []
        while blocks:
            size = self.chance.choice((1, 2, 3, len(blocks)))
            taken, blocks = blocks[:size], blocks[size:]
            text = [line for block in taken for line in block]
            if self.chance.random() >= 0.3:
                lines += text
            elif self.as_methods and not (self.apart and "ACCUM" in str(text)):
                lines.append(self._method(text))
            else:
                lines.append(self._call(f"part_{len(self.helpers)}", _constants(text), text))
        return lines or ["pass"]

    def _method(self, lines: list[str]) -> str:
        name = f"part_{len(self.methods)}"
        body = "\n".join(_indented([_owned(line) for line in lines], 2))
        self.methods.append(f"    def {name}(self, i, x):\n{body}\n")
        return f"self.{name}(i, x)"

    def _as_script(self, setup: list[str], body: list[str]) -> str:
        return "\n".join([*setup, *_loops(body)]) + "\n"

    def _as_function(self, setup: list[str], body: list[str]) -> str:
        return "\n".join(["\ndef main(args):", *_indented([*setup, *_loops(body)])]) + (
            "\n\n\nmain(args)\n"
        )

    def _as_class(self, setup: list[str], body: list[str]) -> str:
        made = ["self.args = args", *(_owned(line) for line in setup)]
        learn = "\n".join(_indented([_owned(line) for line in body], 2))
        init = "\n".join(_indented(made, 2))
        base = f"({_BASE})" if self.apart and self.methods else ""
        methods = "" if base else "\n".join(self.methods)
        fit = "\n".join(_indented(_loops(["self.learn(i, x)"]), 2))
        return (
            f"\nclass Trainer{base}:\n    def __init__(self, args):\n{init}\n\n"
            f"    def fit(self):\n{fit}\n\n    def learn(self, i, x):\n{learn}\n\n{methods}\n\n"
            "Trainer(args).fit()\n"
        )


def _loops(body: list[str]) -> list[str]:
    return [
        "for epoch in range(2):",
        "    for i, x in enumerate(batches):",
        *_indented(body, 2),
    ]


def _names(lines: list[str]) -> list[str]:
    return list(dict.fromkeys(_NAMES.findall("\n".join(lines))))


def _constants(lines: list[str]) -> list[str]:
    return ["ACCUM"] if "ACCUM" in str(lines) else []


def _owned(line: str) -> str:
    if line.startswith("self."):
        return line
    return _OWN.sub(r"self.\1", line)


def _under(test: str, lines: list[str]) -> list[str]:
    return [f"if {test}:", *_indented(lines)] if test else lines


def _indented(lines: list[str], depth: int = 1) -> list[str]:
    return ["    " * depth + line for line in lines]
