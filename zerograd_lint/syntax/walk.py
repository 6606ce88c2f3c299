"""A plain walk over libcst nodes: the parts that carry meaning, none of the layout.

Twenty times as fast as `node.visit`, which rebuilds every node it passes.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

_DEFINITIONS = frozenset({cst.FunctionDef, cst.ClassDef})
_PARTS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    # --- expressions ---
    cst.Attribute: ("value", "attr"),
    cst.Await: ("expression",),
    cst.BinaryOperation: ("left", "right"),
    cst.BooleanOperation: ("left", "right"),
    cst.Call: ("func", "args"),
    cst.Comparison: ("left", "comparisons"),
    cst.ConcatenatedString: ("left", "right"),
    cst.Dict: ("elements",),
    cst.DictComp: ("key", "value", "for_in"),
    cst.FormattedString: ("parts",),
    cst.GeneratorExp: ("elt", "for_in"),
    cst.IfExp: ("test", "body", "orelse"),
    cst.Lambda: ("params", "body"),
    cst.List: ("elements",),
    cst.ListComp: ("elt", "for_in"),
    cst.NamedExpr: ("target", "value"),
    cst.Set: ("elements",),
    cst.SetComp: ("elt", "for_in"),
    cst.Subscript: ("value", "slice"),
    cst.Tuple: ("elements",),
    cst.UnaryOperation: ("expression",),
    cst.Yield: ("value",),
    # --- pieces of expressions ---
    cst.Annotation: ("annotation",),
    cst.Arg: ("value", "keyword"),
    cst.CompFor: ("target", "iter", "ifs", "inner_for_in"),
    cst.CompIf: ("test",),
    cst.ComparisonTarget: ("comparator",),
    cst.DictElement: ("key", "value"),
    cst.Element: ("value",),
    cst.FormattedStringExpression: ("expression", "format_spec"),
    cst.From: ("item",),
    cst.Index: ("value",),
    cst.Param: ("name", "annotation", "default"),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
    cst.Slice: ("lower", "upper", "step"),
    cst.StarredDictElement: ("value",),
    cst.StarredElement: ("value",),
    cst.SubscriptElement: ("slice",),
    # --- simple statements ---
    cst.AnnAssign: ("target", "annotation", "value"),
    cst.Assert: ("test", "msg"),
    cst.Assign: ("targets", "value"),
    cst.AssignTarget: ("target",),
    cst.AugAssign: ("target", "value"),
    cst.Del: ("target",),
    cst.Expr: ("value",),
    cst.Raise: ("exc", "cause"),
    cst.Return: ("value",),
    # --- compound statements ---
    cst.AsName: ("name",),
    cst.ClassDef: ("name", "body", "bases", "decorators"),
    cst.Decorator: ("decorator",),
    cst.Else: ("body",),
    cst.ExceptHandler: ("body", "type", "name"),
    cst.ExceptStarHandler: ("body", "type", "name"),
    cst.Finally: ("body",),
    cst.For: ("target", "iter", "body", "orelse"),
    cst.FunctionDef: ("name", "params", "body", "decorators", "returns"),
    cst.If: ("test", "body", "orelse"),
    cst.IndentedBlock: ("body",),
    cst.Match: ("subject", "cases"),
    cst.MatchCase: ("guard", "body"),
    cst.Module: ("body",),
    cst.SimpleStatementLine: ("body",),
    cst.SimpleStatementSuite: ("body",),
    cst.Try: ("body", "handlers", "orelse", "finalbody"),
    cst.TryStar: ("body", "handlers", "orelse", "finalbody"),
    cst.While: ("test", "body", "orelse"),
    cst.With: ("items", "body"),
    cst.WithItem: ("item", "asname"),
}
"""By node class: the fields to follow, in the order of the source. All others have no parts."""
_INSIDE = {kind: names[::-1] for kind, names in _PARTS.items() if kind not in _DEFINITIONS}


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The parts of a node that carry meaning; operators do not."""
    found: list[cst.CSTNode] = []
    for name in _PARTS.get(type(node), ()):
        value = getattr(node, name)
        kind = type(value)
        if kind is list or kind is tuple:
            found += value
        elif value is not None and kind is not cst.MaybeSentinel:
            found.append(value)
    return found


def everything_in(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """All nodes below one, those of functions and classes defined there among them."""
    pending = children(node)
    while pending:
        current = pending.pop()
        yield current
        pending += children(current)


def inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """All nodes below one, without entering functions and classes defined there."""
    pending = children(node)
    pending.reverse()
    while pending:
        current = pending.pop()
        yield current
        # As `children` does it, but from the last to the first: all nodes come by here.
        for name in _INSIDE.get(type(current), ()):
            value = getattr(current, name)
            kind = type(value)
            if kind is list or kind is tuple:
                pending += value[::-1]
            elif value is not None and kind is not cst.MaybeSentinel:
                pending.append(value)
