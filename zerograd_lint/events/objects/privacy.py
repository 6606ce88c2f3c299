"""Does a class keep an object to itself, so that only its own methods can touch it?"""

from __future__ import annotations

import libcst as cst

from ...argument import Answer, Question, not_known, yes
from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import inside
from ..scopes.inheritance import lineage
from ..scopes.scope import ClassInfo, Definition, FileIndex
from .classes import Classes
from .known_calls import KnownCalls


class Privacy:
    """Answers for the attributes of one file's classes."""

    def __init__(self, index: FileIndex, classes: Classes, known_calls: KnownCalls) -> None:
        self._classes = classes
        self._known_calls = known_calls
        self._owners = {owner.instance.scope: owner for owner in index.classes}
        self._shown: dict[tuple[ClassInfo | None, str], str] = {}
        for definition in index.definitions:
            self._learn(definition)

    def of(self, ref: Ref) -> Answer:
        """Whether a class builds this object, has been read whole and shows it to nobody."""
        owner = self._owners.get(ref.scope)
        if owner is None or not ref.path:
            return _unknown(f"no loop in view, and '{ref}' is no attribute of a class in view")
        unread = self._classes.unread_bases(owner)
        if unread:
            return _unknown(
                f"no loop in view, and {unread[0]}, a base of {owner.name}, is not read"
            )
        attribute = ref.path[0]
        values = self._classes.held_by(owner, attribute)
        elements = self._classes.put_into(owner, attribute)
        if not values or any(value.given_as is not None for value in (*values, *elements)):
            return _unknown(f"no loop in view, and class {owner.name} does not make '{ref}' itself")
        for candidate in (*lineage(owner), None):
            shown = self._shown.get((candidate, attribute)) or self._shown.get((candidate, ""))
            if shown is not None:
                return _unknown(f"no loop in view, and '{shown}' hands '{ref}' to others")
        return yes(Question.REPEATED, f"class {owner.name} keeps '{ref}' from one call to the next")

    def _learn(self, definition: Definition) -> None:
        """Note what a function hands to code out of view, and what it touches of other objects."""
        scope = definition.scope
        for call in definition.nodes(cst.Call):
            if not self._known_calls.is_known(call, scope):
                for argument in call.args:
                    self._note([argument.value], definition, call.func)
        for returned in definition.nodes(cst.Return):
            if returned.value is not None and not isinstance(returned.value, cst.Call):
                self._note([returned.value, *inside(returned.value)], definition, returned.value)
        for attribute in definition.nodes(cst.Attribute):
            base = attribute.value
            if not (isinstance(base, cst.Name) and base.value == scope.instance_name):
                self._shown.setdefault((None, attribute.attr.value), dotted(attribute) or "")

    def _note(
        self, nodes: list[cst.CSTNode], definition: Definition, by: cst.BaseExpression
    ) -> None:
        scope = definition.scope
        for node in nodes:
            match node:
                case cst.Name(value=name) if name == scope.instance_name:
                    self._shown.setdefault((scope.within, ""), dotted(by) or name)
                case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=attribute)):
                    if name == scope.instance_name:
                        self._shown.setdefault((scope.within, attribute), dotted(by) or attribute)


def _unknown(reason: str) -> Answer:
    return not_known(Question.REPEATED, reason)
