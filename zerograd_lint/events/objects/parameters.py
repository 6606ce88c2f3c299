"""Whose parameters an expression lists: what an optimizer is built over, what is clipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import libcst as cst

from ...program import Ref
from ...syntax.literals import literal
from ...syntax.names import dotted
from ...vocabulary.things import Thing
from ..scopes.loop_names import loop_names
from ..scopes.scope import Scope
from .collections import Placed, holds_parameters
from .gathered import Gathered
from .resolve import Objects, Refs

_MAX_DEPTH = 4


class Parameters:
    """Finds the owners of listed parameters."""

    def __init__(
        self, objects: Objects, thing: Callable[[Ref], Thing | None], gathered: Gathered
    ) -> None:
        self._objects = objects
        self._thing = thing
        self._gathered = gathered

    def covered(self, call: cst.Call, scope: Scope) -> Refs | None:
        """The modules and tensors handed to an optimizer's constructor."""
        for argument in call.args:
            keyword = argument.keyword.value if argument.keyword is not None else None
            if (keyword is None and argument.star == "") or keyword in ("params", "parameters"):
                return self.owners(argument.value, scope, call)
        return None

    def owners(
        self,
        node: cst.BaseExpression,
        scope: Scope,
        taker: cst.Call | None = None,
        depth: int = 0,
    ) -> Refs | None:
        """The owners of the parameters an expression lists; None if some are not known.

        `taker` is the call that is given the list.
        """
        if depth > _MAX_DEPTH:
            return None
        listed = _listed(node)
        if listed is not None:
            return self._all([(part, scope) for part in listed], taker, depth)
        match node:
            case cst.Name(value=name):
                value = scope.only_value(name)
                if value is not None:
                    inner = self.owners(value.expression, value.scope, taker, depth + 1)
                    if inner is not None:
                        return self._with_additions(inner, name, scope, taker, depth)
            case cst.Call(func=func, args=[first, *_]):
                if (dotted(func) or "").rpartition(".")[2] in ("list", "tuple", "iter"):
                    return self.owners(first.value, scope, taker, depth + 1)
            case cst.Dict():
                return None
        return self._resolved(node, scope, taker, depth)

    def _resolved(
        self, node: cst.BaseExpression, scope: Scope, taker: cst.Call | None, depth: int
    ) -> Refs | None:
        """The objects themselves that an expression stands for, where these are parameters."""
        refs = self._objects.resolve(node, scope)
        if not refs and isinstance(node, cst.ListComp | cst.GeneratorExp):
            return self.owners(node.elt, _inside(node.for_in, scope), taker, depth + 1)
        if holds_parameters(node, scope):
            return refs or None
        # A bare name may hold anything: only a tensor made in this file is surely a parameter.
        return refs if refs and all(self._thing(ref) is Thing.TENSOR for ref in refs) else None

    def _with_additions(
        self, listed: Refs, name: str, scope: Scope, taker: cst.Call | None, depth: int
    ) -> Refs | None:
        """What a list with a name holds with all that is put into it later."""
        home = scope.home(name)
        if home is None:
            return None
        added = self._gathered.into(Ref(home.id, name), home, taker)
        if not added:
            # What stays empty in view is filled elsewhere.
            return (listed or None) if added is not None else None
        later = self._all(added, taker, depth)
        return None if later is None else tuple(dict.fromkeys(listed + later))

    def _all(self, placed: Iterable[Placed], taker: cst.Call | None, depth: int) -> Refs | None:
        """What a collection spells out; here a bare name is one of its tensors."""
        found: Refs = ()
        for node, scope in placed:
            part = self.owners(node, scope, taker, depth + 1)
            if part is None and isinstance(node, cst.Name | cst.Attribute):
                part = self._objects.resolve(node, scope) or None
            if part is None:
                return None
            found += part
        return found


def _listed(node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The expressions that together make up a list of parameters."""
    match node:
        case (
            cst.List(elements=elements) | cst.Tuple(elements=elements) | cst.Set(elements=elements)
        ):
            return [element.value for element in elements]
        case cst.Dict(elements=pairs):
            wanted = [
                pair.value
                for pair in pairs
                if isinstance(pair, cst.DictElement) and literal(pair.key) == "params"
            ]
            return wanted or None
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return [left, right]
        case cst.Call(func=func, args=args):
            name = (dotted(func) or "").rpartition(".")[2]
            if name == "chain":
                return [argument.value for argument in args]
            if name == "dict":
                return [a.value for a in args if a.keyword and a.keyword.value == "params"] or None
    return None


def _inside(clause: cst.CompFor, scope: Scope) -> Scope:
    """The scope in which a comprehension makes its elements: `p` of `for p in group["params"]`."""
    inner = scope.inside_loop(loop_names(clause.target, clause.iter, scope))
    return _inside(clause.inner_for_in, inner) if clause.inner_for_in is not None else inner
