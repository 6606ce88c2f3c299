"""Does a class keep an object to itself, so that only its own methods can touch it?"""

from __future__ import annotations

import libcst as cst

from ...argument import Answer, Question, not_known, yes
from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import inside
from ..scopes.inheritance import lineage
from ..scopes.scope import ClassInfo, Definition, FileIndex, Scope, Value
from .classes import Classes
from .known_calls import KnownCalls


class Privacy:
    """Answers for the attributes of one file's classes."""

    def __init__(self, index: FileIndex, classes: Classes, known_calls: KnownCalls) -> None:
        self._classes = classes
        self._known_calls = known_calls
        self._owners = {owner.instance.scope: owner for owner in index.classes}
        self._shown: dict[tuple[ClassInfo | None, str], str] = {}
        self._collected: dict[tuple[ClassInfo, str], set[str]] = {}
        """The attributes that hold collections in which an attribute is."""
        for definition in index.definitions:
            self._learn(definition)
        for target, value, scope in index.attributes:
            if value is not None and scope.within is not None:
                self._learn_collected(target, value, scope)

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
            shown = self._shown_by(candidate, attribute)
            if shown is not None:
                return _unknown(f"no loop in view, and '{shown}' hands '{ref}' to others")
        return yes(Question.REPEATED, f"class {owner.name} keeps '{ref}' from one call to the next")

    def _shown_by(self, owner: ClassInfo | None, attribute: str) -> str | None:
        """How others get to know an attribute of a class, or of any class: itself, or its list."""
        collections = self._collected.get((owner, attribute), ()) if owner is not None else ()
        for name in ("", attribute, *collections):
            if (owner, name) in self._shown:
                return self._shown[owner, name]
        return None

    def _learn_collected(
        self, target: cst.Attribute | cst.Subscript, value: Value, scope: Scope
    ) -> None:
        """`self.optimizers = [self.first, self.second]`, `self.optimizers.append(self.first)`."""
        held = target.value if isinstance(target, cst.Subscript) else target
        parts = (value.expression, *inside(value.expression))
        if isinstance(value.expression, cst.Call) or not isinstance(held, cst.Attribute):
            return
        for part in parts:
            if isinstance(part, cst.Attribute) and scope.is_instance(part.value):
                assert scope.within is not None
                key = (scope.within, part.attr.value)
                self._collected.setdefault(key, set()).add(held.attr.value)

    def _fills_own_list(self, call: cst.Call, scope: Scope) -> bool:
        """`self.optimizers.append(…)`, where the class has made that list."""
        match call.func:
            case cst.Attribute(
                value=cst.Attribute(value=base, attr=cst.Name(value=name)),
                attr=cst.Name(value="append"),
            ) if scope.is_instance(base) and scope.within is not None:
                made = self._classes.held_by(scope.within, name)
                return bool(made) and all(map(self._known_calls.is_passive, made))
        return False

    def _learn(self, definition: Definition) -> None:
        """Note what a function hands to code out of view, and what it touches of other objects."""
        scope = definition.scope
        for call in definition.nodes(cst.Call):
            if not self._known_calls.is_known(call, scope) and not self._fills_own_list(
                call, scope
            ):
                for argument in call.args:
                    self._note([argument.value], definition, call.func)
        for returned in definition.nodes(cst.Return):
            if returned.value is not None and not isinstance(returned.value, cst.Call):
                self._note(_given_out(returned.value), definition, returned.value)
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


def _given_out(node: cst.BaseExpression) -> list[cst.CSTNode]:
    """The parts of what a function gives back; `self.loss` gives out the loss, and not `self`."""
    parts = [node, *inside(node)]
    bases = {id(part.value) for part in parts if isinstance(part, cst.Attribute)}
    return [part for part in parts if not isinstance(part, cst.Name) or id(part) not in bases]


def _unknown(reason: str) -> Answer:
    return not_known(Question.REPEATED, reason)
