"""`with zerograd_lint.audit()`: for one's own scripts and tests, on every device there is."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import zerograd_lint

ROOT = Path(__file__).parents[2]


def train(
    device: str, body: Callable[[nn.Module, torch.optim.Optimizer, torch.Tensor], None]
) -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(6):
        body(net, optimizer, torch.randn(8, 4, device=device))


def right(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()


def forgets(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    net(x).pow(2).mean().backward()
    optimizer.step()


def wipes(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    net(x).pow(2).mean().backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()


def test_a_right_program_is_clean(device: str) -> None:
    with zerograd_lint.audit() as report:
        train(device, right)
    assert report.clean
    assert (report.steps, report.backwards, report.devices) == (6, 6, [device])
    assert [point["step"] for point in report.curve] == [1, 2, 3, 4, 5, 6]


def test_stale_gradients_are_measured(device: str) -> None:
    with zerograd_lint.audit() as report:
        train(device, forgets)
    (stale,) = report.observations
    assert stale.kind == "stale"
    assert (stale.steps_affected, stale.steps_seen, stale.first_step) == (5, 6, 2)
    assert stale.site.file == __file__
    assert stale.deposit is not None and stale.deposit.line == stale.site.line - 1
    assert stale.relative_error is not None and stale.relative_error > 0.5
    assert stale.cosine is not None and -1 <= stale.cosine <= 1
    assert "applied gradients that an earlier step had already applied" in report.text()


def test_wiped_gradients_are_seen(device: str) -> None:
    with zerograd_lint.audit() as report:
        train(device, wipes)
    assert report.kinds() == {"wiped"}


def test_the_measured_error_is_the_true_one() -> None:
    """With a constant loss gradient the share of leftovers is known exactly."""
    w = nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=0.1)
    with zerograd_lint.audit() as report:
        for _ in range(3):
            w.sum().backward()
            optimizer.step()
    (stale,) = report.observations
    # The third step is the first one measured: two old gradients on top of one new one.
    assert stale.relative_error == pytest.approx(2.0)
    assert stale.cosine == pytest.approx(1.0)
    assert stale.wrong_share == pytest.approx(2 / 3)


def hooks() -> tuple[object, ...]:
    """Whatever of torch an audit replaces."""
    from torch.optim import optimizer as module

    return (
        torch.autograd.backward,
        torch.optim.Optimizer.add_param_group,
        torch.amp.GradScaler.step,
        nn.utils.clip_grad_norm_,
        len(module._global_optimizer_pre_hooks),
        len(module._global_optimizer_post_hooks),
    )


def test_torch_is_left_as_it_was() -> None:
    before = hooks()
    with pytest.raises(ZeroDivisionError), zerograd_lint.audit() as report:
        train("cpu", right)
        raise ZeroDivisionError
    assert hooks() == before
    assert report.steps == 6
    assert report.crash is not None and report.crash.type == "ZeroDivisionError"


def test_audits_can_be_nested() -> None:
    with zerograd_lint.audit() as outer:
        train("cpu", right)
        with zerograd_lint.audit() as inner:
            train("cpu", forgets)
    assert outer.kinds() == inner.kinds() == {"stale"}
    assert (outer.steps, inner.steps) == (12, 6)


def test_an_optimizer_from_before_the_audit_is_known() -> None:
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    forgets(net, optimizer, torch.randn(8, 4))
    with zerograd_lint.audit() as report:
        optimizer.zero_grad()
        for _ in range(4):
            forgets(net, optimizer, torch.randn(8, 4))
    assert report.kinds() == {"stale"}


def test_a_mistake_of_ours_does_not_end_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    from zerograd_lint.runtime.books.deposits import Deposits

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(Deposits, "absorb", broken)
    with zerograd_lint.audit() as report:
        train("cpu", forgets)
    assert report.failure == "RuntimeError: a mistake of ours"


def test_memory_does_not_grow_with_the_number_of_steps() -> None:
    from zerograd_lint.runtime.hooks.recorder import Recorder
    from zerograd_lint.runtime.hooks.torch_hooks import installed

    recorder = Recorder()
    w = nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=1e-6)
    with installed(recorder):
        for _ in range(2000):  # the worst case: nothing is ever cleared
            w.sum().backward()
            optimizer.step()
    (account,) = recorder.book.accounts()
    assert len(account.applied) <= 64
    assert len(recorder.report().curve) <= 64
    assert recorder.report().curve[-1]["step"] > 1800


def test_pickled_gradients_and_parameters_carry_nothing_of_ours() -> None:
    import copy
    import pickle

    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    with zerograd_lint.audit():
        right(net, optimizer, torch.randn(8, 4))
        assert "zerograd" not in repr(pickle.dumps(net.state_dict()))
        assert "zerograd" not in repr(pickle.dumps(optimizer.state_dict()))
        copy.deepcopy(net)(torch.randn(2, 4)).sum().backward()


def test_overlapping_audits_leave_no_hooks_behind() -> None:
    first, second = zerograd_lint.audit(), zerograd_lint.audit()
    before = hooks()
    one = first.__enter__()
    train("cpu", right)
    other = second.__enter__()
    train("cpu", forgets)
    first.__exit__(None, None, None)
    train("cpu", wipes)
    second.__exit__(None, None, None)
    assert hooks() == before
    assert (one.steps, one.kinds()) == (12, {"stale"})
    assert (other.steps, other.kinds()) == (12, {"stale", "wiped"})


def test_two_threads_with_an_audit_each_leave_no_hooks_behind() -> None:
    """In a process of its own: reading gradients that another thread writes would end it."""
    program = f"from {__name__} import audit_in_two_threads; audit_in_two_threads(rounds=100)"
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr


def audit_in_two_threads(rounds: int) -> None:
    before = hooks()
    reports = []

    def watch() -> None:
        for _ in range(rounds):
            with zerograd_lint.audit() as report:
                train("cpu", right)
            reports.append(report)

    threads = [threading.Thread(target=watch) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hooks() == before
    assert len(reports) == 2 * rounds
    assert [report.text() for report in reports if not report.clean] == []


def test_what_another_library_put_on_top_stays() -> None:
    before = torch.autograd.backward
    with zerograd_lint.audit():
        ours = torch.autograd.backward

        def theirs(*args: Any, **kwargs: Any) -> None:
            ours(*args, **kwargs)

        torch.autograd.backward = theirs
    try:
        assert torch.autograd.backward is theirs
        train("cpu", right)
    finally:
        torch.autograd.backward = before


def test_one_model_trained_by_several_threads_is_said_to_be_unjudgeable() -> None:
    """As Hogwild does; the barrier makes the passes overlap."""
    w = nn.Parameter(torch.zeros(3))
    together = threading.Barrier(2)

    def wait_for_the_other(gradient: torch.Tensor) -> None:
        together.wait(timeout=30)

    w.register_hook(wait_for_the_other)

    def train_shared() -> None:
        optimizer = torch.optim.SGD([w], lr=0.1)
        w.sum().backward()
        optimizer.step()

    with zerograd_lint.audit() as report:
        threads = [threading.Thread(target=train_shared) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not report.clean
    assert "two threads ran backward passes into the same parameters" in report.text()


def test_a_later_model_trained_by_hand_is_found() -> None:
    def by_hand(net: nn.Module, *, clear: bool) -> None:
        for _ in range(6):
            net(torch.randn(8, 4)).pow(2).mean().backward()
            with torch.no_grad():
                for p in net.parameters():
                    p -= 0.05 * p.grad
            if clear:
                net.zero_grad()

    with zerograd_lint.audit() as report:
        for number in range(4):
            by_hand(nn.Linear(4, 1), clear=number < 3)
    assert report.kinds() == {"stale"}


def test_inside_the_block_nothing_is_clean_yet() -> None:
    with zerograd_lint.audit() as report:
        train("cpu", right)
        assert not report.clean
        assert "still running" in report.text()
    assert report.clean


def test_the_meta_device_is_named() -> None:
    with zerograd_lint.audit() as report:
        train("meta", right)
    assert not report.clean
    assert "meta device hold no numbers" in report.text()


def test_gradients_of_inference_mode_are_watched_as_well() -> None:
    w = nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=0.1)
    with zerograd_lint.audit() as report:
        for _ in range(4):
            with torch.inference_mode():
                w.grad = torch.ones(3)
            optimizer.step()
            optimizer.zero_grad()
    assert report.text().startswith("no gradient bug was seen")
    assert report.steps == 4


def test_parameters_that_training_passes_by_are_named() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body, self.head, self.spare = (nn.Linear(4, 4) for _ in range(3))

    net = Net()
    optimizer = torch.optim.SGD([*net.head.parameters(), *net.spare.parameters()], lr=0.1)
    with zerograd_lint.audit() as report:
        for _ in range(3):
            optimizer.zero_grad()
            net.head(net.body(torch.randn(8, 4))).pow(2).mean().backward()
            optimizer.step()
    assert report.clean
    assert report.notes == [
        "in no optimizer, though gradients arrive: Net.body.bias, Net.body.weight",
        "held by SGD, though no gradient arrives: Net.spare.bias, Net.spare.weight",
    ]
    assert "note: in no optimizer" in report.text()


@pytest.mark.parametrize("clears", [True, False])
def test_a_worker_that_takes_over_the_shared_values_is_not_updated_by_hand(clears: bool) -> None:
    torch.manual_seed(0)
    shared, worker = nn.Linear(3, 1), nn.Linear(3, 1)
    optimizer = torch.optim.SGD(shared.parameters(), lr=0.05)
    with zerograd_lint.audit() as report:
        for _ in range(8):
            worker.load_state_dict(shared.state_dict())
            optimizer.zero_grad()
            if clears:
                worker.zero_grad()
            worker(torch.randn(8, 3)).pow(2).mean().backward()
            for own, lent in zip(shared.parameters(), worker.parameters(), strict=True):
                own.grad = lent.grad
            optimizer.step()
    assert report.steps == 8
    assert [each.owner for each in report.observations] == ([] if clears else ["SGD.step()"])
