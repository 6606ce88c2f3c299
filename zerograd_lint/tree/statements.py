"""The statements of Python, and the pieces they are made of."""

from __future__ import annotations

from .expressions import Annotation, Arg, BaseExpression, Name, Parameters, SimpleString
from .node import Node
from .operators import Operator


class BaseSmallStatement(Node):
    """What several of can stand on one line."""

    __slots__ = ()


class BaseSuite(Node):
    __slots__ = ()
    body: list[Node]


class SimpleStatementLine(Node):
    __slots__ = ("body",)
    body: list[BaseSmallStatement]


class SimpleStatementSuite(BaseSuite):
    """A body on the line of its head."""

    __slots__ = ("body",)
    body: list[BaseSmallStatement]  # type: ignore[assignment]


class IndentedBlock(BaseSuite):
    __slots__ = ("body",)
    body: list[Node]


class Module(Node):
    __slots__ = ("body",)
    body: list[Node]


class Pass(BaseSmallStatement):
    __slots__ = ()


class Break(BaseSmallStatement):
    __slots__ = ()


class Continue(BaseSmallStatement):
    __slots__ = ()


class Expr(BaseSmallStatement):
    __slots__ = ("value",)
    value: BaseExpression


class Assign(BaseSmallStatement):
    __slots__ = ("targets", "value")
    targets: list[AssignTarget]
    value: BaseExpression


class AnnAssign(BaseSmallStatement):
    __slots__ = ("annotation", "target", "value")
    target: BaseExpression
    annotation: Annotation
    value: BaseExpression | None


class AugAssign(BaseSmallStatement):
    __slots__ = ("operator", "target", "value")
    target: BaseExpression
    operator: Operator
    value: BaseExpression


class Return(BaseSmallStatement):
    __slots__ = ("value",)
    value: BaseExpression | None


class Raise(BaseSmallStatement):
    __slots__ = ("cause", "exc")
    exc: BaseExpression | None
    cause: BaseExpression | None


class Del(BaseSmallStatement):
    __slots__ = ("target",)
    target: BaseExpression


class Assert(BaseSmallStatement):
    __slots__ = ("msg", "test")
    test: BaseExpression
    msg: BaseExpression | None


class Global(BaseSmallStatement):
    __slots__ = ("names",)
    names: list[NameItem]


class Nonlocal(BaseSmallStatement):
    __slots__ = ("names",)
    names: list[NameItem]


class Import(BaseSmallStatement):
    __slots__ = ("names",)
    names: list[ImportAlias]


class ImportFrom(BaseSmallStatement):
    __slots__ = ("module", "names", "relative")
    module: BaseExpression | None
    names: list[ImportAlias] | ImportStar
    relative: int


class If(Node):
    __slots__ = ("body", "orelse", "test")
    test: BaseExpression
    body: BaseSuite
    orelse: If | Else | None


class While(Node):
    __slots__ = ("body", "orelse", "test")
    test: BaseExpression
    body: BaseSuite
    orelse: Else | None


class For(Node):
    __slots__ = ("body", "iter", "orelse", "target")
    target: BaseExpression
    iter: BaseExpression
    body: BaseSuite
    orelse: Else | None


class With(Node):
    __slots__ = ("body", "items")
    items: list[WithItem]
    body: BaseSuite


class Try(Node):
    __slots__ = ("body", "finalbody", "handlers", "orelse")
    body: BaseSuite
    handlers: list[ExceptHandler]
    orelse: Else | None
    finalbody: Finally | None


class TryStar(Node):
    __slots__ = ("body", "finalbody", "handlers", "orelse")
    body: BaseSuite
    handlers: list[ExceptHandler]
    orelse: Else | None
    finalbody: Finally | None


class Match(Node):
    __slots__ = ("cases", "subject")
    subject: BaseExpression
    cases: list[MatchCase]


class ClassDef(Node):
    __slots__ = ("bases", "body", "decorators", "name")
    name: Name
    body: BaseSuite
    bases: list[Arg]
    decorators: list[Decorator]


class FunctionDef(Node):
    __slots__ = ("body", "decorators", "name", "params", "returns")
    name: Name
    params: Parameters
    body: BaseSuite
    decorators: list[Decorator]
    returns: Annotation | None

    def get_docstring(self) -> str | bytes | None:
        match self.body.body[:1]:
            case [SimpleStatementLine(body=[Expr(value=SimpleString(evaluated_value=text)), *_])]:
                return text
        return None


class AssignTarget(Node):
    __slots__ = ("target",)
    target: BaseExpression


class NameItem(Node):
    __slots__ = ("name",)
    name: Name


class AsName(Node):
    __slots__ = ("name",)
    name: BaseExpression


class ImportAlias(Node):
    __slots__ = ("asname", "name")
    name: BaseExpression
    asname: AsName | None


class ImportStar(Node):
    __slots__ = ()


class Else(Node):
    __slots__ = ("body",)
    body: BaseSuite


class Finally(Node):
    __slots__ = ("body",)
    body: BaseSuite


class WithItem(Node):
    __slots__ = ("asname", "item")
    item: BaseExpression
    asname: AsName | None


class ExceptHandler(Node):
    __slots__ = ("body", "name", "type")
    body: BaseSuite
    type: BaseExpression | None
    name: AsName | None


class MatchCase(Node):
    __slots__ = ("body", "guard", "pattern")
    pattern: MatchPattern
    guard: BaseExpression | None
    body: BaseSuite


class MatchPattern(Node):
    __slots__ = ()


class MatchAs(MatchPattern):
    __slots__ = ("pattern",)
    pattern: MatchPattern | None


class Decorator(Node):
    __slots__ = ("decorator",)
    decorator: BaseExpression
