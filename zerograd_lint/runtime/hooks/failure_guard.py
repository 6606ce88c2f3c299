"""Keeps a mistake in the audit from ending the training that is audited."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class HasFailure(Protocol):
    """An object that notes what went wrong in it."""

    failure: str | None


_Self = TypeVar("_Self", bound=HasFailure)
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def guarded(
    method: Callable[Concatenate[_Self, _Arguments], _Result],
) -> Callable[Concatenate[_Self, _Arguments], _Result | None]:
    """Note an exception of the method as the object's `failure`; after that do nothing at all."""

    @functools.wraps(method)
    def call(self: _Self, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result | None:
        if self.failure is not None:
            return None
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
            return None

    return call
