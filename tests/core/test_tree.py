"""Our tree says the same, whichever parser it is made from, and knows its places."""

from __future__ import annotations

import ast

import pytest

from tests.fixture_files import label, programs
from zerograd_lint import tree
from zerograd_lint.prefilter import relevant_tree
from zerograd_lint.tree.build import build
from zerograd_lint.tree.translate import parse_newer

SAMPLES = [
    "a = b = c, *d = e",
    "x: int = 1; y: str",
    "del a, b.c; del d[0]",
    "if a: b\nelif c: d\nelse:\n    if e:\n        f()\n",
    "for i, j in zip(a, b): pass\nelse: c()\n",
    "while (n := n - 1) and not a or b: continue\n",
    "with a as b, c: d\n",
    "try: a\nexcept (B, C) as e: raise E from e\nelse: d\nfinally: f\n",
    "match a:\n    case [1, x]: b\n    case _: c\n",
    "async def f(a, /, b=1, *c, d: int = 2, **e) -> None:\n    await g()\n    yield\n",
    "@d\nclass A(B, metaclass=C):\n    def f(self): return lambda x, y=1: x\n",
    "f(a, *b, c=d, **e)\ng(x=1, *y)\n",
    "[a for b in c if d for e in f]; {a: b for c in d}; {a for b in c}; (a for b in c)\n",
    "a[1], a[1:2, ::3], a['k'], {**a, 'b': 1}, {1, 2}\n",
    "-a + b * c ** d // e % f < g <= h != i is not j not in k\n",
    "x = 'a' if b else f'{c!r:>{d}} {e}'\n",
    "from . import a as b, c\nfrom ..d.e import *\nimport f.g as h\n",
    "global a, b\nassert c, d\nprint(..., 1j, 1.5, b'x', None, True)\n",
    "ä = ö.ü(ß)\n",
]


def shape(node: object) -> object:
    """Classes and words, without layout."""
    if isinstance(node, list):
        return [shape(part) for part in node]
    if isinstance(node, tree.Node):
        parts = [shape(getattr(node, name)) for name in node.parts if name != "value_text"]
        return [type(node).__name__, *parts]
    return node


def words(node: object) -> object:
    """The same without how a literal is spelt, which only one of the parsers keeps."""
    match node:
        case ["SimpleString" | "Integer" | "Float" | "Imaginary" as kind, *_, value]:
            return [kind, value if kind in ("SimpleString", "Integer") else None]
        case list():
            return [words(part) for part in node]
    return node


def both(text: str) -> tuple[tree.Module, tree.Module]:
    lines = text.split("\n")
    return build(ast.parse(text), lines), parse_newer(text, lines)


@pytest.mark.parametrize("text", SAMPLES)
def test_two_parsers_one_tree(text: str) -> None:
    ours, theirs = both(text)
    assert words(shape(ours)) == words(shape(theirs))


@pytest.mark.parametrize("path", list(programs("ZG00"))[::7], ids=label)
def test_two_parsers_one_tree_of_programs(path: object) -> None:
    ours, theirs = both(path.read_text())  # type: ignore[attr-defined]
    assert words(shape(ours)) == words(shape(theirs))


def test_places_are_counted_in_characters() -> None:
    (line,) = build(ast.parse("ä = ö.ü(ß)\n"), ["ä = ö.ü(ß)", ""]).body
    assert isinstance(line, tree.SimpleStatementLine)
    (assign,) = line.body
    assert isinstance(assign, tree.Assign)
    assert (assign.value.span.start.column, assign.value.span.end.column) == (5, 11)
    assert assign.value.code == "ö.ü(ß)"


def test_newer_syntax_is_read_as_well() -> None:
    text = "import torch\ntype X = int\nopt = torch.optim.SGD(net.parameters())\nopt.step()\n"
    found = relevant_tree(text) if _too_new(text) else parse_newer(text, text.split("\n"))
    assert found is not None
    assert found.body[-1].code == "opt.step()"


def _too_new(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return True
    return False
