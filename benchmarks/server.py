"""How fast the language server answers, and whether its memory stays flat.

    python -m benchmarks.server                 all of it, about five minutes
    python -m benchmarks.server --edits 1000    a shorter run for memory

A real server process is driven over its standard streams, as an editor would. Times are by the
clock, from sending a change to having its diagnostics; CPU time of the server stands beside them,
because the clock also measures what else the machine is doing.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.server.client import Client, replacing

TYPING_PAUSE = 0.1
"""Seconds between two keys of a fast typist."""

_HEAD = """\
import argparse
import math
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
"""
_FILLER = '''

class Block{n}(nn.Module):
    """A residual block with its own normalisation."""

    def __init__(self, width: int, hidden: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, hidden)
        self.outer = nn.Linear(hidden, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.inner(self.norm(inputs)))
        return inputs + self.dropout(self.outer(hidden))


def read_table_{n}(path: Path, limit: int | None = None) -> dict[str, list[float]]:
    """Read a table of numbers, column by column."""
    columns: dict[str, list[float]] = {{}}
    for number, line in enumerate(path.read_text().splitlines()):
        if limit is not None and number >= limit:
            break
        name, _, rest = line.partition(",")
        values = [float(word) for word in rest.split(",") if word.strip()]
        columns.setdefault(name, []).extend(values)
    return {{name: values for name, values in columns.items() if values}}
'''
_TRAINING = """

def evaluate(model, loader, criterion, device):
    model.eval()
    total = correct = 0
    with torch.no_grad():
        for inputs, targets in loader:
            outputs = model(inputs.to(device))
            total += len(targets)
            correct += int((outputs.argmax(1) == targets.to(device)).sum())
    return correct / max(total, 1)


def train_epoch(model, loader, optimizer, scheduler, scaler, criterion, args, device):
    model.train()
    running = 0.0
    for step, (inputs, targets) in enumerate(loader):
        inputs, targets = inputs.to(device), targets.to(device)
        with torch.autocast(device.type, enabled=args.amp):
            loss = criterion(model(inputs), targets) / args.accumulate
        scaler.scale(loss).backward()
        running += loss.item()
        if (step + 1) % args.accumulate == 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            scheduler.step()
    return running / max(len(loader), 1)


def train_baseline(model, loader, criterion, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for inputs, targets in loader:
            loss = criterion(model(inputs), targets)
            loss.backward()
            optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--amp", action="store_true")
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Block0(32, 64).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    scaler = torch.amp.GradScaler(enabled=args.amp)
    loader = DataLoader(torch.utils.data.TensorDataset(torch.randn(9, 32), torch.ones(9).long()))
    for epoch in range(args.epochs):
        loss = train_epoch(
            model, loader, optimizer, scheduler, scaler, criterion, args, device
        )
        print(epoch, loss, evaluate(model, loader, criterion, device), math.exp(-loss))


if __name__ == "__main__":
    main()
"""


_STATEMENT = 'nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)  # "norm"'


def training_file(lines: int = 1000) -> str:
    """A training script of about so many lines: most of it models and reading, one bug in it."""
    count = (lines - _HEAD.count("\n") - _TRAINING.count("\n")) // _FILLER.count("\n")
    return _HEAD + "".join(_FILLER.format(n=n) for n in range(count)) + _TRAINING


def row(what: str, value: str, note: str = "") -> None:
    print(f"{what:<58}{value:>12}   {note}", flush=True)


def cpu_seconds(process: int) -> float:
    """CPU time that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process: int) -> float:
    """Memory that a process has in use."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Typist:
    """Types one character after another at random places, and waits for the diagnostics."""

    def __init__(self, client: Client, uri: str, text: str) -> None:
        self._client = client
        self._uri = uri
        self._lines = text.split("\n")
        self._version = 1
        self._chance = random.Random(0)

    def type(self) -> float:
        """Add or take away a character at the end of a line, as a comment; the seconds it took."""
        number = self._chance.randrange(len(self._lines))
        line = self._lines[number]
        comment = line.rfind("  #")
        if comment >= 0 and len(line) > comment + 20:
            change = replacing("", number, comment, len(line))
            self._lines[number] = line[:comment]
        else:
            added = "x" if comment >= 0 else "  #"
            change = replacing(added, number, len(line), len(line))
            self._lines[number] = line + added
        took, found = self._send(change)
        assert [d["code"] for d in found] == ["ZG001"], found
        return took

    def write(self, statement: str, number: int) -> Iterator[float]:
        """Type a statement into a line of its own, key by key, and take it out again."""
        yield self._send(replacing("\n", number, 0, 0))[0]
        for column, key in enumerate(statement):
            yield self._send(replacing(key, number, column, column))[0]
        taken_out = replacing("", number, 0, 0)
        taken_out["range"]["end"] = {"line": number + 1, "character": 0}
        took, found = self._send(taken_out)
        assert [d["code"] for d in found] == ["ZG001"], found
        yield took

    def _send(self, change: dict[str, Any]) -> tuple[float, list[dict[str, Any]]]:
        """A change; the seconds until its diagnostics are there, and these."""
        self._version += 1
        started = time.perf_counter()
        self._client.change(self._uri, self._version, change)
        found = self._client.published(self._uri, self._version)
        took = time.perf_counter() - started
        self._client.received.clear()
        return took, found


def measure_first(folder: Path, text: str, runs: int) -> None:
    """From opening the first file in a new server to its diagnostics."""
    at_once: list[float] = []
    settled: list[float] = []
    memory = 0.0
    for number in range(2 * runs):
        client = Client(folder / "cache", cwd=folder)
        client.start(folder)
        if number % 2:
            time.sleep(2)
        uri = (folder / "train.py").as_uri()
        started = time.perf_counter()
        client.open(uri, text)
        client.published(uri, 1)
        (settled if number % 2 else at_once).append(time.perf_counter() - started)
        memory = megabytes(client.process.pid)
        client.stop()
    row("first diagnostics after opening, in a server just started", f"{min(at_once):.2f} s")
    row("  in one that has been idle for two seconds", f"{min(settled):.2f} s", "at most 0.6")
    row("  memory after that", f"{memory:.0f} MB")


def measure_changes(folder: Path, text: str, changes: int, edits: int) -> None:
    """Warm changes one at a time, then many in a row for the memory."""
    client = Client(folder / "cache", cwd=folder)
    client.start(folder)
    uri = (folder / "train.py").as_uri()
    client.open(uri, text)
    client.published(uri, 1)
    typist = Typist(client, uri, text)
    for _ in range(20):
        typist.type()
    process = client.process.pid
    before = cpu_seconds(process)
    took = []
    for _ in range(changes):
        time.sleep(TYPING_PAUSE)
        took.append(1000 * typist.type())
    spent = 1000 * (cpu_seconds(process) - before) / changes
    row("change to diagnostics, warm: median", f"{median(took):.0f} ms")
    row("  95th percentile", f"{quantiles(took, n=20)[-1]:.0f} ms", "at most 50")
    row("  CPU time of the server per change", f"{spent:.0f} ms")
    took = []
    for number, line in enumerate(text.split("\n")):
        indent = line[: len(line) - len(line.lstrip())]
        for seconds in typist.write(indent + _STATEMENT, number) if ".backward()" in line else ():
            took.append(1000 * seconds)
            time.sleep(TYPING_PAUSE)
    row("a statement typed into each training loop: median", f"{median(took):.0f} ms")
    row("  95th percentile", f"{quantiles(took, n=20)[-1]:.0f} ms", "at most 50")
    start = megabytes(process)
    marks = []
    for number in range(1, edits + 1):
        typist.type()
        if number % max(edits // 10, 1) == 0:
            marks.append(megabytes(process))
    row(f"memory before {edits:,} edits", f"{start:.0f} MB")
    row("  after every tenth of them", " ".join(f"{mark:.0f}" for mark in marks))
    client.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=300)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--lines", type=int, default=1000)
    arguments = parser.parse_args()
    text = training_file(arguments.lines)
    print(f"a training file of {text.count(chr(10)):,} lines; load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        measure_first(Path(name), text, runs=3)
        measure_changes(Path(name), text, arguments.changes, arguments.edits)


if __name__ == "__main__":
    main()
