"""A callback for the Trainer of Hugging Face: `Trainer(…, callbacks=[GradientAuditCallback()])`."""

from __future__ import annotations

from typing import Any

from transformers import TrainerCallback

from .audited_training import AuditedTraining


class GradientAuditCallback(TrainerCallback):  # type: ignore[misc]
    """Audits `train`; afterwards `callback.report` holds what was seen."""

    def __init__(self, *, fail: bool = True) -> None:
        self._training = AuditedTraining(fail=fail)

    @property
    def report(self) -> Any:
        """What was seen in the last training."""
        return self._training.report

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Training begins."""
        self._training.begin()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Training has ended."""
        self._training.end()
