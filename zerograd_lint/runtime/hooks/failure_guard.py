"""Keeps a mistake in the audit from ending the training that is audited."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class NotJudgeable(Exception):
    """What the program does cannot be judged; the message says what that is."""


class HasFailure(Protocol):
    """An object that notes what went wrong in it, used by one thread at a time."""

    failure: str | None

    @property
    def lock(self) -> AbstractContextManager[object]: ...


_Self = TypeVar("_Self", bound=HasFailure)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def guarded(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result | None]:
    """Note an exception of the method as the object's `failure`; after that do nothing at all."""

    @functools.wraps(method)
    def call(self: _Self, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result | None:
        with self.lock:
            if self.failure is not None:
                return None
            try:
                return method(self, *args, **kwargs)
            except NotJudgeable as error:
                self.failure = str(error)
            except Exception as error:
                self.failure = f"{type(error).__name__}: {error}"
            return None

    return call
