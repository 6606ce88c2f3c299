"""The functions of torch that an audit replaces while it runs, and puts back afterwards.

They are replaced once for all recorders that listen, in whatever order those come and go.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim import optimizer as optimizer_module

from ..judging.scaled_losses import mark_scaled
from .recorder import Recorder

_lock = threading.Lock()
_undo = ExitStack()
_listening: tuple[Recorder, ...] = ()


@contextmanager
def installed(recorder: Recorder) -> Iterator[None]:
    """Report every gradient event of the process to `recorder` until the block ends."""
    _start(recorder)
    try:
        yield
    finally:
        _stop(recorder)


def _start(recorder: Recorder) -> None:
    global _listening
    with _lock:
        if not _listening:
            _replace_backward()
            _replace_optimizers()
            _replace_scalers()
            _replace_clipping()
        _listening = (*_listening, recorder)


def _stop(recorder: Recorder) -> None:
    global _listening
    with _lock:
        _listening = tuple(each for each in _listening if each is not recorder)
        if not _listening:
            _undo.close()


def _replace(place: Any, name: str, wrapper: Callable[..., Any]) -> None:
    original = getattr(place, name)
    functools.update_wrapper(wrapper, original)
    # Dynamo must neither trace nor choke on what we put in its way; this is the attribute that
    # torch.compiler.disable sets, without importing the compiler.
    wrapper._torchdynamo_disable = True  # type: ignore[attr-defined]
    setattr(place, name, wrapper)

    def put_back() -> None:
        # Where something else has been put on top of ours, that stays; ours then does nothing.
        if getattr(place, name) is wrapper:
            setattr(place, name, original)

    _undo.callback(put_back)


def _replace_backward() -> None:
    original = torch.autograd.backward

    def backward(tensors: Any, *args: Any, **kwargs: Any) -> None:
        listening = _listening
        roots = [tensors] if isinstance(tensors, Tensor) else _as_list(tensors)
        for recorder in listening:
            recorder.backward_begins(roots, sys._getframe(1))
        try:
            original(tensors, *args, **kwargs)
        finally:
            for recorder in listening:
                recorder.backward_ends()

    _replace(torch.autograd, "backward", backward)


def _as_list(tensors: Any) -> list[object]:
    return list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]


def _replace_optimizers() -> None:
    add_param_group = Optimizer.add_param_group

    def grow(self: Optimizer, param_group: dict[str, Any]) -> None:
        add_param_group(self, param_group)
        for recorder in _listening:
            recorder.optimizer_grew(self)

    _replace(Optimizer, "add_param_group", grow)

    def before(optimizer: Optimizer, args: Any, kwargs: Any) -> Any:
        changed = None
        for recorder in _listening:
            changed = recorder.step_begins(optimizer, args, kwargs, sys._getframe(1)) or changed
            args, kwargs = changed or (args, kwargs)
        return changed

    def after(optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        for recorder in _listening:
            recorder.step_ends(optimizer)

    before._torchdynamo_disable = True  # type: ignore[attr-defined]
    after._torchdynamo_disable = True  # type: ignore[attr-defined]
    _undo.callback(optimizer_module.register_optimizer_step_pre_hook(before).remove)
    _undo.callback(optimizer_module.register_optimizer_step_post_hook(after).remove)


def _replace_scalers() -> None:
    scaler_class = _scaler_class()
    if scaler_class is None:
        return
    _replace(scaler_class, "scale", _scaling(scaler_class.scale))
    _replace(scaler_class, "unscale_", _unscaling(scaler_class.unscale_))
    _replace(scaler_class, "step", _scaler_stepping(scaler_class.step))


def _scaling(scale: Callable[..., Any]) -> Callable[..., Any]:
    def observed_scale(self: Any, outputs: Any) -> Any:
        scaled = scale(self, outputs)
        if self._enabled:
            mark_scaled(scaled, self._scale.clone() if self._scale is not None else None)
        for recorder in _listening:
            recorder.scaler.in_use |= self._enabled
            recorder.scaler.switched_off |= not self._enabled
        return scaled

    return observed_scale


def _unscaling(unscale: Callable[..., Any]) -> Callable[..., Any]:
    def observed_unscale(self: Any, optimizer: Optimizer) -> Any:
        with _rescaling([each for group in optimizer.param_groups for each in group["params"]]):
            result = unscale(self, optimizer)
        if self._enabled:
            for recorder in _listening:
                recorder.unscaled(optimizer)
        return result

    return observed_unscale


def _scaler_stepping(step: Callable[..., Any]) -> Callable[..., Any]:
    def observed_step(self: Any, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        begun = [(each, each.scaler_step_begins(optimizer)) for each in _listening]
        try:
            return step(self, optimizer, *args, **kwargs)
        finally:
            for recorder, steps_before in begun:
                if steps_before is not None:
                    recorder.scaler_step_ends(optimizer, steps_before, sys._getframe(1))

    return observed_step


def _scaler_class() -> Any:
    """GradScaler's base class moved from `torch.cuda.amp` to `torch.amp` in torch 2.3."""
    if hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler
    return getattr(torch.cuda.amp, "GradScaler", None)


def _replace_clipping() -> None:
    from torch.nn import utils
    from torch.nn.utils import clip_grad

    for name in ("clip_grad_norm_", "clip_grad_value_"):
        wrapper = _clipping(getattr(clip_grad, name))
        _replace(clip_grad, name, wrapper)
        _replace(utils, name, wrapper)


def _clipping(original: Callable[..., Any]) -> Callable[..., Any]:
    def clip(parameters: Any, *args: Any, **kwargs: Any) -> Any:
        chosen: Sequence[Tensor]
        chosen = [parameters] if isinstance(parameters, Tensor) else list(parameters)
        for recorder in _listening:
            recorder.clipped(chosen, sys._getframe(1))
        with _rescaling(chosen):
            return original(chosen, *args, **kwargs)

    return clip


@contextmanager
def _rescaling(parameters: Sequence[Tensor]) -> Iterator[None]:
    begun = [(recorder, recorder.rescaling_begins(parameters)) for recorder in _listening]
    yield
    for recorder, accounts in begun:
        recorder.rescaling_ends(accounts or [])
