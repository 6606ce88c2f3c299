"""The words of some code by what they are there for: repeated in a loop, or asked what to do."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..prefilter.bindings import bound, parts, walk
from ..prefilter.dotted_names import last_word
from ..vocabulary.plain_methods import PLAIN_FUNCTIONS

_LOOPS = (
    *(ast.For, ast.AsyncFor, ast.While),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_ASKING = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.withitem, ast.Return, ast.Yield, ast.YieldFrom)


def words_below(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """All names and attributes in some nodes."""
    return filter(None, map(last_word, walk(nodes)))


def words_in_loops(tree: ast.Module, *, calls: bool = False) -> Iterator[str]:
    """All that stands in a loop; with `calls`, what is called there, given or entered."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if not isinstance(node, _LOOPS):
            pending += parts(node)
        elif calls:
            yield from words_below(part for part in walk([node]) if _may_run(part))
        else:
            yield from words_below([node])


def _may_run(node: ast.AST) -> bool:
    """Whether it is a call or a `with`, but for calls that run nothing that they are given."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name not in PLAIN_FUNCTIONS
        case _:
            return isinstance(node, ast.Call | ast.withitem)


def asked_words(function: ast.AST | None) -> set[str]:
    """What a function runs for what it does, or to be told what to do.

    What is left out is run for a value that the function merely works with:
    `loss = self.compute_loss(batch)`.
    """
    if function is None:
        return set()
    found: set[str] = set()
    for node in walk([function]):
        found.update(words_below(_asked(node)))
    for target, value in bound([function]):
        if not found.isdisjoint(words_below([target])):
            found.update(words_below([value]))
    return found


def _asked(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.If(test=asked) | ast.While(test=asked) | ast.IfExp(test=asked):
            return [asked]
        case ast.Assert(test=asked) | ast.For(iter=asked) | ast.AsyncFor(iter=asked):
            return [asked]
        case ast.comprehension(iter=asked, ifs=tests):
            return [asked, *tests]
        case ast.Expr(value=ast.Call(func=called) | ast.Await(value=ast.Call(func=called))):
            return [called]
        case _:
            return [node] if isinstance(node, _ASKING) else []
