"""Notebooks: cells joined in order, magics masked, every other byte left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerograd_lint.files import notebook

from .conftest import Lint, Run

FIX = ("--fix", "--unsafe-fixes")
SETUP = [
    "%matplotlib inline\n",
    "!pip install torch\n",
    "import torch\n",
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n",
    "files = !ls\n",
    "model?",
]
LOOP = [
    "for x in loader:\n",
    "    loss = model(x)\n",
    "    loss.backward()\n",
    "    optimizer.step()",
]
FIXED_LOOP = [*LOOP[:2], "    optimizer.zero_grad()\n", *LOOP[2:]]


def _code(source: Any, **more: Any) -> dict[str, Any]:
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    return {**cell, "source": source, **more}


def _notebook(*cells: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _text(title: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [title]}


OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["loss é 0.1\n"]}
EXAMPLE = _notebook(_text("# Title"), _code(SETUP, outputs=[OUTPUT]), _text("Train"), _code(LOOP))


def test_a_finding_names_the_cell_counting_all_cells(lint: Lint, project: Path) -> None:
    (project / "nb.ipynb").write_text(json.dumps(EXAMPLE, indent=1))
    run = lint()
    assert run.status == 1
    assert run.lines[0].startswith("nb.ipynb:cell 4:4:5: ZG001 optimizer.step() ")


@pytest.mark.parametrize(
    "style",
    [
        {"indent": 1, "ensure_ascii": False},
        {"indent": 1},
        {"indent": 4},
        {"indent": None},
        {"separators": (",", ":")},
    ],
)
@pytest.mark.parametrize("end", ["\n", ""])
def test_only_the_changed_lines_of_the_json_change(
    lint: Lint, project: Path, style: dict[str, Any], end: str
) -> None:
    path = project / "nb.ipynb"
    path.write_text(json.dumps(EXAMPLE, **style) + end)
    fixed = _notebook(*EXAMPLE["cells"][:3], _code(FIXED_LOOP))
    assert lint(*FIX).status == 0
    assert path.read_text() == json.dumps(fixed, **style) + end


def test_a_source_that_is_one_string_stays_one(lint: Lint, project: Path) -> None:
    path = project / "nb.ipynb"
    path.write_text(json.dumps(_notebook(_code("".join(SETUP)), _code("".join(LOOP)))))
    assert lint(*FIX).status == 0
    assert path.read_text() == json.dumps(
        _notebook(_code("".join(SETUP)), _code("".join(FIXED_LOOP)))
    )


def test_windows_line_ends_and_odd_spacing_survive(lint: Lint, project: Path) -> None:
    path = project / "nb.ipynb"
    raw = (
        json.dumps(EXAMPLE, indent=1)
        .replace("\n", "\r\n")
        .replace('"nbformat": ', '"nbformat" :\t')
    )
    path.write_bytes(raw.encode())
    assert lint(*FIX).status == 0
    added = b'    "    optimizer.zero_grad()\\n",\r\n'
    after = path.read_bytes()
    assert added in after
    assert after.replace(added, b"") == raw.encode()


def test_windows_line_ends_inside_cells_survive(lint: Lint, project: Path) -> None:
    def windows(lines: list[str]) -> list[str]:
        return [line.replace("\n", "\r\n") for line in lines]

    path = project / "nb.ipynb"
    path.write_text(json.dumps(_notebook(_code(windows(SETUP)), _code(windows(LOOP)))))
    assert lint(*FIX).status == 0
    fixed = _notebook(_code(windows(SETUP)), _code(windows(FIXED_LOOP)))
    assert path.read_text() == json.dumps(fixed)


def test_the_fixed_notebook_is_valid(lint: Lint, project: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="the nbformat package is not here")
    built = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("".join(SETUP)), nbformat.v4.new_code_cell("".join(LOOP))]
    )
    nbformat.write(built, "nb.ipynb")
    assert lint(*FIX).status == 0
    read = nbformat.read("nb.ipynb", as_version=4)
    nbformat.validate(read)
    assert read.cells[0].source == "".join(SETUP)
    assert read.cells[1].source == "".join(FIXED_LOOP)


def test_the_diff_is_per_cell(lint: Lint, project: Path) -> None:
    (project / "nb.ipynb").write_text(json.dumps(EXAMPLE))
    run = lint("--diff", "--unsafe-fixes")
    assert run.out.startswith("--- nb.ipynb:cell 4\n+++ nb.ipynb:cell 4\n")
    assert "+    optimizer.zero_grad()\n" in run.out


def test_cell_magics_of_other_languages_are_masked(lint: Lint, project: Path) -> None:
    shell = _code(["%%bash\n", "for f in *; do echo $f; done"])
    timed = _code(["%%time\n", *LOOP])
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(SETUP), shell, timed)))
    assert [line.split(" ZG")[0] for line in lint().lines] == ["nb.ipynb:cell 3:5:5:"]
    assert lint(*FIX).status == 0
    cells = json.loads((project / "nb.ipynb").read_text())["cells"]
    assert cells[1] == shell
    assert cells[2]["source"] == ["%%time\n", *FIXED_LOOP]


def test_percent_signs_in_python_are_not_magics(lint: Lint, project: Path) -> None:
    source = ["text = ('%s'\n", "        % name)\n", "'''\n", "%not magic\n", "'''\n", *LOOP]
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(SETUP), _code(source))))
    assert lint().lines[0].startswith("nb.ipynb:cell 2:9:5: ZG001")


def test_magics_as_people_write_them(lint: Lint, project: Path) -> None:
    fetch = [
        "if True:\n",
        "    !wget a.example/x && \\\n",
        "      wget a.example/y\n",
        "    x = 1\n",
    ]
    source = ["% matplotlib inline\n", *fetch, *LOOP]
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(SETUP), _code(source))))
    run = lint()
    assert run.status == 1
    assert run.lines[0].startswith("nb.ipynb:cell 2:9:5: ZG001")
    assert lint(*FIX).status == 0
    cells = json.loads((project / "nb.ipynb").read_text())["cells"]
    assert cells[1]["source"] == ["% matplotlib inline\n", *fetch, *FIXED_LOOP]


def test_messages_count_lines_within_cells(lint: Lint, project: Path) -> None:
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(SETUP), _code(LOOP))))
    step = next(number for number, line in enumerate(LOOP, 1) if ".step()" in line)
    backward = next(number for number, line in enumerate(LOOP, 1) if ".backward()" in line)
    assert lint().lines[0].startswith(f"nb.ipynb:cell 2:{step}:5: ZG001")
    assert f"(line {backward})" in lint().lines[0]
    once = ["optimizer.zero_grad()\n"]
    cells = _notebook(_code(SETUP), _code(once), _code(LOOP))
    (project / "nb.ipynb").write_text(json.dumps(cells))
    assert "(cell 2, line 1)" in lint().lines[0]


def test_a_cell_that_is_no_python_gets_a_line_and_the_rest_is_checked(
    lint: Lint, project: Path
) -> None:
    broken = _code(["print 'python 2'"])
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(SETUP), broken, _code(LOOP))))
    run = lint()
    assert run.status == 2
    assert run.lines[0].startswith("nb.ipynb:cell 2:1:")
    assert " ZG000 cannot parse" in run.lines[0]
    assert run.lines[1].startswith("nb.ipynb:cell 3:4:5: ZG001")
    assert lint().out == run.out


def test_add_noqa_works_in_cells(lint: Lint, project: Path) -> None:
    path = project / "nb.ipynb"
    path.write_text(json.dumps(EXAMPLE))
    assert lint("--add-noqa").status == 0
    assert json.loads(path.read_text())["cells"][3]["source"] == [
        *LOOP[:3],
        "    optimizer.step()  # noqa: ZG001",
    ]
    assert lint().status == 0


def test_a_zero_grad_that_is_not_called_passes_the_gate(lint: Lint, project: Path) -> None:
    source = ["import torch\n", "optimizer = torch.optim.SGD(w, lr=1)\n", "optimizer.zero_grad"]
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(source))))
    assert lint("--select", "ZG005").lines[0].startswith("nb.ipynb:cell 1:3:")


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", "1:1", "not a notebook"),
        ("[]", "1:1", "an object was expected"),
        ("{}", "1:1", "it has no cells"),
        ('{"cells": 3}', "1:11", "a list was expected"),
        ('{"cells": [{"cell_type": "code"}]}', "1:12", "cell 1 has no type or no source"),
        ('{\n "cells": [\n', "3:1", "not a notebook"),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "1:", "is not text"),
        ('{"cells": ' + "[" * 100_000, "1:1", "nested too deeply"),
        ('{"cells": [{"cell_type": "code", "source": "a"} {}]}', "1:", "not a notebook"),
    ],
)
def test_a_broken_notebook_says_what_is_wrong(text: str, place: str, reason: str) -> None:
    with pytest.raises(notebook.SourceError) as caught:
        notebook.parse(text)
    assert reason in caught.value.message
    assert f"{caught.value.line}:{caught.value.column}".startswith(place)


def test_a_truncated_notebook_is_reported_and_others_go_on(lint: Lint, project: Path) -> None:
    text = json.dumps(EXAMPLE)
    (project / "cut.ipynb").write_text(text[:-40])
    (project / "nb.ipynb").write_text(text)
    run = lint()
    assert run.status == 2
    assert run.lines[0].startswith("cut.ipynb:1:")
    assert "ZG000 not a notebook: " in run.lines[0]
    assert "ZG001" in run.lines[1]


def test_other_languages_are_not_ours(lint: Lint, project: Path) -> None:
    kernel = {"language": "julia", "name": "julia-1.9"}
    (project / "nb.ipynb").write_text(json.dumps(_notebook(_code(LOOP), kernelspec=kernel)))
    assert (lint().status, lint().lines) == (0, [])


@given(
    st.lists(st.text("a%!?\r\n =#'\"\\é", max_size=30), max_size=5),
    st.sampled_from([None, 1, 4]),
    st.booleans(),
)
def test_any_notebook_comes_back_byte_for_byte(
    sources: list[str], indent: int | None, as_list: bool
) -> None:
    cells = [_code(s.splitlines(True) if as_list else s) for s in sources]
    raw = json.dumps(_notebook(*cells), indent=indent, ensure_ascii=False)
    parsed = notebook.parse(raw)
    assert parsed.with_sources(parsed.cell_sources(parsed.text)) == raw


def _lint_cells(lint: Lint, project: Path, *cells: list[str]) -> Run:
    (project / "nb.ipynb").write_text(json.dumps(_notebook(*map(_code, cells))))
    return lint()


def test_a_cell_that_ipython_dedents_is_checked(lint: Lint, project: Path) -> None:
    indented = [f"    {line}" for line in LOOP]
    run = _lint_cells(lint, project, SETUP, ["\n", *indented, "\nprint(loss)"])
    assert run.status == 1
    assert run.lines[0].startswith("nb.ipynb:cell 2:5:9: ZG001 ")
    assert lint(*FIX).status == 0
    cells = json.loads((project / "nb.ipynb").read_text())["cells"]
    fixed = [f"    {line}" for line in FIXED_LOOP]
    assert cells[1]["source"] == ["\n", *fixed[:-1], fixed[-1] + "\n", "print(loss)"]


def test_the_code_behind_time_counts(lint: Lint, project: Path) -> None:
    both = [*LOOP[:2], "    %time loss.backward()\n", "    %time optimizer.step()"]
    assert _lint_cells(lint, project, SETUP, both).status == 1
    timed = [*LOOP[:3], "    %time optimizer.step()"]
    run = _lint_cells(lint, project, SETUP, timed)
    assert run.lines[0].startswith("nb.ipynb:cell 2:4:11: ZG001 ")
    assert "%time optimizer.step()\n" in lint("--output-format", "full").out
    assert lint(*FIX).status == 0
    cells = json.loads((project / "nb.ipynb").read_text())["cells"]
    assert cells[1]["source"] == [*timed[:2], "    optimizer.zero_grad()\n", *timed[2:]]


def test_time_in_front_of_what_is_no_simple_statement(lint: Lint, project: Path) -> None:
    block = ["%time for i in range(3): pass\n", "%time\n", "%timeit x\n", "%time f( \\\n", "  1)\n"]
    run = _lint_cells(lint, project, SETUP, [*block, *LOOP])
    assert run.lines[0].startswith("nb.ipynb:cell 2:9:5: ZG001 ")


def test_what_stands_in_for_magics_is_never_shown(lint: Lint, project: Path) -> None:
    around = ["%matplotlib inline\n", *LOOP, "\n", "!nvidia-smi é\n"]
    first = [f"    {line}" for line in LOOP]
    for cells in ([SETUP, around], [["%time import torch\n", *SETUP[2:4]], first]):
        run = _lint_cells(lint, project, *cells)
        assert run.status == 1
        for flags in (["--output-format", "full"], ["--diff", "--unsafe-fixes"]):
            for form in ([], ["--unsafe-fixes"]):
                assert "zerograd-lint magic" not in lint(*flags, *form).out
                assert "zerograd-lint cell" not in lint(*flags, *form).out
                assert "zerograd-lint timed" not in lint(*flags, *form).out
    _lint_cells(lint, project, SETUP, around)
    assert "| %matplotlib inline\n" not in lint("--output-format", "full").out
    assert "6 | !nvidia-smi é\n" in lint("--output-format", "full").out


@pytest.mark.parametrize(
    "blank",
    [
        ["loss = <YOUR CODE>\n", "<YOUR CODE HERE>\n"],
        ["for i in range(<number of epochs>):\n", "    pass\n"],
        ["loss =   # TODO\n", "x = 1\n"],
        ["for x in loader:\n", "    # YOUR CODE HERE\n", "\n", "print(x)"],
    ],
)
def test_a_cell_with_blanks_is_skipped_and_fails_nothing(
    lint: Lint, project: Path, blank: list[str]
) -> None:
    run = _lint_cells(lint, project, SETUP, blank, FIXED_LOOP)
    assert (run.status, run.out) == (0, "All checks passed!\n")
    assert run.err.startswith("warning: nb.ipynb:cell 2:")
    assert run.err.endswith(": skipped: the cell has blanks to fill in\n")
    assert lint().err == run.err
    assert lint("-q").err == ""
    assert _lint_cells(lint, project, SETUP, blank, LOOP).status == 1


def test_a_broken_cell_is_shown(lint: Lint, project: Path) -> None:
    _lint_cells(lint, project, SETUP, ["x = 1\n", "print 'python 2'\n"], LOOP)
    out = lint("--output-format", "full").out
    assert " --> nb.ipynb:cell 2:2:1\n" in out
    assert "2 | print 'python 2'\n  | ^\n" in out
