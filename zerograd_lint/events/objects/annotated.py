"""What the annotations of parameters say that these are."""

from __future__ import annotations

from ...program import Ref
from ...syntax.names import code_of
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from ..scopes.scope import FileIndex, Value
from .resolve import Objects


class Annotated:
    """The parameters of one file that are annotated, and the attributes that they become."""

    def __init__(self, index: FileIndex, objects: Objects) -> None:
        self.values: dict[Ref, Value] = {}
        """Their annotations."""
        self.things: dict[Ref, Thing] = {}
        self.plain: set[Ref] = set()
        """Texts, numbers and flags."""
        for definition in index.definitions:
            scope = definition.scope
            for name, parameter in scope.parameters.items():
                if parameter.annotation is not None:
                    value = Value(parameter.annotation.annotation, scope)
                    self._learn(objects.resolve_name(name, scope), value)

    def _learn(self, refs: tuple[Ref, ...], annotation: Value) -> None:
        text = code_of(annotation.expression)
        thing = evidence.by_annotation(text)
        for ref in refs:
            self.values.setdefault(ref, annotation)
            if thing is not None:
                self.things.setdefault(ref, thing)
        if evidence.is_plain_type(text):
            self.plain.update(refs)
