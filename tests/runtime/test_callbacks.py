"""Callbacks for the loops of frameworks, and the numbers as scalars."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import zerograd_lint
from zerograd_lint.callbacks.audited_training import GradientBug, GradientBugWarning

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


class Scalars:
    """Takes numbers as TensorBoard's writer does."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, float, int]] = []

    def add_scalar(self, tag: str, scalar_value: float, global_step: int, /) -> None:
        self.taken.append((tag, scalar_value, global_step))


def forgets(steps: int) -> None:
    w = nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(steps):
        w.sum().backward()
        optimizer.step()


def test_scalars_for_tensorboard() -> None:
    with zerograd_lint.audit() as report:
        forgets(4)
    writer = Scalars()
    report.write_scalars(writer)
    assert {tag for tag, _, _ in writer.taken} == {
        "optimizer 1/gradient norm",
        "optimizer 1/relative error",
        "optimizer 1/loss",
    }
    errors = [value for tag, value, _ in writer.taken if tag.endswith("relative error")]
    assert errors == pytest.approx([2.0, 3.0])


def test_a_real_writer_takes_them(tmp_path: Path) -> None:
    tensorboard = pytest.importorskip("torch.utils.tensorboard", exc_type=ImportError)
    with zerograd_lint.audit() as report:
        forgets(4)
    with tensorboard.SummaryWriter(str(tmp_path)) as writer:
        report.write_scalars(writer)
    assert list(tmp_path.iterdir())


def lightning_module(lightning: Any, *, wrong: bool) -> Any:
    class Module(lightning.LightningModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Linear(4, 1)
            self.automatic_optimization = False

        def training_step(self, batch: Any, index: int) -> None:
            optimizer = self.optimizers()
            if not wrong:
                optimizer.zero_grad()
            self.manual_backward(self.net(batch[0]).pow(2).mean())
            optimizer.step()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.01)

    return Module()


@pytest.mark.parametrize("wrong", [False, True], ids=["right", "wrong"])
def test_lightning(wrong: bool, tmp_path: Path) -> None:
    lightning = pytest.importorskip("lightning.pytorch", exc_type=ImportError)
    from lightning.pytorch.loggers import CSVLogger

    from zerograd_lint.callbacks.lightning_audit import GradientAudit

    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    callback = GradientAudit()
    trainer = lightning.Trainer(
        max_epochs=1,
        accelerator="cpu",
        callbacks=[callback],
        logger=CSVLogger(str(tmp_path)),
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
    )
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(24, 4)), 4)
    module = lightning_module(lightning, wrong=wrong)
    if wrong:
        with pytest.raises(GradientBug, match="stale: SGD"):
            trainer.fit(module, data)
    else:
        trainer.fit(module, data)
        assert "gradient norm" in next(tmp_path.rglob("metrics.csv")).read_text()
    assert callback.report.steps == 6
    assert callback.report.kinds() == ({"stale"} if wrong else set())


@pytest.mark.parametrize("wrong", [False, True], ids=["right", "wrong"])
def test_transformers(wrong: bool, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", exc_type=ImportError)
    from zerograd_lint.callbacks.transformers_audit import GradientAuditCallback

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Linear(4, 1)

        def forward(self, x: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
            return {"loss": (self.net(x) - labels).pow(2).mean()}

        def zero_grad(self, set_to_none: bool = True) -> None:
            if not wrong:
                super().zero_grad(set_to_none)

    examples = [{"x": torch.randn(4), "labels": torch.randn(1)} for _ in range(24)]
    callback = GradientAuditCallback(fail=False)
    trainer = transformers.Trainer(
        model=Net(),
        args=transformers.TrainingArguments(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            num_train_epochs=1,
            use_cpu=True,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
        ),
        train_dataset=examples,
        callbacks=[callback],
    )
    if wrong:
        with pytest.warns(GradientBugWarning, match="stale"):
            trainer.train()
    else:
        trainer.train()
    assert callback.report.steps == 6
    assert callback.report.kinds() == ({"stale"} if wrong else set())
