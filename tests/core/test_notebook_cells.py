"""The cells of a marimo notebook are functions that are given what other cells define.

marimo need not be there, so these programs cannot be fixtures that run.
"""

from __future__ import annotations

import pytest

from zerograd_lint import check_source

NOTEBOOK = """
{imported}

app = {app}

@app.cell
def _():
    {loaded}
    return (torch,)

@app.cell
def _(batches, net, torch):
    _optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _batch in batches:
        net(_batch).mean().backward()
        _optimizer.step()
    return
"""
MARIMO = ("import marimo", "marimo.App(width='medium')")


@pytest.mark.parametrize(
    ("imported", "app", "loaded", "found"),
    [
        (*MARIMO, "import torch", ["ZG001"]),
        (*MARIMO, "import standin as torch", []),
        ("import other", "other.App()", "import torch", []),
    ],
)
def test_cells_share_what_they_import(
    imported: str, app: str, loaded: str, found: list[str]
) -> None:
    text = NOTEBOOK.format(imported=imported, app=app, loaded=loaded)
    assert [one.code for one in check_source(text, "notebook.py")] == found
