"""Fenced Python in Markdown: found, placed and fixed where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerograd_lint.files.markdown import python_blocks

from .conftest import BUGGY, FIXED, Lint

FIX = ("--fix", "--unsafe-fixes")


def test_blocks_are_checked_only_when_asked_for(lint: Lint, project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "guide.md").write_text(f"# Guide\n\n```python\n{BUGGY}```\n")
    assert lint(".").status == 0
    run = lint("--markdown", ".")
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
