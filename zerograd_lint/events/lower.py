"""From syntax to program: statements become control flow, expressions become their events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import libcst as cst

from ..program import (
    Block,
    Branch,
    Choice,
    Condition,
    Constant,
    Emit,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Ref,
    Suspend,
    Try,
    walk,
)
from ..settings import Settings
from .buffers import buffer_owner, buffers_in, is_zero, strip_data
from .calls import CallEffects
from .dataflow import frozen_modules
from .event import Event, Guard, Kind, Site
from .inventory import Inventory
from .names import dotted
from .objects import Objects
from .scopes import Definition, Index, Scope, Value, define
from .tests import LAST_OF_WINDOW, SYNCHRONISES, Tests, periodic
from .vocabulary import ACCUMULATING_CONTEXTS, LOSS_CONTEXTS
from .walk import children, inside


@dataclass(frozen=True, slots=True)
class Frame:
    """Where in the source the lowering stands."""

    scope: Scope
    function: Function
    statement: cst.CSTNode
    block: int = 0
    loops: tuple[int, ...] = ()
    guards: tuple[Guard, ...] = ()
    alone: bool = True
    managed: bool = False
    """A launcher decides here which of the steps and zeroings really happen."""
    wrapper: Site | None = None


class Lowering:
    """Lowers every function of one file. Events come out in the order they would happen."""

    def __init__(self, index: Index, settings: Settings) -> None:
        self.index = index
        self.settings = settings
        self.objects = Objects(index)
        self.inventory = Inventory(self.objects, settings)
        self._tests = Tests()
        self._calls = CallEffects(self)
        self._frame: Frame
        self._numbers = 0
        self._lambdas: dict[int, Definition] = {}
        self._generators = {
            definition.scope.id
            for definition in index.definitions
            if any(type(node) is cst.Yield for node in definition.parts)
        }
        self.frozen: set[Ref] = set()
        self.loose: Block = []
        """Zeroings handed around as values, to be called nobody knows when."""
        self.handed_out: set[str] = set()
        """Scopes of functions handed around as values."""
        self.gradient_names: dict[Ref, tuple[Ref, ...]] = {}
        """Local names that hold a gradient: `g = p.grad`."""

    def lower(self) -> list[Function]:
        self.frozen = frozen_modules(self)
        for definition in self.index.definitions:
            self._learn_gradient_names(definition)
        for definition in list(self.index.definitions):
            self._lower(definition)
        return [definition.function for definition in self.index.definitions]

    def _lower(self, definition: Definition) -> None:
        node = definition.node
        self._frame = Frame(definition.scope, definition.function, node)
        match node:
            case cst.Module(body=body):
                definition.function.body = self._block(body)
            case cst.FunctionDef(body=suite):
                definition.function.body = self._suite(suite)
            case cst.Lambda(body=expression):
                self._frame = replace(self._frame, alone=False)
                definition.function.body = self.expression(expression)

    def lambda_definition(self, node: cst.Lambda) -> Definition:
        """The function a lambda is, lowered when first asked for."""
        known = self._lambdas.get(id(node))
        if known is None:
            frame = self._frame
            known = define(node, frame.scope, frame.function, None, "<lambda>")
            self._lambdas[id(node)] = known
            self.index.definitions.append(known)
            self._lower(known)
            self._frame = frame
        return known

    def _learn_gradient_names(self, definition: Definition) -> None:
        scope = definition.scope
        for name, values in scope.assigned.items():
            for value in values:
                if value is None:
                    continue
                for owner in buffers_in(value.expression):
                    refs = self.subjects(owner, value.scope)
                    if refs:
                        known = self.gradient_names.get(Ref(scope.id, name), ())
                        self.gradient_names[Ref(scope.id, name)] = known + refs

    # --- where we are -----------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        return self._frame.scope

    def site(self, node: cst.CSTNode) -> Site:
        frame = self._frame
        return Site(
            node,
            frame.statement,
            frame.function,
            frame.block,
            frame.loops,
            frame.guards,
            frame.alone,
        )

    def first_place(self, definition: Definition) -> Site | None:
        """The first statement of a function, its docstring left out."""
        node = definition.node
        if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
            return None
        statements = node.body.body
        start = 1 if node.get_docstring() is not None and len(statements) > 1 else 0
        first = statements[start]
        return Site(first, first, definition.function, 0, (), (), alone=True)

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    @contextmanager
    def _within(self, frame: Frame) -> Iterator[None]:
        outer, self._frame = self._frame, frame
        try:
            yield
        finally:
            self._frame = outer

    def subjects(self, node: cst.BaseExpression, scope: Scope | None = None) -> tuple[Ref, ...]:
        """The objects whose gradients an expression means; imported names have none."""
        refs = self.objects.resolve(node, scope or self.scope)
        return tuple(ref for ref in refs if ref.scope != "import")

    # --- statements -------------------------------------------------------------------------

    def _suite(self, suite: cst.BaseSuite) -> Block:
        if isinstance(suite, cst.SimpleStatementSuite):
            with self._within(
                replace(self._frame, block=self._number(), statement=suite, alone=False)
            ):
                return [item for small in suite.body for item in self._small(small)]
        return self._block(suite.body)

    def _block(self, statements: Sequence[cst.CSTNode]) -> Block:
        lowered: Block = []
        with self._within(replace(self._frame, block=self._number())):
            for statement in statements:
                self._frame = replace(self._frame, statement=statement, alone=True)
                lowered.extend(self._statement(statement))
                if isinstance(statement, cst.If) and statement.orelse is None:
                    left = lowered[-1] if lowered else None
                    if isinstance(left, Branch) and _leaves(left.then):
                        # What follows `if test: continue` runs only where the test failed.
                        self._frame = replace(
                            self._frame, guards=(*self._frame.guards, _guard(left.test, False))
                        )
        return lowered

    def _statement(self, node: cst.CSTNode) -> Block:
        match node:
            case cst.SimpleStatementLine(body=small):
                if len(small) > 1:
                    self._frame = replace(self._frame, alone=False)
                return [item for statement in small for item in self._small(statement)]
            case cst.If():
                return self._if(node)
            case cst.For():
                return self._for(node)
            case cst.While():
                return self._while(node)
            case cst.With(items=items, body=body):
                return self._with(node, items, body)
            case cst.Try() | cst.TryStar():
                return [
                    Try(
                        self._suite(node.body),
                        tuple(self._suite(handler.body) for handler in node.handlers),
                        self._suite(node.orelse.body) if node.orelse is not None else [],
                        self._suite(node.finalbody.body) if node.finalbody is not None else [],
                    )
                ]
            case cst.Match(subject=subject, cases=cases):
                arms = [self._suite(case.body) for case in cases]
                if not any(
                    isinstance(case.pattern, cst.MatchAs)
                    and case.pattern.pattern is None
                    and case.guard is None
                    for case in cases
                ):
                    arms.append([])
                return [*self.expression(subject), Choice(tuple(arms))]
        return []

    def _with(self, node: cst.With, items: Sequence[cst.WithItem], body: cst.BaseSuite) -> Block:
        lowered: Block = []
        frame = self._frame
        for item in items:
            lowered.extend(self.expression(item.item))
            if item.asname is not None:
                lowered.extend(self._bind(item.asname.name, None))
            match item.item:
                case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                    if name in ACCUMULATING_CONTEXTS:
                        lowered.append(Rebind(frozenset({SYNCHRONISES})))
                        frame = replace(frame, managed=True)
                    elif name in LOSS_CONTEXTS:
                        frame = replace(frame, wrapper=self.site(node))
        with self._within(frame):
            return lowered + self._suite(body)

    def _if(self, node: cst.If) -> Block:
        test = self._tests.condition(node.test, self.scope)
        before = self.expression(node.test)
        frame = self._frame
        with self._within(replace(frame, guards=(*frame.guards, _guard(test, True)))):
            then = self._suite(node.body)
        with self._within(replace(frame, guards=(*frame.guards, _guard(test, False)))):
            match node.orelse:
                case cst.If():
                    orelse = self._if(node.orelse)
                case cst.Else(body=body):
                    orelse = self._suite(body)
                case _:
                    orelse = []
        return [*before, Branch(test, then, orelse)]

    def _for(self, node: cst.For) -> Block:
        before = self.expression(node.iter)
        frame = self._frame
        scope = frame.scope
        names = _loop_names(node.target, node.iter, scope)
        if any(
            self.objects.elements(value.expression, value.index, scope)
            for values in names.values()
            for value in values
            if value is not None
        ):
            scope = scope.inside_loop(names)
        inner = replace(frame, scope=scope, loops=(*frame.loops, self._number()), guards=())
        with self._within(inner):
            body = [
                Rebind(frozenset({SYNCHRONISES})),
                *self._bind(node.target, None),
                *self._suite(node.body),
            ]
        orelse = self._suite(node.orelse.body) if node.orelse is not None else []
        self._note_slow_zeroing(node, body)
        for item in before:
            if isinstance(item, Invoke) and self._suspends(item.function):
                item.consumer = body
                return before + orelse
        return [*before, Loop(body, orelse, each=self._each(node.target, node.iter, node.body))]

    def _note_slow_zeroing(self, node: cst.For, body: Block) -> None:
        """`for p in net.parameters(): p.grad = None` does what `net.zero_grad()` does."""
        match node.iter:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(value="parameters"))):
                events = [i.event for i in walk(body) if isinstance(i, Emit)]
                others = [i for i in walk(body) if not isinstance(i, Emit | Rebind | Branch)]
                if len(events) == 1 and not others and not isinstance(module, cst.Call):
                    event = events[0]
                    if isinstance(event, Event) and event.kind is Kind.ZERO and event.by_hand:
                        if all(guard.decided for guard in event.site.guards):
                            event.slow = f"{cst.Module([]).code_for_node(module)}.zero_grad()"
                            event.whole = self.site(node)

    def _suspends(self, function: Function) -> bool:
        """Whether a function of the file is a generator."""
        return function.scope in self._generators

    def _each(
        self, target: cst.BaseExpression, iterated: cst.BaseExpression, body: cst.CSTNode | None
    ) -> tuple[Ref, ...]:
        """The collections a loop visits one by one: by element, or by index."""
        found: set[Ref] = set()
        names = set()
        for index, name in _targets(target):
            names.add(name)
            found.update(self.objects.elements(iterated, index, self.scope))
        if body is not None:
            for part in inside(body):
                if (
                    isinstance(part, cst.Subscript)
                    and len(part.slice) == 1
                    and isinstance(part.slice[0].slice, cst.Index)
                    and isinstance(part.slice[0].slice.value, cst.Name)
                    and part.slice[0].slice.value.value in names
                ):
                    found.update(self.subjects(part))
        return tuple(ref for ref in found if ref.scope != "import")

    def _while(self, node: cst.While) -> Block:
        test = self._tests.condition(node.test, self.scope)
        frame = self._frame
        inner = replace(frame, loops=(*frame.loops, self._number()), guards=())
        with self._within(inner):
            body = self.expression(node.test) + self._suite(node.body)
        orelse = self._suite(node.orelse.body) if node.orelse is not None else []
        endless = isinstance(test, Constant) and test.value
        return [Loop(body, orelse, endless=endless)]

    def _small(self, node: cst.BaseSmallStatement) -> Block:
        match node:
            case cst.Expr(value=value):
                return self._uncalled(value) or self.expression(value)
            case cst.Assign(targets=targets, value=value):
                return self._assign([target.target for target in targets], value)
            case cst.AnnAssign(target=target, value=value) if value is not None:
                return self._assign([target], value)
            case cst.AugAssign(target=target, operator=operator, value=value):
                return self._augment(node, target, operator, value)
            case cst.Return(value=value):
                before = self.expression(value) if value is not None else []
                return [*before, Jump(JumpKind.RETURN)]
            case cst.Raise():
                return [Jump(JumpKind.RAISE)]
            case cst.Break():
                return [Jump(JumpKind.BREAK)]
            case cst.Continue():
                return [Jump(JumpKind.CONTINUE)]
            case cst.Del(target=target):
                owner = buffer_owner(target)
                if owner is not None:
                    return self._zero_by_hand(owner, node, leaves_none=True)
            case cst.Assert(test=test):
                return self.expression(test)
        return []

    def _uncalled(self, value: cst.BaseExpression) -> Block:
        """`optimizer.zero_grad` on a line of its own."""
        match value:
            case cst.Attribute(value=receiver, attr=cst.Name(value="zero_grad")):
                return self.emit(Kind.UNCALLED, self.subjects(receiver), value, receiver)
        return []

    # --- assignments ------------------------------------------------------------------------

    def _assign(self, targets: list[cst.BaseExpression], value: cst.BaseExpression) -> Block:
        lowered: Block = []
        named = self.subjects(targets[0]) if not isinstance(targets[0], cst.Tuple) else ()
        update = self._update(targets[0], value)
        lowered.extend(self.expression(value, made=named[0] if named else None, quiet=bool(update)))
        lowered.extend(update)
        for target in targets:
            lowered.extend(self._bind(target, value))
        return lowered

    def _update(self, target: cst.BaseExpression, value: cst.BaseExpression) -> Block:
        """`w.data = w - lr * w.grad`, `w = w - lr * w.grad`: applied by hand."""
        if buffer_owner(target) is not None:
            return []
        return self.consumed_by_hand(strip_data(target), value)

    def consumed_by_hand(self, changed: cst.BaseExpression, source: cst.CSTNode) -> Block:
        """A CONSUME if what changes a tensor is made from its own gradient."""
        refs = self.subjects(changed)
        if not refs:
            return []
        fed: set[Ref] = set()
        for owner in buffers_in(source):
            fed.update(self.subjects(owner))
        for part in (source, *inside(source)) if self.gradient_names else ():
            if type(part) is cst.Name:
                home = self.scope.home(part.value)
                if home is not None:
                    fed.update(self.gradient_names.get(Ref(home.id, part.value), ()))
        applied = tuple(ref for ref in refs if ref in fed)
        return self.emit(Kind.CONSUME, applied, source, changed, by_hand=True)

    def _bind(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> Block:
        """What giving a target another value does, apart from computing that value."""
        match target:
            case cst.Name(value=name):
                home = self.scope.home(name)
                if home is None or self._keeps_identity(target, value):
                    return []
                return [Rebind(frozenset({Ref(home.id, name)}))]
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                parts: Sequence[cst.BaseExpression | None] = [value] * len(elements)
                if isinstance(value, cst.Tuple | cst.List) and len(value.elements) == len(elements):
                    parts = [element.value for element in value.elements]
                return [
                    item
                    for element, part in zip(elements, parts, strict=True)
                    for item in self._bind(element.value, part)
                ]
            case cst.Attribute() | cst.Subscript():
                owner = buffer_owner(target)
                if owner is not None and value is not None:
                    return self._buffer_assigned(owner, target, value)
                if isinstance(target, cst.Attribute) and target.attr.value == "data":
                    return []
                if self._keeps_identity(target, value):
                    return []
                return [Rebind(frozenset(self.subjects(target)))]
        return []

    def _keeps_identity(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> bool:
        """`net = DDP(net)` names the same object as before."""
        if value is None:
            return False
        before = self.objects.resolve(target, self.scope)
        if not before:
            return False
        if set(before) <= set(self.objects.resolve(value, self.scope)):
            return True
        return isinstance(value, cst.Call) and any(
            set(before) & set(self.objects.resolve(argument.value, self.scope))
            for argument in value.args
        )

    def _buffer_assigned(
        self, owner: cst.BaseExpression, target: cst.BaseExpression, value: cst.BaseExpression
    ) -> Block:
        if is_zero(value):
            none = isinstance(value, cst.Name)
            return self._zero_by_hand(owner, target, leaves_none=none)
        return self.replaced_by_hand(owner, target)

    def replaced_by_hand(self, owner: cst.BaseExpression, node: cst.CSTNode) -> Block:
        """A gradient put there by hand counts as one that arrived, in place of the old one."""
        refs = self.subjects(owner)
        return self.emit(Kind.DEPOSIT, refs[:1], node, owner, inputs=refs, replaces=True)

    def _zero_by_hand(
        self, owner: cst.BaseExpression, node: cst.CSTNode, *, leaves_none: bool = False
    ) -> Block:
        refs = self.subjects(owner)
        return self.emit(
            Kind.ZERO, refs, node, owner, by_hand=True, leaves_none=leaves_none
        ) or self.emit(Kind.ESCAPE, (None,), node, owner)

    def _augment(
        self,
        node: cst.AugAssign,
        target: cst.BaseExpression,
        operator: cst.BaseAugOp,
        value: cst.BaseExpression,
    ) -> Block:
        owner = buffer_owner(target)
        if owner is not None:
            if isinstance(operator, cst.MultiplyAssign) and is_zero(value):
                refs = self.subjects(owner)
                return self.emit(Kind.ZERO, refs, node, owner, by_hand=True, needs_buffer=True)
            return self.expression(value) + self.emit(
                Kind.READ, self.subjects(owner), node, owner, needs_buffer=True
            )
        update = self.consumed_by_hand(strip_data(target), value)
        lowered = self.expression(value, quiet=bool(update)) + update
        if isinstance(target, cst.Name) and not update:
            lowered.extend(self._bind(target, None))
        elif isinstance(target, cst.Attribute) and not update:
            lowered.append(Rebind(frozenset(self.subjects(target))))
        return lowered

    # --- expressions ------------------------------------------------------------------------

    def expression(
        self, node: cst.BaseExpression, *, made: Ref | None = None, quiet: bool = False
    ) -> Block:
        """The events of evaluating an expression. `quiet` leaves out reads of gradients."""
        match node:
            case cst.Integer() | cst.SimpleString() | cst.Float() | cst.Lambda():
                return []
            case cst.Name(value=name):
                home = self.scope.home(name)
                if home is not None and name in home.functions:
                    self.handed_out.add(home.functions[name].scope.id)
                return []
            case cst.Call():
                return self._calls.lower(node, made, quiet)
            case cst.Attribute(value=owner, attr=cst.Name(value="grad")) if not quiet:
                refs = self.subjects(owner)
                return self.expression(owner) + self.emit(Kind.READ, refs, node, owner)
            case cst.Attribute(value=receiver, attr=cst.Name(value="zero_grad")):
                # Named but not called: whoever gets hold of it may call it at any time.
                zeros = self.emit(Kind.ZERO, self.subjects(receiver), node, receiver)
                self.loose.extend(zeros)
                return self.expression(receiver, quiet=quiet)
            case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=name)) if (
                base == self.scope.instance_name and self.scope.within is not None
            ):
                method = self.objects.method(self.scope.within, name)
                if method is not None:
                    self.handed_out.add(method.scope.id)
                return []
            case cst.Attribute(value=inner):
                lowered = self.expression(inner, quiet=quiet)
                self._use_buffer(inner, lowered)
                return lowered
            case cst.Subscript(value=inner):
                lowered = self._children(node, quiet)
                self._use_buffer(inner, lowered)
                return lowered
            case cst.BinaryOperation(left=left, right=right):
                lowered = self._children(node, quiet)
                self._use_buffer(left, lowered)
                self._use_buffer(right, lowered)
                return lowered
            case cst.Comparison(left=left, comparisons=[comparison]) if _is_none(comparison):
                return self.expression(left, quiet=True)
            case cst.IfExp(test=test, body=body, orelse=orelse):
                condition = self._tests.condition(test, self.scope)
                return [
                    *self.expression(test, quiet=quiet),
                    Branch(
                        condition,
                        self.expression(body, quiet=quiet),
                        self.expression(orelse, quiet=quiet),
                    ),
                ]
            case cst.BooleanOperation(left=left, operator=operator, right=right):
                second = self.expression(right, quiet=quiet)
                first = self.expression(left, quiet=quiet)
                if not second:
                    return first
                condition = self._tests.condition(left, self.scope)
                if isinstance(operator, cst.And):
                    return [*first, Branch(condition, second, [])]
                return [*first, Branch(condition, [], second)]
            case cst.ListComp(elt=elt) | cst.SetComp(elt=elt) | cst.GeneratorExp(elt=elt):
                return self._comprehension(node.for_in, [elt], quiet)
            case cst.DictComp(key=key, value=value):
                return self._comprehension(node.for_in, [key, value], quiet)
            case cst.NamedExpr(target=target, value=value):
                return self.expression(value, quiet=quiet) + self._bind(target, value)
            case cst.Yield(value=value):
                lowered = self.expression(value) if isinstance(value, cst.BaseExpression) else []
                return [*lowered, Suspend()]
        return self._children(node, quiet)

    def _use_buffer(self, inner: cst.BaseExpression, lowered: Block) -> None:
        """Doing something with `w.grad` fails if it is None, merely passing it on does not."""
        if buffer_owner(inner) is not None:
            for item in lowered:
                if isinstance(item, Emit) and isinstance(item.event, Event):
                    if item.event.kind is Kind.READ:
                        item.event.needs_buffer = True

    def _children(self, node: cst.CSTNode, quiet: bool) -> Block:
        lowered: Block = []
        for child in children(node):
            if isinstance(child, cst.BaseExpression):
                lowered.extend(self.expression(child, quiet=quiet))
            else:
                lowered.extend(self._children(child, quiet))
        return lowered

    def _comprehension(
        self, clause: cst.CompFor, values: list[cst.BaseExpression], quiet: bool
    ) -> Block:
        before = self.expression(clause.iter, quiet=quiet)
        inner = self.scope.inside_loop(_loop_names(clause.target, clause.iter, self.scope))
        with self._within(replace(self._frame, scope=inner)):
            body: Block = []
            if clause.inner_for_in is not None:
                body.extend(self._comprehension(clause.inner_for_in, values, quiet))
            else:
                for value in values:
                    body.extend(self.expression(value, quiet=quiet))
            for test in clause.ifs:
                condition = self._tests.condition(test.test, self.scope)
                body = [Branch(condition, body, [])]
            each = self._each(clause.target, clause.iter, None)
        return [*before, Loop(body, each=each)] if body else before

    # --- events -----------------------------------------------------------------------------

    def emit(
        self,
        kind: Kind,
        subjects: Iterable[Ref | None],
        node: cst.CSTNode,
        spelt: cst.BaseExpression,
        **details: object,
    ) -> Block:
        spelling = dotted(spelt) or cst.Module([]).code_for_node(spelt).strip()
        frame = self._frame
        if frame.managed and kind in (Kind.ZERO, Kind.CONSUME):
            guards = (*frame.guards, _guard(LAST_OF_WINDOW, True))
            with self._within(replace(frame, managed=False, guards=guards)):
                happens = self.emit(kind, subjects, node, spelt, **details)
            return [Branch(LAST_OF_WINDOW, happens, [])] if happens else []
        if kind is Kind.DEPOSIT:
            details["wrapper"] = frame.wrapper
            details["managed"] = frame.managed
        return [
            Emit(Event(kind, subject, self.site(node), spelling, **details))  # type: ignore[arg-type]
            for subject in dict.fromkeys(subjects)
        ]


def _leaves(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Jump)


def _guard(test: Condition, taken: bool) -> Guard:
    return Guard(test, taken, *periodic(test, taken))


def _is_none(comparison: cst.ComparisonTarget) -> bool:
    return isinstance(comparison.comparator, cst.Name) and comparison.comparator.value == "None"


def _targets(
    target: cst.BaseExpression, index: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], str]]:
    """The names in a loop's target and where in the tuple each stands."""
    match target:
        case cst.Name(value=name):
            yield index, name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for position, element in enumerate(elements):
                yield from _targets(element.value, (*index, position))


def _loop_names(
    target: cst.BaseExpression, iterated: cst.BaseExpression, scope: Scope
) -> dict[str, list[Value | None]]:
    return {
        name: [Value(iterated, scope, iterated=True, index=index)]
        for index, name in _targets(target)
    }
