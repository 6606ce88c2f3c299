"""Which names and attributes code in view may give another value to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from ...syntax.names import last_name
from ...vocabulary.setting_names import CHANGES_BY_NAME, READS_TABLE

if TYPE_CHECKING:
    from .scope import FileIndex, Value


class Changes:
    """The changes that the statements of a file, and of the modules it needs, may make."""

    def __init__(self, index: FileIndex) -> None:
        self._index = index

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The attributes that are given a value, of whatever object."""
        targets = (target for target, _, _ in self._index.attributes)
        return frozenset(t.attr.value for t in targets if isinstance(t, cst.Attribute))

    @cached_property
    def counted(self) -> frozenset[str]:
        """The names and attributes that are counted up, wherever that is."""
        spelt = (name for d in self._index.definitions for name in d.scope.augmented)
        return frozenset(name.rpartition(".")[2] for name in spelt)

    @cached_property
    def tables(self) -> frozenset[str]:
        """The names of what may get other elements or attributes: by itself, or by a call."""
        elements = (target for target, _, _ in self._index.attributes)
        filled = {last_name(t.value) for t in elements if isinstance(t, cst.Subscript)}
        return frozenset({*filled, *self._handed_on()})

    @cached_property
    def additions(self) -> Mapping[tuple[str, str], list[Value | None]]:
        """What is put into lists and dicts that have a name, by the scope and the name."""
        found: dict[tuple[str, str], list[Value | None]] = {}
        for target, value, scope in self._index.attributes:
            match target:
                case cst.Subscript(value=cst.Name(value=name)):
                    home = scope.home(name)
                    if home is not None:
                        found.setdefault((home.id, name), []).append(value)
        return found

    def _handed_on(self) -> Iterator[str]:
        for call in self._calls:
            for argument in call.args:
                yield last_name(argument.value)
            match call.func:
                case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                    if method not in READS_TABLE:
                        yield last_name(receiver)

    @cached_property
    def by_name(self) -> bool:
        """Whether anything may be changed without being spelt out: `globals().update(…)`."""
        return any(last_name(call.func) in CHANGES_BY_NAME for call in self._calls)

    @cached_property
    def _calls(self) -> list[cst.Call]:
        return [call for d in self._index.definitions for call in d.nodes(cst.Call)]
