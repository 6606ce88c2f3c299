"""The functions of torch that an audit replaces while it runs, and puts back afterwards."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim import optimizer as optimizer_module

from .recorder import Recorder


@contextmanager
def installed(recorder: Recorder) -> Iterator[None]:
    """Report every gradient event to `recorder` until the block ends."""
    with ExitStack() as undo:
        _listen_to_backward(recorder, undo)
        _listen_to_optimizers(recorder, undo)
        _listen_to_scalers(recorder, undo)
        _listen_to_clipping(recorder, undo)
        yield


def _replace(undo: ExitStack, place: Any, name: str, wrapper: Callable[..., Any]) -> None:
    original = getattr(place, name)
    functools.update_wrapper(wrapper, original)
    # Dynamo must neither trace nor choke on what we put in its way; this is the attribute that
    # torch.compiler.disable sets, without importing the compiler.
    wrapper._torchdynamo_disable = True  # type: ignore[attr-defined]
    setattr(place, name, wrapper)
    undo.callback(setattr, place, name, original)


def _listen_to_backward(recorder: Recorder, undo: ExitStack) -> None:
    original = torch.autograd.backward

    def backward(tensors: Any, *args: Any, **kwargs: Any) -> None:
        roots = [tensors] if isinstance(tensors, Tensor) else _as_list(tensors)
        recorder.backward_begins(roots, sys._getframe(1))
        try:
            original(tensors, *args, **kwargs)
        finally:
            recorder.backward_ends()

    _replace(undo, torch.autograd, "backward", backward)


def _as_list(tensors: Any) -> list[object]:
    return list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]


def _listen_to_optimizers(recorder: Recorder, undo: ExitStack) -> None:
    add_param_group = Optimizer.add_param_group

    def grow(self: Optimizer, param_group: dict[str, Any]) -> None:
        add_param_group(self, param_group)
        recorder.optimizer_grew(self)

    _replace(undo, Optimizer, "add_param_group", grow)

    def before(optimizer: Optimizer, args: Any, kwargs: Any) -> Any:
        return recorder.step_begins(optimizer, args, kwargs, sys._getframe(1))

    def after(optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        recorder.step_ends(optimizer)

    before._torchdynamo_disable = True  # type: ignore[attr-defined]
    after._torchdynamo_disable = True  # type: ignore[attr-defined]
    undo.callback(optimizer_module.register_optimizer_step_pre_hook(before).remove)
    undo.callback(optimizer_module.register_optimizer_step_post_hook(after).remove)


def _listen_to_scalers(recorder: Recorder, undo: ExitStack) -> None:
    scaler_class = _scaler_class()
    if scaler_class is None:
        return
    scale, unscale, step = scaler_class.scale, scaler_class.unscale_, scaler_class.step

    def observed_scale(self: Any, outputs: Any) -> Any:
        if self._enabled:
            recorder.scaler.loss_scaled()
        return scale(self, outputs)

    def observed_unscale(self: Any, optimizer: Optimizer) -> Any:
        result = unscale(self, optimizer)
        recorder.scaler.unscaled(recorder.optimizers.of(optimizer).key)
        return result

    def observed_step(self: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        record = recorder.optimizers.of(optimizer)
        steps_before = record.steps
        recorder.scaler.step_begins(record.key)
        try:
            result = step(self, optimizer, *args, **kwargs)
        finally:
            recorder.scaler.step_ends()
        if record.steps == steps_before:
            recorder.step_was_skipped(optimizer, sys._getframe(1))
        return result

    _replace(undo, scaler_class, "scale", observed_scale)
    _replace(undo, scaler_class, "unscale_", observed_unscale)
    _replace(undo, scaler_class, "step", observed_step)


def _scaler_class() -> Any:
    """GradScaler's base class moved from `torch.cuda.amp` to `torch.amp` in torch 2.3."""
    if hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler
    return getattr(torch.cuda.amp, "GradScaler", None)


def _listen_to_clipping(recorder: Recorder, undo: ExitStack) -> None:
    from torch.nn import utils
    from torch.nn.utils import clip_grad

    for name in ("clip_grad_norm_", "clip_grad_value_"):
        wrapper = _clipping(recorder, getattr(clip_grad, name))
        _replace(undo, clip_grad, name, wrapper)
        _replace(undo, utils, name, wrapper)


def _clipping(recorder: Recorder, original: Callable[..., Any]) -> Callable[..., Any]:
    def clip(parameters: Any, *args: Any, **kwargs: Any) -> Any:
        chosen: Sequence[Tensor]
        chosen = [parameters] if isinstance(parameters, Tensor) else list(parameters)
        recorder.clipped(chosen, sys._getframe(1))
        return original(chosen, *args, **kwargs)

    return clip
