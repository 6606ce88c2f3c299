"""What watching costs: the time of a training step with the audit over the time without.

    python -m benchmarks.audit_cost [--rounds N] [--steps N] [--only NAME] [--json]

Measured in one process and in its CPU time, on one thread, in short rounds of three: plain,
watched, plain again. A busy machine only ever adds time, so a round counts by its faster steps (the
first quartile), and the slowdown is the median of the rounds' ratios. The control is the same ratio
of the two plain thirds: what it is away from 1 is the noise of the measurement. One recorder
listens through all rounds, as in a long run.

Also measured: the memory that the audit itself holds after few and after many steps.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

from zerograd_lint.runtime.hooks.recorder import Recorder
from zerograd_lint.runtime.hooks.torch_hooks import installed

_Made = tuple[nn.Module, torch.Tensor]


class Residual(nn.Module):
    """Two convolutions and a shortcut, as in ResNet-18."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.norm_1 = nn.BatchNorm2d(outside)
        self.second = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.norm_2 = nn.BatchNorm2d(outside)
        self.shortcut = nn.Sequential()
        if stride != 1 or inside != outside:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm_2(self.second(torch.relu(self.norm_1(self.first(x)))))
        return torch.relu(y + self.shortcut(x))


def mlp() -> _Made:
    net = nn.Sequential(
        nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10)
    )
    return net, torch.randn(64, 64)


class Added(nn.Module):
    """A small layer whose output is added to its input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 0.05 * torch.tanh(self.layer(x))


def many_layers() -> _Made:
    """400 layers of 16 units: 800 small tensors, where watching costs most per step."""
    return nn.Sequential(*(Added(16) for _ in range(400))), torch.randn(16, 16)


def cnn() -> _Made:
    """The 11 million parameters and 62 tensors of a ResNet-18 for small images."""
    widths = (64, 64, 128, 128, 256, 256, 512, 512)
    layers: list[nn.Module] = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    inside = 64
    for index, width in enumerate(widths):
        layers.append(Residual(inside, width, 2 if index in (2, 4, 6) else 1))
        inside = width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)]
    return nn.Sequential(*layers), torch.randn(8, 3, 32, 32)


def transformer() -> _Made:
    layer = nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True)
    net = nn.Sequential(nn.TransformerEncoder(layer, 4), nn.Linear(128, 10))
    return net, torch.randn(8, 64, 128)


@dataclass(frozen=True)
class Case:
    """A kind of training, and how much longer a step of it may take when watched."""

    make: Callable[[], _Made]
    goal: float
    steps: int
    """Steps per third of a round."""
    micro_batches: int = 1
    clears: bool = True


CASES = {
    "small MLP": Case(mlp, 1.15, 120),
    "small MLP, 4 micro-batches": Case(mlp, 1.20, 40, micro_batches=4),
    "400 small layers": Case(many_layers, 1.20, 6),
    "small MLP, once stale": Case(mlp, 1.50, 120, clears=False),
    "CNN": Case(cnn, 1.05, 3),
    "transformer": Case(transformer, 1.05, 8),
}


class Training:
    """A model in training; `run` takes steps and says how long each took."""

    def __init__(self, case: Case) -> None:
        torch.manual_seed(0)
        self.case = case
        self.net, self.batch = case.make()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=1e-5, momentum=0.9)

    def run(self, steps: int) -> list[float]:
        times = []
        for _ in range(steps):
            started = time.process_time()
            if self.case.clears:
                self.optimizer.zero_grad()
            for _ in range(self.case.micro_batches):
                self.net(self.batch).float().pow(2).mean().backward()
            self.optimizer.step()
            times.append(time.process_time() - started)
        return times


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    case: str
    plain_ms: float
    watched_ms: float
    slowdown: float
    control: float
    goal: float


def measure(name: str, rounds: int, steps: int | None) -> Row:
    case = CASES[name]
    steps = steps or case.steps
    training = Training(case)
    recorder = Recorder()
    training.run(steps)
    with installed(recorder):
        training.run(steps)
    plain: list[float] = []
    watched: list[float] = []
    ratios: list[float] = []
    controls: list[float] = []
    for _ in range(rounds):
        before = training.run(steps)
        with installed(recorder):
            during = training.run(steps)
        after = training.run(steps)
        plain += before + after
        watched += during
        ratios.append(2 * faster(during) / (faster(before) + faster(after)))
        controls.append(faster(after) / faster(before))
    return Row(
        name,
        round(faster(plain) * 1e3, 3),
        round(faster(watched) * 1e3, 3),
        round(statistics.median(ratios), 3),
        round(statistics.median(controls), 3),
        case.goal,
    )


def faster(times: list[float]) -> float:
    return statistics.quantiles(times, n=4)[0]


def memory(steps: int) -> int:
    """Bytes that Python holds more after so many watched steps."""
    training = Training(CASES["small MLP"])
    gc.collect()
    tracemalloc.start()
    recorder = Recorder()
    with installed(recorder):
        training.run(steps)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, help="steps per third of a round")
    parser.add_argument("--only", choices=CASES, action="append", help="only this kind of training")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows = [measure(name, args.rounds, args.steps) for name in args.only or CASES]
    held = {} if args.only else {steps: memory(steps) for steps in (200, 2000)}
    if args.json:
        print(json.dumps({"cost": [vars(row) for row in rows], "bytes_held": held}, indent=2))
        return
    print(f"{'training':28} plain ms  watched ms  slowdown  control  goal")
    for row in rows:
        print(
            f"{row.case:28} {row.plain_ms:8}  {row.watched_ms:10}  {row.slowdown:8}  "
            f"{row.control:7}  {row.goal}"
        )
    for steps, size in held.items():
        print(f"memory held after {steps} steps: {size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
