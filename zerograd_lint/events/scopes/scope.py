"""The scopes of a file: which functions, classes and values its names are bound to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar, cast

import libcst as cst

from ...program import Function, Ref
from ...syntax.walk import inside
from ...vocabulary.frameworks import PLAIN_DECORATORS
from .changes import Changes
from .imports import Imports

NodeT = TypeVar("NodeT", bound=cst.CSTNode)
_GATHERED = (
    *(cst.Assign, cst.Attribute, cst.AugAssign, cst.Call, cst.Comparison, cst.Del, cst.If),
    *(cst.Return, cst.Subscript, cst.While, cst.Yield),
)
"""The classes of nodes that are asked for, gathered in one walk."""


class Arm(NamedTuple):
    """One way through a statement that branches."""

    fork: int
    """Which statement of the file it is."""
    number: int
    """Which of its ways."""
    ways: int
    """How many there are; 0 if it may pass by all of them."""


class Turns(NamedTuple):
    """Where in its function a value is assigned."""

    arms: tuple[Arm, ...] = ()
    """The ways that lead there, the outermost first."""
    loops: int = 0
    """How many loops of the file begin before."""


EVERY_RUN = Turns()


@dataclass(slots=True)
class Value:
    """Something a name is bound to: an expression, an element of it, or a part of that."""

    expression: cst.BaseExpression
    scope: Scope
    iterated: bool = False
    index: tuple[int, ...] = ()
    turns: Turns = EVERY_RUN

    @property
    def given_as(self) -> str | None:
        """The parameter of its function that it is, if it was handed in as it is."""
        node = self.expression
        named = isinstance(node, cst.Name) and node.value in self.scope.parameters
        return cast("cst.Name", node).value if named else None


@dataclass(slots=True, eq=False)
class Definition:
    """A function of the file, its scope, and the program it becomes."""

    node: cst.FunctionDef | cst.Lambda | cst.Module
    scope: Scope
    function: Function
    static: bool = False
    decorators: tuple[str, ...] = ()
    """The names of its decorators, as they are spelt."""
    _nodes: dict[type[cst.CSTNode], list[cst.CSTNode]] = field(default_factory=dict)

    @property
    def unread_decorator(self) -> bool:
        """A decorator out of view may run anything before and after it."""
        outer = self.scope.parent
        return outer is not None and any(
            not (outer.imports.full(name) or name).startswith(PLAIN_DECORATORS)
            and not outer.is_in_view(name)
            for name in self.decorators
        )

    @property
    def belongs_to(self) -> str:
        """The module it is judged with: where it stands or, if inherited, where its class does."""
        if self.scope.stands_for is not None:
            return self.scope.stands_for.belongs_to
        owner = self.scope.within
        return owner.scope.module if owner is not None else self.scope.module

    def nodes(self, kind: type[NodeT]) -> list[NodeT]:
        """All nodes of a class inside it, without those of functions defined in it."""
        if not self._nodes:
            self._nodes = {kind: [] for kind in _GATHERED}
            for node in inside(self.node):
                if type(node) in self._nodes:
                    self._nodes[type(node)].append(node)
        return cast("list[NodeT]", self._nodes[kind])


@dataclass(slots=True, eq=False)
class ClassInfo:
    """A class of the file and its methods."""

    name: str
    node: cst.ClassDef
    scope: Scope
    """Where the class statement stands."""
    bases: tuple[str, ...]
    methods: dict[str, Definition] = field(default_factory=dict)
    """Its own methods, and those it inherits from classes in view."""
    above: dict[tuple[ClassInfo, str], Definition] = field(default_factory=dict)
    """The methods of its bases as its instances run them, overridden or not."""

    @property
    def instance(self) -> Ref:
        """What `self` stands for in every method of the class."""
        return Ref(f"{self.scope.id}.{self.name}", "self")


@dataclass(slots=True, eq=False)
class Scope:
    """The names of a module, a function or the body of a loop."""

    id: str
    parent: Scope | None
    within: ClassInfo | None = None
    """The class whose method this is."""
    defined_in: ClassInfo | None = None
    """The class that the method is written in, which may be a base of that."""
    stands_for: Definition | None = None
    """The function that this one runs in place of, if it is what a decorator has made of that."""
    parameters: dict[str, cst.Param] = field(default_factory=dict)
    instance_name: str | None = None
    assigned: dict[str, list[Value | None]] = field(default_factory=dict)
    """None stands for a value that is not known."""
    functions: dict[str, Definition] = field(default_factory=dict)
    """By name; of several with one name the last, or while it is lowered the latest."""
    redefined: dict[cst.FunctionDef, Definition] = field(default_factory=dict)
    """The functions that share their name with another one."""
    classes: dict[str, ClassInfo] = field(default_factory=dict)
    augmented: dict[str, list[cst.AugAssign]] = field(default_factory=dict)
    """Augmented assignments, by the target as it is spelt."""
    outer: set[str] = field(default_factory=set)
    """Names declared global or nonlocal."""
    changes: Changes = field(init=False)
    """What code in view may change."""
    imports: Imports = field(init=False)
    """What the module that the scope stands in imports."""
    arguments: Callable[[Ref], list[Value]] | None = None
    """The arguments that calls in view give to a parameter."""
    module: str = field(init=False)
    """The name of that module; empty for the file that is checked."""

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.changes = self.parent.changes
        self.imports = self.parent.imports if self.parent is not None else Imports()
        self.module = self.parent.module if self.parent is not None else self.id

    def inside_loop(self, bound: dict[str, list[Value | None]]) -> Scope:
        """The same scope as seen in the body of a loop, where its variables mean its elements."""
        return Scope(
            self.id,
            self,
            self.within,
            self.defined_in,
            self.stands_for,
            instance_name=self.instance_name,
            assigned=bound,
            augmented=self.augmented,
        )

    def take_apart(self) -> None:
        """Let go of what its names are bound to, which refers to it."""
        for bound in (self.assigned, self.functions, self.redefined, self.classes):
            bound.clear()
        self.arguments = None

    def is_instance(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is `self`."""
        return isinstance(node, cst.Name) and node.value == self.instance_name

    def home(self, name: str) -> Scope | None:
        """The scope a name belongs to, as Python would look it up."""
        scope: Scope | None = self
        while scope is not None:
            if name not in scope.outer and (
                name in scope.assigned
                or name in scope.parameters
                or name in scope.functions
                or name in scope.classes
            ):
                return scope
            scope = scope.parent
        return None

    def is_in_view(self, name: str) -> bool:
        """Whether a name means a function or a class of the file, or an object of such a class."""
        home = self.home(name)
        return home is not None and (name in home.functions or self.class_of(name) is not None)

    def class_of(self, name: str) -> ClassInfo | None:
        """The class of the file that a name means, or that the object was made by."""
        home = self.home(name)
        if home is None or name in home.classes:
            return home.classes[name] if home is not None else None
        value = home.only_value(name)
        made = value.expression if value is not None else None
        if value is None or not isinstance(made, cst.Call) or not isinstance(made.func, cst.Name):
            return None
        owner = value.scope.home(made.func.value)
        return owner.classes.get(made.func.value) if owner is not None else None

    def define_again(self, node: cst.FunctionDef) -> None:
        """From here on its name means this function, and not another one of that name."""
        home = self.home(node.name.value)
        if home is not None and node in home.redefined:
            home.functions[node.name.value] = home.redefined[node]

    def values(self, name: str) -> list[Value | None]:
        """All that is ever assigned to a name, in the scope it belongs to."""
        home = self.home(name)
        return home.assigned.get(name, []) if home is not None else []

    def only_value(self, name: str) -> Value | None:
        """What a name stands for, if it is assigned once, as a whole and by no loop."""
        values = self.values(name)
        value = values[0] if len(values) == 1 else None
        return None if value is None or value.iterated or value.index else value


@dataclass(slots=True)
class FileIndex:
    """All that a file and what it needs of other modules define."""

    definitions: list[Definition] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    attributes: list[tuple[cst.Attribute | cst.Subscript, Value | None, Scope]] = field(
        default_factory=list
    )
    """Assignments to attributes and elements, such as `self.opt = …`."""

    def take_apart(self) -> None:
        """Undo what scopes, classes and functions hold of each other."""
        for definition in self.definitions:
            definition.scope.take_apart()
        for owner in self.classes:
            owner.methods.clear()
            owner.above.clear()
        self.definitions.clear()
        self.classes.clear()
        self.attributes.clear()
