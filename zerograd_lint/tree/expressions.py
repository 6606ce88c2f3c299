"""The expressions of Python, and the pieces they are made of."""

from __future__ import annotations

from .node import Node
from .operators import Operator


class BaseExpression(Node):
    __slots__ = ()


class BaseElement(Node):
    __slots__ = ()
    value: BaseExpression


class BaseDictElement(Node):
    __slots__ = ()
    value: BaseExpression


# --- expressions ----------------------------------------------------------------------------


class Name(BaseExpression):
    __slots__ = ("value",)
    value: str


class Integer(BaseExpression):
    __slots__ = ("evaluated_value", "value")
    value: str
    evaluated_value: int


class Float(BaseExpression):
    __slots__ = ("value",)
    value: str


class Imaginary(BaseExpression):
    __slots__ = ("value",)
    value: str


class Ellipsis(BaseExpression):
    __slots__ = ()


class SimpleString(BaseExpression):
    __slots__ = ("evaluated_value", "value")
    value: str
    evaluated_value: str | bytes


class FormattedString(BaseExpression):
    __slots__ = ("pieces",)
    pieces: list[BaseExpression]


class Attribute(BaseExpression):
    __slots__ = ("attr", "value")
    value: BaseExpression
    attr: Name


class Subscript(BaseExpression):
    __slots__ = ("slice", "value")
    value: BaseExpression
    slice: list[SubscriptElement]


class Call(BaseExpression):
    __slots__ = ("args", "func")
    func: BaseExpression
    args: list[Arg]


class Tuple(BaseExpression):
    __slots__ = ("elements",)
    elements: list[BaseElement]


class List(BaseExpression):
    __slots__ = ("elements",)
    elements: list[BaseElement]


class Set(BaseExpression):
    __slots__ = ("elements",)
    elements: list[BaseElement]


class Dict(BaseExpression):
    __slots__ = ("elements",)
    elements: list[BaseDictElement]


class UnaryOperation(BaseExpression):
    __slots__ = ("expression", "operator")
    operator: Operator
    expression: BaseExpression


class BinaryOperation(BaseExpression):
    __slots__ = ("left", "operator", "right")
    left: BaseExpression
    operator: Operator
    right: BaseExpression


class BooleanOperation(BaseExpression):
    __slots__ = ("left", "operator", "right")
    left: BaseExpression
    operator: Operator
    right: BaseExpression


class Comparison(BaseExpression):
    __slots__ = ("comparisons", "left")
    left: BaseExpression
    comparisons: list[ComparisonTarget]


class IfExp(BaseExpression):
    __slots__ = ("body", "orelse", "test")
    test: BaseExpression
    body: BaseExpression
    orelse: BaseExpression


class Lambda(BaseExpression):
    __slots__ = ("body", "params")
    params: Parameters
    body: BaseExpression


class ListComp(BaseExpression):
    __slots__ = ("elt", "for_in")
    elt: BaseExpression
    for_in: CompFor


class SetComp(BaseExpression):
    __slots__ = ("elt", "for_in")
    elt: BaseExpression
    for_in: CompFor


class GeneratorExp(BaseExpression):
    __slots__ = ("elt", "for_in")
    elt: BaseExpression
    for_in: CompFor


class DictComp(BaseExpression):
    __slots__ = ("for_in", "key", "value")
    key: BaseExpression
    value: BaseExpression
    for_in: CompFor


class NamedExpr(BaseExpression):
    __slots__ = ("target", "value")
    target: BaseExpression
    value: BaseExpression


class Await(BaseExpression):
    __slots__ = ("expression",)
    expression: BaseExpression


class Yield(BaseExpression):
    __slots__ = ("value",)
    value: BaseExpression | From | None


# --- pieces ---------------------------------------------------------------------------------


class Arg(Node):
    __slots__ = ("keyword", "star", "value")
    value: BaseExpression
    keyword: Name | None
    star: str


class Element(BaseElement):
    __slots__ = ("value",)
    value: BaseExpression


class StarredElement(BaseElement):
    __slots__ = ("value",)
    value: BaseExpression


class DictElement(BaseDictElement):
    __slots__ = ("key", "value")
    key: BaseExpression
    value: BaseExpression


class StarredDictElement(BaseDictElement):
    __slots__ = ("value",)
    value: BaseExpression


class SubscriptElement(Node):
    __slots__ = ("slice",)
    slice: Index | Slice


class Index(Node):
    __slots__ = ("value",)
    value: BaseExpression


class Slice(Node):
    __slots__ = ("lower", "step", "upper")
    lower: BaseExpression | None
    upper: BaseExpression | None
    step: BaseExpression | None


class ComparisonTarget(Node):
    __slots__ = ("comparator", "operator")
    operator: Operator
    comparator: BaseExpression


class CompFor(Node):
    __slots__ = ("ifs", "inner_for_in", "iter", "target")
    target: BaseExpression
    iter: BaseExpression
    ifs: list[CompIf]
    inner_for_in: CompFor | None


class CompIf(Node):
    __slots__ = ("test",)
    test: BaseExpression


class From(Node):
    __slots__ = ("item",)
    item: BaseExpression


class Annotation(Node):
    __slots__ = ("annotation",)
    annotation: BaseExpression


class Param(Node):
    __slots__ = ("annotation", "default", "name")
    name: Name
    annotation: Annotation | None
    default: BaseExpression | None


class Parameters(Node):
    __slots__ = ("kwonly_params", "params", "posonly_params", "star_arg", "star_kwarg")
    params: list[Param]
    star_arg: Param | None
    kwonly_params: list[Param]
    star_kwarg: Param | None
    posonly_params: list[Param]
