"""libcst reads the part of a file that can matter; places are those of the whole file."""

from __future__ import annotations

import ast
from pathlib import Path

import libcst as cst
import pytest

from tests.fixture_files import label, programs
from zerograd_lint import check_source
from zerograd_lint.prefilter import relevant_part
from zerograd_lint.prefilter.excerpt import whole_file, without
from zerograd_lint.prefilter.outline import Outline
from zerograd_lint.syntax.literals import literal
from zerograd_lint.syntax.names import code_of, dotted
from zerograd_lint.syntax.positions import NodePlaces, Positions
from zerograd_lint.syntax.walk import children, inside


def expression(text: str) -> cst.BaseExpression:
    return cst.parse_expression(text)


def test_what_libcst_parses_is_what_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings follow from its tree: with the tree of another text, they are that text's."""
    step = "optimizer.step()"
    bug = (
        "import torch\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        f"for x in data:\n    model(x).backward()\n    {step}\n"
    )
    asked: list[str] = []
    original = cst.parse_module

    def parse_another_text(text: str) -> cst.Module:
        asked.append(text)
        return original(text.replace(step, f"{step}; optimizer.zero_grad()"))

    with monkeypatch.context() as patched:
        patched.setattr(cst, "parse_module", parse_another_text)
        assert check_source(bug) == []
    assert asked
    assert all(step in text for text in asked)
    # Trees are kept by text, so the same question is asked in other words.
    unpatched = check_source(bug.replace("data", "batches"))
    assert [finding.code for finding in unpatched] == ["ZG001"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("a.b", "a.b"), ("(a)", "a"), ("((a + b))", "a + b"), ("( a\n)", "a"), ("(a)(b)", "(a)(b)")],
)
def test_code_has_no_parentheses_around_all_of_it(text: str, code: str) -> None:
    assert code_of(expression(text)) == code


@pytest.mark.parametrize(
    ("text", "value"),
    [("'a'", "a"), ('"""a"""', "a"), (r"'\n'", "\n"), ("'a' 'b'", "ab"), ("0x10", 16)],
)
def test_literals(text: str, value: object) -> None:
    assert literal(expression(text)) == value


@pytest.mark.parametrize("text", ["b'a'", "f'{a}'", "1.5", "a", "9" * 5000])
def test_other_expressions_are_no_literals(text: str) -> None:
    assert literal(expression(text)) is None


def test_dotted_names() -> None:
    assert dotted(expression("a.b.c")) == "a.b.c"
    assert dotted(expression("a().b")) is None


def calls(module: cst.Module) -> list[cst.Call]:
    found = []
    pending: list[cst.CSTNode] = [module]
    while pending:
        node = pending.pop()
        pending += children(node)
        if isinstance(node, cst.Call):
            found.append(node)
    return found


@pytest.mark.parametrize("path", list(programs("ZG00"))[::5], ids=label)
def test_the_walk_meets_every_call_and_places_are_those_of_the_parser(path: Path) -> None:
    """Python's own parser is the judge of both."""
    text = path.read_text(encoding="utf-8")
    module = cst.parse_module(text)
    positions = Positions(NodePlaces(module), range(1, text.count("\n") + 2))
    ours = sorted(
        (span.start.line, span.start.column, span.end.line, span.end.column)
        for span in map(positions.span, calls(module))
    )
    theirs = sorted(
        (n.lineno, n.col_offset + 1, n.end_lineno, (n.end_col_offset or 0) + 1)
        for n in ast.walk(ast.parse(text))
        if isinstance(n, ast.Call)
    )
    assert ours == theirs


def test_places_are_counted_in_characters() -> None:
    module = cst.parse_module("ä = ö.ü(ß)\n")
    (call,) = calls(module)
    span = Positions(NodePlaces(module), [1, 2]).span(call)
    assert (span.start.column, span.end.column) == (5, 11)


def test_places_behind_imports_in_brackets() -> None:
    module = cst.parse_module("from a import (\n    b,\n)\nc()\n")
    (call,) = calls(module)
    assert Positions(NodePlaces(module), range(1, 6)).line(call) == 4


def test_functions_are_not_entered() -> None:
    module = cst.parse_module("a()\ndef f():\n    b()\nclass C:\n    d()\n")
    names = {node.value for node in inside(module) if isinstance(node, cst.Name)}
    assert names == {"a"}


def test_an_excerpt_keeps_the_numbers_of_its_lines() -> None:
    text = "a\n@d\ndef f():\n    b\n\nclass C:\n    def g(self): pass\n    def h(self): pass\nc"
    tree = ast.parse(text)
    functions = {n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    part = without(tree, text.split("\n"), functions, {"h"})
    kept = list(zip(part.line_numbers, part.text.split("\n"), strict=True))
    assert kept == [(1, "a"), (6, "class C:"), (8, "    def h(): pass"), (9, "c")]


def test_a_block_that_loses_all_functions_is_not_empty() -> None:
    text = "class C:\n    def g(self): pass\n    def h(self): pass\n"
    tree = ast.parse(text)
    functions = {n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    assert without(tree, text.split("\n"), functions, ()).text == "class C:\n    pass"


def test_what_python_cannot_read_is_kept_whole() -> None:
    text = "import torch\nprint 'Python 2'"
    found = relevant_part(Outline(text))
    assert found is not None
    assert found.part == whole_file(text)


REFUSED = """
import torch
net = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in range(9):
    net(x).backward()
    optimizer.step()
    assert(net if x else optimizer)
"""


def test_valid_code_that_libcst_refuses_is_checked() -> None:
    assert [finding.code for finding in check_source(REFUSED)] == ["ZG001"]
