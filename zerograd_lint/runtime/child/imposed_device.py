"""Makes a program run on one device: whatever device it names, it gets this one.

All tensors live there, as they all live on the CPU where there is nothing else, so that no program
has to be written for it. Only numbers for numpy leave it.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

from .gathered_tensors import drawn_on_cpu, gathered, has_generator_of_cpu

_OWN_PACKAGE = __name__.split(".")[0]
_KEPT = frozenset({"meta"})
"""Devices that hold no numbers, and that a program asks for on purpose."""

Arguments = tuple[Any, ...]
Keywords = dict[str, Any]


def why_missing(name: str) -> str | None:
    """Why nothing can run on this device, in one line; None if something can."""
    try:
        torch.empty(1, device=name)
    except Exception as error:
        reason = str(error).splitlines()[0]
        return f"--device {name}: PyTorch finds no {name} device on this machine: {reason}"
    return f"--device {name}: it computes nothing" if torch.device(name).type in _KEPT else None


def impose(name: str) -> None:
    """Move all that this process does from now on to this device."""
    mode = ImposedDevice(torch.device(name))
    mode.__enter__()  # type: ignore[no-untyped-call]
    _move_modules(mode)
    _move_memory_of_numpy(mode)
    _enter_in_threads(mode)
    if mode.device.type != "cuda":
        # One function each: the compiler keeps a table of torch's functions by identity.
        torch.cuda.synchronize = _doing_nothing()
        torch.cuda.set_device = _doing_nothing()
    if mode.device.type != "cpu":
        _load_in_this_process()


class ImposedDevice(TorchFunctionMode):
    """Sees every call of a torch function first, and replaces the device in its arguments."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self.device = device
        self._replaced: dict[Any, Callable[..., Any]] = {
            Tensor.cuda: self._moved,
            Tensor.cpu: self._moved,
            Tensor.backward: self._backward,
            # Pinned memory is a matter of speed, and not of every device.
            Tensor.pin_memory: lambda tensor, *words, **options: tensor,
        }
        if device.type != "cpu":
            self._replaced |= {
                each: functools.partial(_from_cpu, each)
                for each in (Tensor.numpy, Tensor.__array__)
            }

    def __torch_function__(
        self, func: Any, types: Any, args: Arguments = (), kwargs: Keywords | None = None
    ) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "").split(".")[0]
        options = dict(kwargs or {})
        if caller == _OWN_PACKAGE:
            return func(*args, **options)
        replaced = self._replaced.get(func)
        if replaced is not None:
            # What torch itself moves to the CPU, as for a file or for printing, has to go there.
            is_for_torch = caller == "torch" and func is Tensor.cpu
            return func(*args, **options) if is_for_torch else replaced(*args, **options)
        if caller != "torch":
            args, options = self._translated(func, args, options)
        if _makes_a_tensor(func, args) and options.get("device") is None:
            options["device"] = self.device
        if has_generator_of_cpu(self.device, options):
            return drawn_on_cpu(func, args, options, self.device)
        return func(*gathered(func, args, self.device), **options)

    def meant(self, device: Any) -> Any:
        """The device to use where the program names this one."""
        if isinstance(device, bool) or not isinstance(device, (str, int, torch.device)):
            return device
        named = device if isinstance(device, torch.device) else None
        if isinstance(device, str):
            try:
                named = torch.device(device)
            except RuntimeError:
                return device
        return named if named is not None and named.type in _KEPT else self.device

    def _translated(
        self, func: Any, args: Arguments, options: Keywords
    ) -> tuple[Arguments, Keywords]:
        if options.get("device") is not None:
            options["device"] = self.meant(options["device"])
        is_move = func is Tensor.to
        return tuple(
            self.meant(each)
            if isinstance(each, torch.device) or (is_move and isinstance(each, (str, int)))
            else each
            for each in args
        ), options

    def _moved(self, tensor: Tensor, *words: Any, **options: Any) -> Tensor:
        return tensor.to(self.device)

    def _backward(self, tensor: Tensor, gradient: Any = None, *words: Any, **options: Any) -> None:
        # Hooks and recomputed forward passes are the program's own code: they need the mode.
        with self:
            torch.autograd.backward(tensor, gradient, *words, **options)


def _from_cpu(func: Any, tensor: Tensor, *words: Any, **options: Any) -> Any:
    return func(tensor.cpu(), *words, **options)


def _makes_a_tensor(func: Any, args: Arguments) -> bool:
    if func is torch.normal:
        return not any(isinstance(each, Tensor) for each in args)
    return func in _device_constructors()


def _doing_nothing() -> Callable[..., None]:
    return lambda *words, **options: None


def _move_modules(mode: ImposedDevice) -> None:
    to = nn.Module.to

    @functools.wraps(to)
    def moved(self: nn.Module, *args: Any, **kwargs: Any) -> nn.Module:
        args = tuple(mode.meant(each) for each in args)
        if "device" in kwargs:
            kwargs["device"] = mode.meant(kwargs["device"])
        return to(self, *args, **kwargs)

    def moved_whole(self: nn.Module, *words: Any, **options: Any) -> nn.Module:
        return to(self, mode.device)

    make = nn.Parameter.__new__

    def make_there(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        stray = isinstance(data, Tensor) and data.device.type == "cpu"
        return make(cls, data.to(mode.device) if stray else data, requires_grad)

    nn.Parameter.__new__ = make_there  # type: ignore[method-assign]
    nn.Module.to = moved  # type: ignore[method-assign, assignment]
    nn.Module.cuda = nn.Module.cpu = moved_whole  # type: ignore[method-assign, assignment]


def _move_memory_of_numpy(mode: ImposedDevice) -> None:
    """These share memory with what they are given, and torch asks no mode about them."""

    def moved(original: Callable[..., Tensor]) -> Callable[..., Tensor]:
        @functools.wraps(original)
        def call(*args: Any, **kwargs: Any) -> Tensor:
            return original(*args, **kwargs).to(mode.device)

        return call

    torch.from_numpy = moved(torch.from_numpy)
    torch.frombuffer = moved(torch.frombuffer)


def _enter_in_threads(mode: ImposedDevice) -> None:
    """A mode holds for one thread; those that the program starts need it too."""
    start = threading.Thread.start

    def start_within(self: threading.Thread) -> None:
        run = self.run

        def run_within() -> None:
            with ImposedDevice(mode.device):
                run()

        self.run = run_within  # type: ignore[method-assign]
        start(self)

    threading.Thread.start = start_within  # type: ignore[method-assign]


def _load_in_this_process() -> None:
    """A forked worker cannot use an accelerator: DataLoaders load where the program runs."""
    from torch.utils.data import DataLoader

    initialise = DataLoader.__init__

    @functools.wraps(initialise)
    def without_workers(self: Any, *args: Any, **kwargs: Any) -> None:
        for name in ("num_workers", "persistent_workers", "prefetch_factor", "pin_memory"):
            kwargs.pop(name, None)
        initialise(self, *args, **kwargs)

    DataLoader.__init__ = without_workers  # type: ignore[method-assign]
