"""What watching costs: the time of a training step with the audit over the time without.

    python benchmarks/audit_cost.py [--steps N] [--rounds N] [--json]

Both are measured in one process and in its CPU time, in short rounds that alternate. A busy machine
only ever adds time, so a round counts by its faster steps (the first quartile); the slowdown is the
median of the rounds' ratios. One recorder listens
through all rounds, as in a long run.
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

import torch
from torch import nn

from zerograd_lint.runtime.hooks.recorder import Recorder
from zerograd_lint.runtime.hooks.torch_hooks import installed

GOALS = {"MLP": 1.20, "CNN": 1.05, "transformer": 1.05}


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


def mlp() -> tuple[nn.Module, torch.Tensor]:
    net = nn.Sequential(
        nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10)
    )
    return net, torch.randn(64, 64)


def cnn() -> tuple[nn.Module, torch.Tensor]:
    """The 11 million parameters and 62 tensors of a ResNet-18 for small images."""
    widths = (64, 64, 128, 128, 256, 256, 512, 512)
    layers: list[nn.Module] = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    inside = 64
    for index, width in enumerate(widths):
        layers.append(Residual(inside, width, 2 if index in (2, 4, 6) else 1))
        inside = width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)]
    return nn.Sequential(*layers), torch.randn(8, 3, 32, 32)


def transformer() -> tuple[nn.Module, torch.Tensor]:
    layer = nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True)
    net = nn.Sequential(nn.TransformerEncoder(layer, 4), nn.Linear(128, 10))
    return net, torch.randn(8, 64, 128)


MODELS: dict[str, Callable[[], tuple[nn.Module, torch.Tensor]]] = {
    "MLP": mlp,
    "CNN": cnn,
    "transformer": transformer,
}


class Training:
    """A model in training; `run` takes steps and says how long each took."""

    def __init__(self, make: Callable[[], tuple[nn.Module, torch.Tensor]]) -> None:
        torch.manual_seed(0)
        self.net, self.batch = make()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=1e-3, momentum=0.9)

    def run(self, steps: int) -> list[float]:
        times = []
        for _ in range(steps):
            started = time.process_time()
            self.optimizer.zero_grad()
            loss = self.net(self.batch).float().pow(2).mean()
            loss.backward()
            self.optimizer.step()
            times.append(time.process_time() - started)
        return times


def slowdown(name: str, steps: int, rounds: int) -> tuple[float, float, float]:
    """A step without the audit, a step with it, and the median of the rounds' ratios."""
    training = Training(MODELS[name])
    training.run(steps)
    recorder = Recorder()
    plain: list[float] = []
    watched: list[float] = []
    ratios: list[float] = []
    for _ in range(rounds):
        before = training.run(steps)
        with installed(recorder):
            during = training.run(steps)
        plain += before
        watched += during
        ratios.append(faster(during) / faster(before))
    return faster(plain), faster(watched), statistics.median(ratios)


def faster(times: list[float]) -> float:
    return statistics.quantiles(times, n=4)[0]


def memory(steps: int) -> int:
    """Bytes that Python holds more after so many watched steps."""
    training = Training(mlp)
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
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--steps", type=int, help="steps per round")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name, per_round in (("MLP", 200), ("CNN", 4), ("transformer", 12)):
        plain, watched, ratio = slowdown(name, args.steps or per_round, args.rounds)
        rows.append(
            {
                "model": name,
                "plain_ms": round(plain * 1e3, 3),
                "audited_ms": round(watched * 1e3, 3),
                "slowdown": round(ratio, 3),
                "goal": GOALS[name],
            }
        )
    held = {steps: memory(steps) for steps in (200, 2000)}
    if args.json:
        print(json.dumps({"slowdown": rows, "bytes_held": held}, indent=2))
        return
    print("model        plain ms  audited ms  slowdown  goal")
    for row in rows:
        print(
            f"{row['model']:12} {row['plain_ms']:8}  {row['audited_ms']:10}  "
            f"{row['slowdown']:8}  {row['goal']}"
        )
    for steps, size in held.items():
        print(f"memory held after {steps} steps: {size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
