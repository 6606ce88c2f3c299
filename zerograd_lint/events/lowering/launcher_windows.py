"""Accumulation windows that a launcher keeps, and the functions that are run in them.

From `with accelerator.accumulate(model):` on, steps and zeroings of its optimizers wait for the end
of the window, wherever they stand: behind the `with` as well as in it, and in functions called
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from ...program import Ref
from ...syntax.names import code_of, last_name
from ...syntax.walk import children, inside
from ...vocabulary.frameworks import ACCUMULATING_CONTEXTS, WINDOW_SETTINGS
from ..objects.given_parts import objects_given
from ..objects.numbers import number
from ..objects.resolver import Resolver
from ..scopes.scope import Definition, Scope


class LauncherWindow(NamedTuple):
    launcher: str
    """What keeps it, as the code spells that."""
    modules: frozenset[Ref]
    """The modules it is kept for."""


class LauncherWindows:
    """Finds the windows of one file, and of the modules it needs."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._around: dict[str, LauncherWindow] | None = None

    def begun_by(self, node: cst.CSTNode, scope: Scope) -> LauncherWindow | None:
        """The window that a statement begins, if it is such a `with`."""
        for item in node.items if isinstance(node, cst.With) else ():
            match item.item:
                case cst.Call(func=cst.Attribute(value=launcher, attr=cst.Name(value=name))):
                    if name in ACCUMULATING_CONTEXTS and self._accumulates(launcher, scope):
                        given = objects_given(item.item, scope, self._resolver.objects)
                        return LauncherWindow(code_of(launcher), frozenset(given))
        return None

    def is_resized(self, window: LauncherWindow) -> bool:
        """Whether its length is set once more, and may be that of a loop around it."""
        return self._sets_length_of(window.launcher)

    def _sets_length_of(self, launcher: str) -> bool:
        return any(
            isinstance(target, cst.Attribute)
            and target.attr.value in WINDOW_SETTINGS
            and code_of(target.value) == launcher
            for target, _, _ in self._resolver.index.attributes
        )

    def around(self, definition: Definition) -> LauncherWindow | None:
        """The window in which all calls in view run a function."""
        if self._around is None:
            self._around = self._find()
        return self._around.get(definition.scope.id)

    def _accumulates(self, launcher: cst.BaseExpression, scope: Scope) -> bool:
        """Whether its window may be longer than one: one that is made with no setting has none."""
        refs = self._resolver.objects.subjects(launcher, scope)
        assigned = self._resolver.inventory.assigned
        calls = [
            (part, value.scope)
            for ref in refs
            for value in assigned.get(ref, ())
            for part in (value.expression, *inside(value.expression))
            if type(part) is cst.Call
        ]
        made_to = any(
            _may_accumulate(argument, home) for call, home in calls for argument in call.args
        )
        return not calls or made_to or self._sets_length_of(code_of(launcher))

    def _find(self) -> dict[str, LauncherWindow]:
        definitions = self._resolver.index.definitions
        calls = (call for each in definitions for call in each.nodes(cst.Call))
        if not any(last_name(call.func) in ACCUMULATING_CONTEXTS for call in calls):
            return {}
        callers: dict[str, list[tuple[str, LauncherWindow | None]]] = {}
        for caller in definitions:
            scope = caller.scope
            for call, window in self._calls(caller.node.body, scope, None):
                called = self._resolver.given.called(call, scope)
                if called is not None:
                    callers.setdefault(called.definition.scope.id, []).append((scope.id, window))
        found: dict[str, LauncherWindow] = {}
        before = -1
        while len(found) > before:
            before = len(found)
            for callee, places in callers.items():
                windows = [window or found.get(caller) for caller, window in places]
                if windows[0] is not None and all(windows):
                    found[callee] = windows[0]
        return found

    def _calls(
        self, node: object, scope: Scope, window: LauncherWindow | None
    ) -> Iterator[tuple[cst.Call, LauncherWindow | None]]:
        """The calls of a function, each with the window it stands in."""
        match node:
            case cst.FunctionDef() | cst.ClassDef() | cst.Lambda():
                return
            case cst.Call():
                yield node, window
        parts = children(node) if isinstance(node, cst.CSTNode) else node
        assert isinstance(parts, list | tuple)
        if isinstance(node, cst.With):
            window = self.begun_by(node, scope) or window
        for part in parts:
            yield from self._calls(part, scope, window)
            if isinstance(part, cst.With):
                window = self.begun_by(part, scope) or window


def _may_accumulate(argument: cst.Arg, scope: Scope) -> bool:
    """Whether what a launcher is made with may set a window of more than one batch."""
    if argument.star:
        return True
    is_setting = argument.keyword is not None and argument.keyword.value in WINDOW_SETTINGS
    return is_setting and number(argument.value, scope) != 1
