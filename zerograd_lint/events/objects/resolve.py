"""Which object an expression stands for, through aliases, wrappers, loops and collections."""

from __future__ import annotations

import libcst as cst

from ...program import ANY_ELEMENT, Ref
from ...syntax.literals import literal
from ...syntax.names import last_name
from ...vocabulary.wrappers import SAME_ATTRIBUTES, SAME_FUNCTIONS, SAME_METHODS, SAME_SECOND
from ..scopes.index import Index, Scope, Value
from .classes import Classes
from .wrapping import wrapped

Refs = tuple[Ref, ...]

_JOINED = frozenset({"chain", "zip_longest"})
_MAX_DEPTH = 12


class Objects(Classes):
    """Resolves expressions to the objects they name, for one file."""

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self._published: dict[Ref, Ref] = {}
        self._resolved: dict[tuple[Scope, str], Refs] = {}
        self._publish()
        self._resolved.clear()

    def _publish(self) -> None:
        """`self.net = net` makes the local name another name of the attribute."""
        for target, value, scope in self.index.attributes:
            if (
                isinstance(target, cst.Attribute)
                and value is not None
                and not value.iterated
                and not value.index
                and isinstance(value.expression, cst.Name)
                and scope.within is not None
            ):
                name = value.expression.value
                if name not in scope.parameters and len(scope.assigned.get(name, ())) != 1:
                    continue
                if name in scope.parameters and scope.assigned.get(name):
                    continue
                held = self.resolve(target, scope)
                if len(held) == 1 and name != scope.instance_name:
                    self._published.setdefault(Ref(scope.id, name), held[0])

    # --- expressions ------------------------------------------------------------------------

    def resolve(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Refs:
        """The objects an expression may stand for; empty when that cannot be told."""
        if depth > _MAX_DEPTH:
            return ()
        match node:
            case cst.Name(value=name):
                return self._name(name, scope, depth)
            case cst.Attribute(value=base, attr=cst.Name(value=attribute)):
                bases = self.resolve(base, scope, depth + 1)
                if attribute in SAME_ATTRIBUTES and not _is_instance(base, scope):
                    return bases
                return tuple(found.child(attribute) for found in bases)
            case cst.Subscript(value=base):
                bases = self.resolve(base, scope, depth + 1)
                if isinstance(base, cst.Attribute) and base.attr.value == "param_groups":
                    return bases
                key = _key(node)
                if key == "['params']":
                    return bases
                if self.is_group(base, scope):
                    return ()
                return tuple(found.child(key) for found in bases)
            case cst.Call():
                return self._call(node, scope, depth)
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                return self.resolve(left, scope, depth + 1) + self.resolve(right, scope, depth + 1)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                found: Refs = ()
                for element in elements:
                    found += self.resolve(element.value, scope, depth + 1)
                return found
            case cst.Dict(elements=elements):
                found = ()
                for pair in elements:
                    if isinstance(pair, cst.DictElement) and literal(pair.key) == "params":
                        found += self.resolve(pair.value, scope, depth + 1)
                return found
            case cst.ListComp(elt=elt, for_in=comp) | cst.GeneratorExp(elt=elt, for_in=comp):
                # `[p for p in net.parameters() if …]` selects; anything else makes new objects.
                if isinstance(elt, cst.Name) and last_name(elt) in _names(comp.target):
                    return self.resolve(comp.iter, scope, depth + 1)
            case cst.NamedExpr(value=value) | cst.Await(expression=value):
                return self.resolve(value, scope, depth + 1)
        return ()

    def elements(
        self, node: cst.BaseExpression, index: tuple[int, ...], scope: Scope, depth: int = 0
    ) -> Refs:
        """What a loop variable stands for while it walks over an expression."""
        if depth > _MAX_DEPTH:
            return ()
        if isinstance(node, cst.Call):
            name = last_name(node.func)
            arguments = [a.value for a in node.args if a.keyword is None]
            if name == "enumerate" and arguments:
                if index[:1] == (1,):
                    return self.elements(arguments[0], index[1:], scope, depth + 1)
                return ()
            if name == "zip":
                if index and index[0] < len(arguments):
                    return self.elements(arguments[index[0]], index[1:], scope, depth + 1)
                return ()
            if name in ("items", "named_parameters", "named_modules", "named_children"):
                if index[:1] == (1,) and isinstance(node.func, cst.Attribute):
                    return self._members(node.func.value, name != "items", scope, depth)
                return ()
            if name in ("parameters", "modules", "children") and isinstance(
                node.func, cst.Attribute
            ):
                return self.resolve(node.func.value, scope, depth + 1)
            if name in ("values", "keys") and isinstance(node.func, cst.Attribute):
                return self._members(node.func.value, False, scope, depth)
            if name in ("list", "tuple", "reversed", "sorted", "tqdm", "iter") and arguments:
                return self.elements(arguments[0], index, scope, depth + 1)
            if name == "range":
                return ()
        if index:
            return ()
        return self._members(node, False, scope, depth)

    def _members(self, node: cst.BaseExpression, whole: bool, scope: Scope, depth: int) -> Refs:
        literal = self._spelt_out(node, scope, depth)
        if literal is not None:
            found: Refs = ()
            for expression, home in literal:
                found += self.resolve(expression, home, depth + 1)
            return found
        refs = self.resolve(node, scope, depth + 1)
        if whole or self.holds_parameters(node, scope, depth):
            return refs
        return tuple(ref.child(ANY_ELEMENT) for ref in refs)

    def _spelt_out(
        self, node: cst.BaseExpression, scope: Scope, depth: int
    ) -> list[tuple[cst.BaseExpression, Scope]] | None:
        """The members of a list, tuple or dict that is spelt out, here or where it was bound."""
        if depth > _MAX_DEPTH:
            return None
        match node:
            case cst.Name(value=name):
                home = scope.home(name)
                values = home.assigned.get(name, []) if home is not None else []
                if len(values) == 1 and values[0] is not None:
                    value = values[0]
                    if not value.iterated and not value.index:
                        return self._spelt_out(value.expression, value.scope, depth + 1)
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                first = self._spelt_out(left, scope, depth + 1)
                second = self._spelt_out(right, scope, depth + 1)
                return None if first is None or second is None else first + second
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                found: list[tuple[cst.BaseExpression, Scope]] = []
                for element in elements:
                    inner: list[tuple[cst.BaseExpression, Scope]] | None = [(element.value, scope)]
                    if isinstance(element, cst.StarredElement):
                        inner = self._spelt_out(element.value, scope, depth + 1)
                    if inner is None:
                        return None
                    found += inner
                return found
            case cst.Dict(elements=pairs):
                return [(e.value, scope) for e in pairs if isinstance(e, cst.DictElement)]
        return None

    def holds_parameters(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> bool:
        """A collection of parameters counts as the module itself, not as many owners."""
        match node:
            case cst.Attribute(attr=cst.Name(value="param_groups" | "params")):
                return True
            case cst.Subscript() if _key(node) == "['params']":
                return True
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                return name in SAME_METHODS
            case cst.Call(args=args) if args:
                position = 1 if last_name(node.func) in SAME_SECOND and len(args) > 1 else 0
                return self.holds_parameters(args[position].value, scope, depth)
            case cst.ListComp(for_in=comp) | cst.GeneratorExp(for_in=comp):
                return self.holds_parameters(comp.iter, scope, depth)
            case cst.BinaryOperation(left=left):
                return self.holds_parameters(left, scope, depth)
            case cst.Name(value=name) if depth < _MAX_DEPTH:
                home = scope.home(name)
                values = home.assigned.get(name, []) if home is not None else []
                if len(values) == 1 and values[0] is not None and not values[0].index:
                    value = values[0]
                    return self.holds_parameters(value.expression, value.scope, depth + 1)
        return False

    def is_group(self, node: cst.BaseExpression, scope: Scope) -> bool:
        """One of an optimizer's groups: a dict of settings, and of parameters under one key."""
        match node:
            case cst.Subscript(value=cst.Attribute(attr=cst.Name(value="param_groups"))):
                return True
            case cst.Name(value=name):
                home = scope.home(name)
                values = home.assigned.get(name, []) if home is not None else []
                return bool(values) and all(
                    value is not None and value.iterated and _walks_groups(value.expression)
                    for value in values
                )
        return False

    # --- names ------------------------------------------------------------------------------

    def _name(self, name: str, scope: Scope, depth: int) -> Refs:
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
            imported = self.index.imports.full(name)
            return (Ref("import", imported),) if imported is not None else ()
        if home is not scope and name == home.instance_name and home.within is not None:
            return (home.within.instance,)
        own = Ref(home.id, name)
        published = self._published.get(own)
        if published is not None:
            return (published,)
        values = home.assigned.get(name)
        if not values:
            return (own,) if name in home.parameters else ()
        if name in home.parameters:
            # A parameter that is also assigned keeps its identity only if it is merely wrapped.
            return (own,)
        kept = [value for value in values if not self._renames(value, name)]
        if len(kept) == 1 and kept[0] is not None:
            alias = self._alias(kept[0], depth)
            if alias and own not in alias:
                return alias
        return (own,)

    def _renames(self, value: Value | None, name: str) -> bool:
        """`net = DDP(net)` wraps the object it already names."""
        if value is None or value.iterated:
            return False
        expression = value.expression
        if not isinstance(expression, cst.Call):
            return False
        if value.index and last_name(expression.func) in SAME_FUNCTIONS:
            return True
        inner = wrapped(expression)
        return isinstance(inner, cst.Name) and inner.value == name

    def _alias(self, value: Value, depth: int) -> Refs:
        """The objects behind a name bound once, unless the binding makes a new one."""
        if value.iterated:
            return self.elements(value.expression, value.index, value.scope, depth + 1)
        expression = value.expression
        if value.index:
            if isinstance(expression, cst.Call) and last_name(expression.func) in SAME_FUNCTIONS:
                arguments = [a.value for a in expression.args if a.keyword is None]
                if len(value.index) == 1 and value.index[0] < len(arguments):
                    return self.resolve(arguments[value.index[0]], value.scope, depth + 1)
            return ()
        if isinstance(expression, cst.List | cst.Tuple | cst.Dict):
            return ()
        return self.resolve(expression, value.scope, depth + 1)

    def _call(self, node: cst.Call, scope: Scope, depth: int) -> Refs:
        name = last_name(node.func)
        inner = wrapped(node)
        if inner is not None:
            return self.resolve(inner, scope, depth + 1)
        if name in _JOINED:
            found: Refs = ()
            for argument in node.args:
                found += self.resolve(argument.value, scope, depth + 1)
            return found
        if name == "optimizers" and isinstance(node.func, cst.Attribute):
            # Lightning hands out the same optimizers on every call.
            return tuple(
                base.child("optimizers()")
                for base in self.resolve(node.func.value, scope, depth + 1)
            )
        return ()


def _names(target: cst.BaseExpression) -> set[str]:
    if isinstance(target, cst.Tuple | cst.List):
        return {name for element in target.elements for name in _names(element.value)}
    return {last_name(target)}


def _walks_groups(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call) and last_name(node.func) == "enumerate" and node.args:
        node = node.args[0].value
    return isinstance(node, cst.Attribute) and node.attr.value == "param_groups"


def _is_instance(node: cst.BaseExpression, scope: Scope) -> bool:
    return isinstance(node, cst.Name) and node.value == scope.instance_name


def _key(node: cst.Subscript) -> str:
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        key = literal(node.slice[0].slice.value)
        if key is not None:
            return f"[{key!r}]"
    return ANY_ELEMENT
