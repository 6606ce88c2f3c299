"""A notebook is one program across its cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .client import Client, edited, replacing

CODE, TEXT = 2, 1
SETUP = "%matplotlib inline\nimport torch\nmodel = torch.nn.Linear(2, 1)\n"
OPTIMIZER = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
CLEARING = """\
class Clearing(torch.optim.SGD):
    def step(self):
        super().step()
        self.zero_grad()


optimizer = Clearing(model.parameters(), lr=0.1)
"""
LOOP = "for x in loader:\n    loss = model(x).sum()\n    loss.backward()\n    optimizer.step()"


class OpenNotebook:
    """A notebook in the client."""

    def __init__(self, client: Client, uri: str, cells: Sequence[tuple[int, str]]) -> None:
        self.client = client
        self.uri = uri
        self.version = 1
        self.cells = [f"{uri}#cell{number}" for number in range(1, len(cells) + 1)]
        document = {
            "uri": uri,
            "notebookType": "jupyter-notebook",
            "version": 1,
            "cells": [
                {"kind": kind, "document": cell}
                for (kind, _), cell in zip(cells, self.cells, strict=True)
            ],
        }
        texts = [
            self.text(cell, text, kind)
            for (kind, text), cell in zip(cells, self.cells, strict=True)
        ]
        params = {"notebookDocument": document, "cellTextDocuments": texts}
        client.notify("notebookDocument/didOpen", params)

    @staticmethod
    def text(uri: str, text: str, kind: int = CODE) -> dict[str, Any]:
        language = "python" if kind == CODE else "markdown"
        return {"uri": uri, "languageId": language, "version": 1, "text": text}

    def change(self, cells: dict[str, Any]) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        params = {"notebookDocument": document, "change": {"cells": cells}}
        self.client.notify("notebookDocument/didChange", params)

    def type(self, cell: int, version: int, change: dict[str, Any]) -> None:
        """Change the text of one cell."""
        document = {"uri": self.cells[cell], "version": version}
        self.change({"textContent": [{"document": document, "changes": [change]}]})


def opened(client: Client, folder: Path) -> OpenNotebook:
    cells = [(CODE, SETUP), (TEXT, "# Training"), (CODE, OPTIMIZER), (CODE, LOOP)]
    return OpenNotebook(client, (folder / "train.ipynb").as_uri(), cells)


def test_cells_are_one_program(client: Client, tmp_path: Path) -> None:
    notebook = opened(client, tmp_path)
    *_, loop = notebook.cells
    (diagnostic,) = client.published(loop)
    assert diagnostic["code"] == "ZG001"
    assert diagnostic["range"]["start"] == {"line": 3, "character": 4}
    assert "line 3" in diagnostic["message"]
    (related,) = diagnostic["relatedInformation"]
    assert related["location"]["uri"] == loop
    assert client.published(notebook.cells[0]) == []
    shown = client.hover(loop, 3, 6)
    assert shown is not None
    fix, silence = client.actions(loop, 3)
    assert client.actions(notebook.cells[0], 0, end=5) == []
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": loop, "version": 1}
    fixed = edited(LOOP, change["edits"])
    assert fixed == LOOP.replace("    loss.b", "    optimizer.zero_grad()\n    loss.b")
    (change,) = silence["edit"]["documentChanges"]
    assert edited(LOOP, change["edits"]) == LOOP + "  # noqa: ZG001"


def test_a_change_in_one_cell_changes_the_findings_of_another(
    client: Client, tmp_path: Path
) -> None:
    notebook = opened(client, tmp_path)
    loop = notebook.cells[3]
    assert client.published(loop)
    # This optimizer clears by itself, which only the cell above says.
    notebook.type(2, 2, {"text": CLEARING})
    client.wait_for(lambda: client.published(loop) == [], "no findings")
    notebook.type(2, 3, {"text": OPTIMIZER})
    client.wait_for(lambda: client.published(loop) != [], "findings")
    notebook.type(3, 2, replacing("    optimizer.zero_grad()\n", 1, 0, 0))
    client.wait_for(lambda: client.published(loop) == [], "no findings")


def test_cells_come_and_go(client: Client, tmp_path: Path) -> None:
    notebook = opened(client, tmp_path)
    loop = notebook.cells[3]
    assert client.published(loop)
    new = f"{notebook.uri}#new"
    notebook.change(
        {
            "structure": {
                "array": {"start": 3, "deleteCount": 1, "cells": [{"kind": CODE, "document": new}]},
                "didOpen": [notebook.text(new, LOOP + "\n")],
                "didClose": [{"uri": loop}],
            }
        }
    )
    client.wait_for(lambda: client.published(loop) == [], "withdrawal")
    assert [d["code"] for d in client.published(new)] == ["ZG001"]
    cells = [{"uri": uri} for uri in (*notebook.cells[:3], new)]
    params = {"notebookDocument": {"uri": notebook.uri}, "cellTextDocuments": cells}
    client.notify("notebookDocument/didClose", params)
    client.wait_for(lambda: client.published(new) == [], "withdrawal")


def test_a_cell_that_does_not_parse_is_left_out(client: Client, tmp_path: Path) -> None:
    cells = [
        (CODE, "!pip install torch\n" + SETUP),
        (CODE, OPTIMIZER),
        (CODE, "def f(:"),
        (CODE, LOOP),
    ]
    notebook = OpenNotebook(client, (tmp_path / "broken.ipynb").as_uri(), cells)
    assert [d["code"] for d in client.published(notebook.cells[3])] == ["ZG001"]
    assert client.published(notebook.cells[2]) == []


def test_pulling_clients_get_notebooks_pushed(client: Client, tmp_path: Path) -> None:
    notebook = opened(client, tmp_path)
    assert client.published(notebook.cells[3])
    params = {"textDocument": {"uri": notebook.cells[3]}}
    assert client.request("textDocument/diagnostic", params)["items"] == []
