"""Which object an expression stands for, through aliases, wrappers, loops and collections."""

from __future__ import annotations

import itertools

import libcst as cst

from ...program import ANY_ELEMENT, Ref
from ...syntax.literals import literal
from ...syntax.names import dotted, last_name, names_bound
from ...syntax.visitor import Visitor
from ...vocabulary.frameworks import HANDED_OUT
from ...vocabulary.wrappers import SAME_ATTRIBUTES
from ..scopes.scope import FileIndex, Scope, Value
from .collections import element, holds_parameters, is_group, joins, key_of, spelt_out
from .getters import Getters
from .given_back import binding, given_back, wrapped_part
from .held_collections import HeldCollections
from .taken_apart import TakenApart
from .wrapping import wrapped

Refs = tuple[Ref, ...]

_JOINED = frozenset({"chain", "zip_longest"})
_PAIRS = frozenset({"items", "named_parameters", "named_modules", "named_children"})
"""Methods that give pairs, of which the second is the object."""
_PARTS = frozenset({"parameters", "modules", "children"}) | _PAIRS - {"items"}
"""Methods that give the parts of a module."""
_MEMBERS = frozenset({"items", "values", "keys"})
"""Methods that give the members of a dict."""
_SAME_ELEMENTS = frozenset({"list", "tuple", "reversed", "sorted", "tqdm", "iter"})
_SPELT_OUT = frozenset({cst.List, cst.Tuple, cst.Dict})
_MAX_DEPTH = 12


class Objects(Visitor):
    """Resolves the expressions of one file; its visitor methods are given scope and depth."""

    def __init__(self, index: FileIndex, getters: Getters) -> None:
        self._getters = getters
        self._published: dict[Ref, Ref] = {}
        self._resolved: dict[tuple[Scope, str], Refs] = {}
        self._held = HeldCollections()
        self.taken_apart = TakenApart(index)
        self._publish(index)
        self._held.learn(index, self.resolve)
        self._resolved.clear()

    def _publish(self, index: FileIndex) -> None:
        """`self.net = net` makes the local name another name of the attribute."""
        for target, value, scope in index.attributes:
            if (
                isinstance(target, cst.Attribute)
                and value is not None
                and not value.iterated
                and not value.index
                and isinstance(value.expression, cst.Name)
                and scope.within is not None
            ):
                name = value.expression.value
                assignments = len(scope.assigned.get(name, ()))
                if assignments != (0 if name in scope.parameters else 1):
                    continue
                held = self.resolve(target, scope)
                if len(held) == 1 and name != scope.instance_name:
                    self._published.setdefault(Ref(scope.id, name), held[0])

    # --- expressions ------------------------------------------------------------------------

    def resolve(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Refs:
        """The objects an expression may stand for; empty when that is not known."""
        method = self._methods.get(type(node))
        if method is None or depth > _MAX_DEPTH:
            return ()
        found: Refs = method(self, node, scope, depth)
        return found

    def subjects(self, node: cst.BaseExpression, scope: Scope) -> Refs:
        """The objects whose gradients an expression means; imported names have none."""
        return tuple(ref for ref in self.resolve(node, scope) if ref.scope != "import")

    def visit_Name(self, node: cst.Name, scope: Scope, depth: int) -> Refs:
        return self.resolve_name(node.value, scope, depth)

    def visit_Attribute(self, node: cst.Attribute, scope: Scope, depth: int) -> Refs:
        name = dotted(node)
        if name is not None and scope.imports.is_read(name):
            return self.resolve_name(name, scope, depth)
        bases = self.resolve(node.value, scope, depth + 1)
        attribute = node.attr.value
        if attribute in SAME_ATTRIBUTES and not scope.is_instance(node.value):
            return bases
        return tuple(found.child(attribute) for found in bases)

    def visit_Subscript(self, node: cst.Subscript, scope: Scope, depth: int) -> Refs:
        key = key_of(node, scope)
        bases = self._part_of_element(node.value, key, scope, depth)
        if bases:
            return bases
        bases = self.resolve(node.value, scope, depth + 1)
        if isinstance(node.value, cst.Attribute) and node.value.attr.value == "param_groups":
            return bases
        if key == "['params']":
            return bases
        if is_group(node.value, scope):
            return ()
        member = element(node.value, key, scope) if self._held.refilled.isdisjoint(bases) else None
        if member is not None and (found := self.resolve(*member, depth + 1)):
            return found
        return tuple(base.child(key) for base in bases)

    def _part_of_element(
        self, node: cst.BaseExpression, key: str, scope: Scope, depth: int
    ) -> Refs:
        """`pair[0]` in `for pair in zip(a.parameters(), b.parameters())`."""
        values = scope.values(node.value) if isinstance(node, cst.Name) else []
        value = values[0] if len(values) == 1 else None
        number = key.strip("[]")
        if value is None or not value.iterated or not number.isdecimal():
            return ()
        if not isinstance(value.expression, cst.Call):
            return ()
        index = (*value.index, int(number))
        return self._walked_call(value.expression, index, value.scope, depth + 1) or ()

    def visit_Call(self, node: cst.Call, scope: Scope, depth: int) -> Refs:
        inner = wrapped(node)
        if inner is not None:
            return self.resolve(inner, scope, depth + 1)
        name = last_name(node.func)
        if name in _JOINED:
            return self._all([argument.value for argument in node.args], scope, depth)
        if name == "optimizers" and isinstance(node.func, cst.Attribute):
            # Lightning hands out the same optimizers on every call.
            bases = self.resolve(node.func.value, scope, depth + 1)
            return tuple(base.child(HANDED_OUT) for base in bases)
        back = given_back(Value(node, scope))
        if back is None and isinstance(node.func, cst.Attribute):
            attributes = self._getters.attributes(node.func, scope)
            bases = self.resolve(node.func.value, scope, depth + 1) if attributes else ()
            return tuple(Ref(*base[:2], base.path + attributes) for base in bases)
        return self.resolve(back, scope, depth + 1) if back is not None else ()

    def visit_BinaryOperation(self, node: cst.BinaryOperation, scope: Scope, depth: int) -> Refs:
        return self._all([node.left, node.right], scope, depth) if joins(node, scope) else ()

    def visit_Tuple(self, node: cst.Tuple | cst.List, scope: Scope, depth: int) -> Refs:
        return self._all([element.value for element in node.elements], scope, depth)

    visit_List = visit_Tuple

    def visit_Dict(self, node: cst.Dict, scope: Scope, depth: int) -> Refs:
        parameters = [
            pair.value
            for pair in node.elements
            if isinstance(pair, cst.DictElement) and literal(pair.key) == "params"
        ]
        return self._all(parameters, scope, depth)

    def visit_ListComp(
        self, node: cst.ListComp | cst.GeneratorExp, scope: Scope, depth: int
    ) -> Refs:
        # `[p for p in net.parameters() if …]` selects; anything else makes new objects.
        if isinstance(node.elt, cst.Name) and node.elt.value in names_bound(node.for_in.target):
            return self.resolve(node.for_in.iter, scope, depth + 1)
        return ()

    visit_GeneratorExp = visit_ListComp

    def visit_NamedExpr(self, node: cst.NamedExpr, scope: Scope, depth: int) -> Refs:
        return self.resolve(node.value, scope, depth + 1)

    def visit_Await(self, node: cst.Await, scope: Scope, depth: int) -> Refs:
        return self.resolve(node.expression, scope, depth + 1)

    def _all(self, nodes: list[cst.BaseExpression], scope: Scope, depth: int) -> Refs:
        found: Refs = ()
        for node in nodes:
            found += self.resolve(node, scope, depth + 1)
        return found

    # --- loop variables ---------------------------------------------------------------------

    def elements(
        self, node: cst.BaseExpression, index: tuple[int, ...], scope: Scope, depth: int = 0
    ) -> Refs:
        """What a loop variable stands for while it walks over an expression."""
        if depth > _MAX_DEPTH:
            return ()
        if isinstance(node, cst.Call):
            found = self._walked_call(node, index, scope, depth)
            if found is not None:
                return found
        return () if index else self._members(node, scope, depth)

    def _walked_call(
        self, node: cst.Call, index: tuple[int, ...], scope: Scope, depth: int
    ) -> Refs | None:
        """The elements of `enumerate(nets)` and its like; None where the call says nothing."""
        name = last_name(node.func)
        arguments = [a.value for a in node.args if a.keyword is None]
        if name == "range":
            return ()
        if name == "enumerate" and arguments:
            inner = arguments[0] if index[:1] == (1,) else None
            return self.elements(inner, index[1:], scope, depth + 1) if inner else ()
        if name == "zip":
            inner = arguments[index[0]] if index and index[0] < len(arguments) else None
            return self.elements(inner, index[1:], scope, depth + 1) if inner else ()
        if name in _SAME_ELEMENTS and arguments:
            return self.elements(arguments[0], index, scope, depth + 1)
        if isinstance(node.func, cst.Attribute):
            return self._walked_method(node.func.value, name, index, scope, depth)
        return () if name in _PAIRS else None

    def _walked_method(
        self,
        receiver: cst.BaseExpression,
        name: str,
        index: tuple[int, ...],
        scope: Scope,
        depth: int,
    ) -> Refs | None:
        """The elements of `net.parameters()`, `nets.values()`, `nets.items()` and their like."""
        if name in _PAIRS and index[:1] != (1,):
            return ()
        if name in _PARTS:
            return self.resolve(receiver, scope, depth + 1)
        return self._members(receiver, scope, depth) if name in _MEMBERS else None

    def _members(self, node: cst.BaseExpression, scope: Scope, depth: int) -> Refs:
        literal_members = spelt_out(node, scope, depth)
        if literal_members is None and isinstance(node, cst.Attribute):
            literal_members = self._held.of(self.resolve(node, scope, depth + 1))
        if literal_members is not None:
            members = [self.resolve(node, home, depth + 1) for node, home in literal_members]
            found = tuple(itertools.chain(*members))
            if all(members):
                return found
        else:
            found = ()
        refs = self.resolve(node, scope, depth + 1)
        if holds_parameters(node, scope, depth):
            return refs
        # Those that are made in the list itself have no other name.
        return (*found, *(ref.child(ANY_ELEMENT) for ref in refs if ref not in found))

    # --- names ------------------------------------------------------------------------------

    def resolve_name(self, name: str, scope: Scope, depth: int = 0) -> Refs:
        """The objects a plain name may stand for."""
        key = (scope, name)
        known = self._resolved.get(key)
        if known is None:
            # A name defined by way of itself resolves to nothing on the way round.
            self._resolved[key] = ()
            known = self._resolved[key] = self._bound(name, scope, depth)
        return known

    def _bound(self, name: str, scope: Scope, depth: int) -> Refs:
        if name == scope.instance_name and scope.within is not None:
            return (scope.within.instance,)
        home = scope.home(name)
        if home is None:
            imported = scope.imports.full(name)
            return (Ref("import", imported),) if imported is not None else ()
        if home is not scope and name == home.instance_name and home.within is not None:
            return (home.within.instance,)
        own = Ref(home.id, name)
        published = self._published.get(own)
        if published is not None:
            return (published,)
        values = home.assigned.get(name)
        if name in home.parameters:
            # A parameter that is also assigned keeps its identity only if it is merely wrapped.
            return (own,)
        if not values:
            return ()
        value = binding(values, name)
        if value is not None:
            alias = self._alias(value, depth)
            if alias and own not in alias:
                return alias
        return (own,)

    def _alias(self, value: Value, depth: int) -> Refs:
        """The objects behind a name bound once, unless the binding makes a new one."""
        if value.iterated:
            return self.elements(value.expression, value.index, value.scope, depth + 1)
        expression = value.expression
        if value.index:
            called = last_name(expression.func) if isinstance(expression, cst.Call) else ""
            if called == "optimizers" or self.taken_apart.is_part(value):
                whole = self.resolve(expression, value.scope, depth + 1)
                return tuple(ref.child(f"[{value.index[0]}]") for ref in whole)
            back = wrapped_part(value) or given_back(value)
            return self.resolve(back, value.scope, depth + 1) if back is not None else ()
        spelt_out = type(expression) in _SPELT_OUT
        return () if spelt_out else self.resolve(expression, value.scope, depth + 1)
