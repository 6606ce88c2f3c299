"""Python in Markdown, MyST, Quarto, reStructuredText and docstrings."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerograd_lint.files import restructured_text
from zerograd_lint.files.markdown import python_blocks

from .conftest import BUGGY, FIXED, Lint

FIX = ("--fix", "--unsafe-fixes")


def test_blocks_are_checked_only_when_asked_for(lint: Lint, project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "guide.md").write_text(f"# Guide\n\n```python\n{BUGGY}```\n")
    assert lint(".").status == 0
    run = lint("--documents", ".")
    assert run.lines[0].startswith("docs/guide.md:12:9: ZG001 optimizer.step() ")
    assert lint("docs/guide.md").status == 1


def test_fences_of_all_kinds(project: Path) -> None:
    def languages(info: str) -> int:
        return len(list(python_blocks(f"text\n{info}\nx = 1\n{info[:3]}\n")))

    for info in ("```python", "```py", "``` python3", "~~~python", '```python title="a.py"'):
        assert languages(info) == 1, info
    for info in (
        "```{.python}",
        "```{python}",
        "```{code-block} python",
        "```{code-cell} ipython3",
    ):
        assert languages(info) == 1, info
    for info in ("```", "```bash", "```pycon", "```text python"):
        assert languages(info) == 0, info


def test_a_longer_fence_holds_a_shorter_one(project: Path) -> None:
    text = "````python\nx = '''\n```\n'''\n````\n"
    assert [block.lines for block in python_blocks(text)] == [("x = '''", "```", "'''")]


@pytest.mark.parametrize("indent", ["", "   ", "> "])
def test_a_fix_keeps_the_indentation_of_the_fence(lint: Lint, project: Path, indent: str) -> None:
    def document(code: str) -> str:
        block = f"```python\n{code}```".split("\n")
        inside = "\n".join(indent + line if line or indent == "> " else line for line in block)
        return f"1. Do this:\n\n{inside}\n\nand that.\n"

    path = project / "guide.md"
    path.write_text(document(BUGGY))
    run = lint("guide.md")
    assert run.lines[0].startswith(f"guide.md:12:{9 + len(indent)}: ZG001")
    assert lint("guide.md", *FIX).status == 0
    assert path.read_text() == document(FIXED)


def test_two_blocks_are_fixed_each_in_its_place(lint: Lint, project: Path) -> None:
    path = project / "guide.md"
    document = "a\n```python\n{0}```\nb\n```python\n{0}```\nc\n"
    path.write_text(document.format(BUGGY))
    assert len(lint("guide.md").lines) == 2
    assert lint("guide.md", *FIX).status == 0
    assert path.read_text() == document.format(FIXED)


def test_a_block_may_continue_another(lint: Lint, project: Path) -> None:
    """A helper that steps is right when a later block zeroes before calling it."""
    helper = "def update(loss, optimizer):\n    loss.backward()\n    optimizer.step()\n"
    loop = "for x in loader:\n    optimizer.zero_grad()\n    update(model(x), optimizer)\n"
    (project / "guide.md").write_text(
        f"```python\nimport torch\n{helper}```\nthen\n```python\n{loop}```\n"
    )
    assert lint("guide.md").status == 0


def test_alternatives_one_after_the_other_are_no_loop(lint: Lint, project: Path) -> None:
    snippet = "```python\nloss.backward()\noptimizer.step()\n```\n"
    (project / "guide.md").write_text(f"torch:\n{snippet}or\n{snippet}")
    assert lint("guide.md").status == 0


def test_fragments_that_do_not_parse_are_no_problem(lint: Lint, project: Path) -> None:
    (project / "guide.md").write_text(
        f"torch\n```python\nfor x in ...\n```\n```python\n{BUGGY}```\n```python\nunclosed\n"
    )
    run = lint("guide.md")
    assert run.status == 1
    assert run.codes() == ["guide.md:14 ZG001"]


def test_noqa_counts_in_blocks(lint: Lint, project: Path) -> None:
    silenced = BUGGY.replace("step()", "step()  # noqa: ZG001")
    (project / "guide.md").write_text(f"```python\n{silenced}```\n")
    assert lint("guide.md").status == 0


SETUP = "import torch\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
LOOP = "for x in loader:\n    loss = model(x)\n    loss.backward()\n    optimizer.step()\n"
FIXED_LOOP = LOOP.replace("    loss.b", "    optimizer.zero_grad()\n    loss.b")


def _fences(*codes: str, info: str = "python") -> str:
    return "\n".join(f"Text.\n\n```{info}\n{code}```\n" for code in codes)


def test_the_fences_of_a_document_are_one_program(lint: Lint, project: Path) -> None:
    path = project / "guide.md"
    path.write_text(_fences(SETUP, LOOP))
    run = lint("guide.md")
    assert run.lines[0].startswith("guide.md:14:5: ZG001 optimizer.step() ")
    assert lint("guide.md", *FIX).status == 0
    assert path.read_text() == _fences(SETUP, FIXED_LOOP)


def test_a_helper_in_one_fence_and_its_loop_in_another(lint: Lint, project: Path) -> None:
    helper = "def update(loss, optimizer):\n    loss.backward()\n    optimizer.step()\n"
    loop = "for x in loader:\n    update(model(x), optimizer)\n"
    (project / "guide.md").write_text(_fences(SETUP, helper, loop))
    assert lint("guide.md").codes() == ["guide.md:13 ZG001"]


def test_a_fence_that_stands_alone_continues_nothing(lint: Lint, project: Path) -> None:
    for info in ("python standalone", "{python, eval=false}", "{.python .standalone}"):
        (project / "guide.md").write_text(_fences(SETUP) + _fences(LOOP, info=info))
        assert lint("guide.md").status == 0, info
        (project / "guide.md").write_text(_fences(SETUP) + _fences(SETUP + LOOP, info=info))
        assert lint("guide.md").status == 1, info


def test_a_fence_can_be_left_out(lint: Lint, project: Path) -> None:
    skipped = "# zerograd-lint: skip-file\n" + LOOP
    (project / "guide.md").write_text(_fences(SETUP, skipped))
    assert lint("guide.md").status == 0


@pytest.mark.parametrize(
    "options",
    [
        ":tags: [hide-input]\n:name: x\n\n",
        "---\ntags: [hide-input]\n---\n",
        "%matplotlib inline\n",
        "#| label: fig\n",
    ],
)
def test_myst_and_quarto_cells_with_options_and_magics(
    lint: Lint, project: Path, options: str
) -> None:
    document = _fences(SETUP, options + LOOP, info="{code-cell} ipython3")
    path = project / "guide.md"
    path.write_text(document)
    assert lint("guide.md").status == 1
    assert lint("guide.md", *FIX).status == 0
    assert path.read_text() == document.replace(LOOP, FIXED_LOOP)


def test_quarto_says_what_is_not_evaluated(lint: Lint, project: Path) -> None:
    path = project / "guide.qmd"
    path.write_text(_fences(SETUP, "#| eval: false\n" + LOOP, info="{python}"))
    assert lint("guide.qmd").status == 0
    path.write_text(_fences(SETUP, "#| echo: false\n" + LOOP, info="{python}"))
    assert lint("guide.qmd").status == 1


def _rst(*codes: str, directive: str = ".. code-block:: python") -> str:
    indented = ["".join(f"      {line}\n" for line in code.splitlines()) for code in codes]
    blocks = [f"Text::\n\n   {directive}\n      :linenos:\n\n{code}\n" for code in indented]
    return "Title\n=====\n\n" + "".join(blocks) + "The end.\n"


def test_restructured_text(lint: Lint, project: Path) -> None:
    path = project / "guide.rst"
    path.write_text(_rst(SETUP, LOOP))
    run = lint("--documents", ".")
    assert run.lines[0].startswith("guide.rst:20:11: ZG001 ")
    assert lint("guide.rst", *FIX).status == 0
    assert path.read_text() == _rst(SETUP, FIXED_LOOP)


@pytest.mark.parametrize(
    ("directive", "is_python"),
    [
        (".. code-block:: python", True),
        (".. code:: python3", True),
        (".. sourcecode:: ipython3", True),
        (".. testcode::", True),
        (".. testcode:: group", True),
        (".. code-block:: bash", False),
        (".. code-block:: pycon", False),
        (".. note::", False),
    ],
)
def test_directives(directive: str, is_python: bool) -> None:
    blocks = list(restructured_text.python_blocks(_rst("x = 1\n\ny = 2\n", directive=directive)))
    assert [block.lines for block in blocks] == ([("x = 1", "", "y = 2")] if is_python else [])


DOCTEST = '''
import torch


def fit(model, loader):
    """Fit a model.

    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    >>> for x in loader:
    ...     loss = model(x)
    ...     loss.backward()
    ...     optimizer.step()
    1.0
    """
'''


def test_docstrings_are_checked_only_when_asked_for(lint: Lint, project: Path) -> None:
    (project / "a.py").write_text(DOCTEST)
    assert lint().status == 0
    run = lint("--docstrings")
    assert run.lines[0].startswith("a.py:12:13: ZG001 optimizer.step() ")
    assert lint("--docstrings", *FIX).status == 1
    assert (project / "a.py").read_text() == DOCTEST
    assert (
        "12 |     ...     optimizer.step()\n" in lint("--docstrings", "--output-format", "full").out
    )
    (project / "a.py").write_text(f"{DOCTEST}\n# zerograd-lint: skip-file\n")
    assert lint("--docstrings").status == 0


@pytest.mark.parametrize("style", ["```python\n{}```\n", ".. code-block:: python\n\n{}\n"])
def test_code_blocks_in_docstrings(lint: Lint, project: Path, style: str) -> None:
    indent = "    " if style.startswith("..") else ""
    code = "".join(f"{indent}{line}\n" for line in (SETUP + LOOP).splitlines())
    (project / "a.py").write_text(f'"""A module.\n\n{style.format(code)}"""\n' + FIXED)
    assert len(lint("--docstrings").lines) == 1
    assert lint("--config", "docstrings = true").status == 1


def _session(code: str) -> str:
    lines = code.splitlines()
    shown = [f"{'...' if line.startswith(' ') else '>>>'} {line}" for line in lines]
    return "\n".join([*shown, "tensor(1.)"]) + "\n"


@pytest.mark.parametrize("info", ["pycon", "python", "{doctest}", "{code-block} pycon"])
def test_sessions_with_prompts_are_reported_and_not_fixed(
    lint: Lint, project: Path, info: str
) -> None:
    path = project / "guide.md"
    text = _fences(SETUP) + _fences(_session(LOOP), info=info)
    path.write_text(text)
    run = lint("guide.md", "--unsafe-fixes")
    assert run.lines[0].startswith("guide.md:13:9: ZG001 optimizer.step() ")
    assert lint("guide.md", *FIX).status == 1
    assert path.read_text() == text


def test_sessions_in_restructured_text(lint: Lint, project: Path) -> None:
    (project / "guide.rst").write_text(_rst(_session(SETUP + LOOP), directive=".. doctest::"))
    assert lint("guide.rst").codes() == ["guide.rst:14 ZG001"]
