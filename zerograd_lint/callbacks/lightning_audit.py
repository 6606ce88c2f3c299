"""A Lightning callback: `Trainer(callbacks=[GradientAudit()])`."""

from __future__ import annotations

from typing import Any

try:
    from lightning.pytorch.callbacks import Callback
except ImportError:
    from pytorch_lightning.callbacks import Callback

from .audited_training import AuditedTraining


class GradientAudit(Callback):  # type: ignore[misc]
    """Audits `fit`, and writes the gradient's norm and error to the trainer's loggers."""

    def __init__(self, *, fail: bool = True) -> None:
        super().__init__()
        self._training = AuditedTraining(fail=fail)

    @property
    def report(self) -> Any:
        """What was seen in the last training."""
        return self._training.report

    def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
        """Training begins."""
        self._training.begin()

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        """Training has ended."""
        try:
            self._training.end()
        finally:
            for name, step, value in self.report.scalars():
                for logger in trainer.loggers:
                    logger.log_metrics({name: value}, step=step)

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """Training was broken off."""
        self._training.abandon()
