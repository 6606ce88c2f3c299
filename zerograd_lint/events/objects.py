"""Which object an expression stands for, through aliases, wrappers, loops and collections."""

from __future__ import annotations

import libcst as cst

from ..program import ANY_ELEMENT, Ref
from .names import dotted
from .scopes import Class, Definition, Index, Scope, Value

Refs = tuple[Ref, ...]

# Methods and attributes that give back the object itself, or all of its parameters.
_SAME_METHODS = frozenset(
    [
        "parameters",
        "named_parameters",
        "modules",
        "children",
        "train",
        "eval",
        "to",
        "cuda",
        "cpu",
        "float",
        "half",
        "double",
        "bfloat16",
        "requires_grad_",
        "values",
        "items",
        "keys",
        "share_memory",
        "share_memory_",
        "copy",
        "data_parallel",
        "unwrap_model",
        "type",
        "contiguous",
        "trainable_parameters",
        "get_parameters",
    ]
)
_SAME_ATTRIBUTES = frozenset({"data", "module", "param_groups", "params", "_orig_mod"})
# Functions that give back their first argument, wrapped or not.
_SAME_FUNCTIONS = frozenset(
    [
        "list",
        "tuple",
        "iter",
        "reversed",
        "sorted",
        "set",
        "compile",
        "script",
        "DataParallel",
        "DistributedDataParallel",
        "DDP",
        "FSDP",
        "FullyShardedDataParallel",
        "DataParallelWithCallback",
        "deepcopy_to_device",
        "tqdm",
        "trange",
        "prepare",
        "setup",
        "setup_module",
        "setup_optimizers",
        "prepare_model",
        "prepare_optimizer",
        "to_device",
        "wrap_model",
        "cast",
        "unwrap_model",
        "fully_shard",
        "DistributedOptimizer",
        "ddp",
        "replicate",
        "initialize",
    ]
)
_SAME_SECOND = frozenset({"filter", "map"})
_JOINED = frozenset({"chain", "zip_longest"})
_MAX_DEPTH = 12


class Objects:
    """Resolves expressions to the objects they name, for one file."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._published: dict[Ref, Ref] = {}
        self._resolved: dict[tuple[Scope, str], Refs] = {}
        self._instances: dict[tuple[Scope, str], Class | None] = {}
        self._attributes: dict[tuple[Class, str], list[Value]] = {}
        for target, value, scope in index.attributes:
            if isinstance(target, cst.Attribute) and value is not None and scope.within is not None:
                key = (scope.within, target.attr.value)
                self._attributes.setdefault(key, []).append(value)
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
                if attribute in _SAME_ATTRIBUTES and not _is_instance(base, scope):
                    return bases
                return tuple(found.child(attribute) for found in bases)
            case cst.Subscript(value=base):
                bases = self.resolve(base, scope, depth + 1)
                if isinstance(base, cst.Attribute) and base.attr.value == "param_groups":
                    return bases
                key = _key(node)
                if key == "['params']":
                    return bases
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
                    if isinstance(pair, cst.DictElement) and _literal(pair.key) == "params":
                        found += self.resolve(pair.value, scope, depth + 1)
                return found
            case cst.ListComp(elt=elt, for_in=comp) | cst.GeneratorExp(elt=elt, for_in=comp):
                # `[p for p in net.parameters() if …]` selects; anything else makes new objects.
                if isinstance(elt, cst.Name) and _last_name(elt) in _names(comp.target):
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
            name = _last_name(node.func)
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
        literal = self._literal_collection(node, scope)
        if literal is not None:
            expressions, home = literal
            found: Refs = ()
            for expression in expressions:
                found += self.resolve(expression, home, depth + 1)
            return found
        refs = self.resolve(node, scope, depth + 1)
        if whole or self.holds_parameters(node, scope, depth):
            return refs
        return tuple(ref.child(ANY_ELEMENT) for ref in refs)

    def _literal_collection(
        self, node: cst.BaseExpression, scope: Scope
    ) -> tuple[list[cst.BaseExpression], Scope] | None:
        """The members of a list, tuple or dict that is spelt out, here or where it was bound."""
        if isinstance(node, cst.Name):
            home = scope.home(node.value)
            values = home.assigned.get(node.value, []) if home is not None else []
            if home is None or len(values) != 1 or values[0] is None:
                return None
            value = values[0]
            if value.iterated or value.index:
                return None
            node, scope = value.expression, value.scope
        if isinstance(node, cst.Tuple | cst.List):
            return [element.value for element in node.elements], scope
        if isinstance(node, cst.Dict):
            return [e.value for e in node.elements if isinstance(e, cst.DictElement)], scope
        return None

    def holds_parameters(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> bool:
        """A collection of parameters counts as the module itself, not as many owners."""
        match node:
            case cst.Attribute(attr=cst.Name(value="param_groups" | "params")):
                return True
            case cst.Subscript() if _key(node) == "['params']":
                return True
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                return name in _SAME_METHODS
            case cst.Call(args=args) if args:
                position = 1 if _last_name(node.func) in _SAME_SECOND and len(args) > 1 else 0
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
        if value.index and _last_name(expression.func) in _SAME_FUNCTIONS:
            return True
        inner = _wrapped(expression)
        return isinstance(inner, cst.Name) and inner.value == name

    def _alias(self, value: Value, depth: int) -> Refs:
        """The objects behind a name bound once, unless the binding makes a new one."""
        if value.iterated:
            return self.elements(value.expression, value.index, value.scope, depth + 1)
        expression = value.expression
        if value.index:
            if isinstance(expression, cst.Call) and _last_name(expression.func) in _SAME_FUNCTIONS:
                arguments = [a.value for a in expression.args if a.keyword is None]
                if len(value.index) == 1 and value.index[0] < len(arguments):
                    return self.resolve(arguments[value.index[0]], value.scope, depth + 1)
            return ()
        if isinstance(expression, cst.List | cst.Tuple | cst.Dict):
            return ()
        return self.resolve(expression, value.scope, depth + 1)

    def _call(self, node: cst.Call, scope: Scope, depth: int) -> Refs:
        name = _last_name(node.func)
        inner = _wrapped(node)
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

    # --- functions and classes --------------------------------------------------------------

    def class_named(self, name: str, scope: Scope) -> Class | None:
        home = scope.home(name)
        return home.classes.get(name) if home is not None else None

    def class_of(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Class | None:
        """The class of the file an expression is an instance of."""
        name = dotted(node)
        if name is None:
            return self._class_of(node, scope, depth)
        key = (scope, name)
        if key not in self._instances:
            self._instances[key] = None
            self._instances[key] = self._class_of(node, scope, depth)
        return self._instances[key]

    def _class_of(self, node: cst.BaseExpression, scope: Scope, depth: int) -> Class | None:
        if depth > _MAX_DEPTH:
            return None
        match node:
            case cst.Name(value=name):
                home = scope.home(name)
                if home is None:
                    return None
                if name == home.instance_name:
                    return home.within
                annotation = home.parameters.get(name)
                if annotation is not None and annotation.annotation is not None:
                    text = dotted(annotation.annotation.annotation)
                    if text is not None:
                        return self.class_named(text, home)
                for value in home.assigned.get(name, ()):
                    if value is not None and not value.iterated and not value.index:
                        found = self.class_of(value.expression, value.scope, depth + 1)
                        if found is not None:
                            return found
            case cst.Attribute(value=base, attr=cst.Name(value=attribute)):
                holder = self.class_of(base, scope, depth + 1)
                if holder is not None:
                    return self._attribute_class(holder, attribute, depth)
            case cst.Call(func=func):
                inner = _wrapped(node)
                if inner is not None:
                    return self.class_of(inner, scope, depth + 1)
                name = dotted(func)
                return self.class_named(name, scope) if name is not None else None
        return None

    def _attribute_class(self, holder: Class, attribute: str, depth: int) -> Class | None:
        for value in self._attributes.get((holder, attribute), ()):
            if not value.index:
                found = self.class_of(value.expression, value.scope, depth + 1)
                if found is not None:
                    return found
        return None

    def held_by(self, owner: Class, attribute: str) -> list[Value]:
        """What the methods of a class and its bases put into an attribute."""
        return [
            value
            for candidate in self.lineage(owner)
            for value in self._attributes.get((candidate, attribute), ())
        ]

    def method(self, owner: Class, name: str, *, above: bool = False) -> Definition | None:
        """A method by name, looked up through the bases that stand in the file."""
        for candidate in self.lineage(owner)[1 if above else 0 :]:
            if name in candidate.methods:
                return candidate.methods[name]
        return None

    def lineage(self, owner: Class) -> list[Class]:
        """The class and its bases of this file, nearest first."""
        found: list[Class] = []
        pending = [owner]
        while pending:
            current = pending.pop(0)
            if current in found:
                continue
            found.append(current)
            for base in current.bases:
                parent = self.class_named(base, current.scope)
                if parent is not None:
                    pending.append(parent)
        return found

    def foreign_bases(self, owner: Class) -> list[str]:
        """Full names of the bases that come from elsewhere."""
        return [
            self.index.imports.full(base) or base
            for candidate in self.lineage(owner)
            for base in candidate.bases
            if self.class_named(base, candidate.scope) is None
        ]


def _wrapped(node: cst.Call) -> cst.BaseExpression | None:
    """The object a call merely wraps, moves or lists: `DDP(net)`, `net.to(device)`."""
    match node.func:
        case cst.Attribute(value=base, attr=cst.Name(value=name)) if name in _SAME_METHODS:
            return base
    name = _last_name(node.func)
    positional = [a.value for a in node.args if a.keyword is None and a.star == ""]
    if name in _SAME_SECOND and len(positional) > 1:
        return positional[1]
    if name in _SAME_FUNCTIONS and len(positional) >= 1:
        if name in ("prepare", "setup", "prepare_model") and len(positional) > 1:
            return None
        return positional[0]
    return None


def _names(target: cst.BaseExpression) -> set[str]:
    if isinstance(target, cst.Tuple | cst.List):
        return {name for element in target.elements for name in _names(element.value)}
    return {_last_name(target)}


def _last_name(node: cst.BaseExpression) -> str:
    match node:
        case cst.Name(value=name):
            return name
        case cst.Attribute(attr=cst.Name(value=name)):
            return name
    return ""


def _is_instance(node: cst.BaseExpression, scope: Scope) -> bool:
    return isinstance(node, cst.Name) and node.value == scope.instance_name


def _key(node: cst.Subscript) -> str:
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        literal = _literal(node.slice[0].slice.value)
        if literal is not None:
            return f"[{literal!r}]"
    return ANY_ELEMENT


def _literal(node: cst.BaseExpression) -> str | int | None:
    match node:
        case cst.SimpleString():
            value = node.evaluated_value
            return value if isinstance(value, str) else None
        case cst.Integer():
            return node.evaluated_value
    return None
