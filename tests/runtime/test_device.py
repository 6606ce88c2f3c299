"""`--device NAME`: the program runs there, whatever devices it names itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command import run

_NAMES_DEVICES = """\
import threading

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
chosen = torch.device("cuda" if torch.cuda.is_available() else "cpu")
generator = torch.Generator().manual_seed(1)
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Linear(8, 3), nn.Dropout(0.1)).to(chosen)
images = torch.randn(12, 1, 4, 4, generator=generator)
train, rest = random_split(TensorDataset(images, torch.randint(3, (12,))), [10, 2])
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
bonus = nn.Parameter(torch.Tensor(3).fill_(0.5))


def loss_of(x, y):
    noise = torch.rand(3, device="cpu") + torch.from_numpy(numpy.ones(3, dtype="f4"))
    offset = torch.FloatTensor([0.1, 0.2, 0.3])
    return nn.functional.cross_entropy(net(x) + bonus + noise + offset, y)


losses = []
for x, y in DataLoader(train, 5, shuffle=True, num_workers=2, pin_memory=True):
    optimizer.zero_grad()
    loss = loss_of(x.cuda(non_blocking=True), y.to("cuda"))
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()
    losses.append(round(loss.item(), 4))
places = {parameter.device.type for parameter in net.cpu().parameters()}
places.add(loss.detach().cpu().device.type)
started = threading.Thread(target=lambda: places.add(torch.zeros(1).device.type))
started.start()
started.join()
assert numpy.isfinite(loss.detach().cpu().numpy())
assert torch.zeros(1, device="meta").is_meta
torch.save(net.state_dict(), "model.pt")
net.load_state_dict(torch.load("model.pt"))
print("places", sorted(places), losses)
"""


@pytest.fixture
def losses_on_cpu(tmp_path: Path) -> str:
    return output_on("cpu", tmp_path, None)


def output_on(device: str, folder: Path, plugins: Path | None) -> str:
    script = folder / "names_devices.py"
    script.write_text(_NAMES_DEVICES.replace('"model.pt"', repr(str(folder / "model.pt"))))
    done = run("audit", "--device", device, script, plugins=plugins)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"2 steps, 2 backward passes on {device}" in done.stdout
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("places")]
    assert line.startswith(f"places ['{device}']")
    return line.partition("]")[2]


def test_every_device_that_a_program_names_is_the_imposed_one(
    tmp_path: Path, second_device: Path, losses_on_cpu: str
) -> None:
    assert output_on("second", tmp_path, second_device) == losses_on_cpu


_SYNCHRONISING = """\
import statistics
import sys
import torch
from torch import nn


def waits_of_a_step(way):
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    waits = []
    for step in range(60):
        before = torch.second.synchronisations()
        if way != "stale":
            optimizer.zero_grad()
        for micro_batch in range(2 if way == "accumulating" else 1):
            net(torch.randn(4, 8)).pow(2).mean().backward()
        if way == "clipping":
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        waits.append(torch.second.synchronisations() - before)
    return statistics.median(waits[30:])


for way in sys.argv[1:]:
    print("waits", way, waits_of_a_step(way))
"""
_MOST_WAITS = {"plain": 0, "clipping": 0, "accumulating": 0, "stale": 1}


def test_how_often_an_audited_step_waits_for_the_device(
    tmp_path: Path, second_device: Path
) -> None:
    script = tmp_path / "synchronising.py"
    script.write_text(_SYNCHRONISING)
    done = run("audit", "--device", "second", script, "--", *_MOST_WAITS, plugins=second_device)
    lines = [line.split() for line in done.stderr.splitlines() if line.startswith("waits")]
    assert [way for _, way, _ in lines] == list(_MOST_WAITS)
    assert not [line for line in lines if float(line[2]) > _MOST_WAITS[line[1]]], lines


@pytest.mark.parametrize("command", [("audit",), ("verify", "--jobs", "1")], ids=" ".join)
def test_a_device_that_is_not_there_is_an_error(command: tuple[str, ...], tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import torch\n"
        "w = torch.zeros(1, requires_grad=True)\n"
        "optimizer = torch.optim.SGD([w], lr=0.1)\n"
        "for _ in range(3):\n"
        "    w.sum().backward()\n"
        "    optimizer.step()\n"
    )
    done = run(*command, "--device", "abacus", "--output-format", "json", script)
    assert done.returncode == 2
    assert "PyTorch finds no abacus device on this machine" in json.dumps(json.loads(done.stdout))
