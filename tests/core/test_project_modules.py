"""Modules of a project: what a name of them may run, by their bytes, and how many are kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zerograd_lint import check_source
from zerograd_lint.check.project_gate import ProjectGate
from zerograd_lint.project.library import Library
from zerograd_lint.project.module_blocks import ModuleBlocks
from zerograd_lint.project.source_module import SourceModule

MODULE = b'''\
"""A module."""
import torch
from engine import (
    imported,
)

RATE = 0.1
__all__ = ["fit", "untouched"]


def helper(optimizer):
    optimizer.zero_grad()


@torch.compile
def fit(optimizer):
    """Text
at the margin."""
    helper(optimizer)


class Trainer(Base):
    def step(self):
        fit(self.optimizer, RATE)


def untouched():
    return 1


if RATE:
    def chosen(): return second()


def second(): third()


def third(): pass


if __name__ == "__main__":
    untouched()
'''


def reached(*names: bytes) -> set[str]:
    text = ModuleBlocks(MODULE).reached_from(frozenset(names)).decode()
    defined = re.findall(r"^ *(?:def |class |)(\w+)(?:\(.*:| =)", text, re.MULTILINE)
    return set(defined) & {"helper", "fit", "Trainer", "untouched", "chosen", "RATE", "third"}


def test_a_name_reaches_what_its_definition_mentions() -> None:
    # What follows text at the margin may belong to anything.
    always = {"chosen", "third", "RATE", "helper"}
    assert reached() == always
    assert reached(b"fit") == {"fit", *always}
    assert reached(b"Trainer") == {"Trainer", "fit", *always}
    assert "untouched" not in reached(b"Trainer", b"RATE")


def test_decorators_belong_to_what_they_decorate() -> None:
    blocks = ModuleBlocks(MODULE)
    assert b"@torch.compile\ndef fit" in blocks.reached_from({b"fit"})
    assert b"@torch.compile" not in blocks.reached_from({b"third"})


def test_imports_define_nothing() -> None:
    blocks = ModuleBlocks(MODULE)
    assert blocks.defines(b"fit") and blocks.defines(b"RATE")
    assert not blocks.defines(b"imported") and not blocks.defines(b"torch")


ENGINE = """\
def train_step(model, optimizer, inputs):
    _run(model, inputs)
    optimizer.step()
def _run(model, inputs):
    model(inputs).square().mean().backward()
def build(model):
    return model
"""
IMPORTS = {
    "from engine import train_step": True,
    "from engine import build": False,
    "from engine import train_step as step": True,
    "from engine import *": True,
    "from pkg import train_step": True,
    "from pkg import renamed": True,
    "import engine\nengine.train_step": True,
    "import engine\nengine.build": False,
    "import engine as e\ne.train_step": True,
    "from parts import engine\nengine.train_step": True,
    "from parts import engine as e\ne.train_step": True,
    "import parts.engine\nparts.engine.train_step": True,
    "import parts.engine\nparts.engine.build": False,
}


@pytest.mark.parametrize(("imports", "passes"), IMPORTS.items(), ids=str)
def test_the_gate_asks_for_what_is_imported(imports: str, passes: bool, tmp_path: Path) -> None:
    given = {
        "engine.py": ENGINE,
        "parts/__init__.py": "",
        "parts/engine.py": ENGINE,
        "pkg/__init__.py": "from .inner import train_step, build\n"
        "from .inner import train_step as renamed\n",
        "pkg/inner.py": ENGINE,
    }
    for name, text in given.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    text = f"import torch\n{imports}\nfor i in range(8):\n    run(model, optimizer)\n"
    gate = ProjectGate()
    assert gate.may_run_training(str(tmp_path / "main.py"), text.encode(), ()) is passes


def test_the_modules_that_were_asked_for_last_are_kept(tmp_path: Path) -> None:
    paths = []
    for number in range(4):
        path = tmp_path / f"m{number}.py"
        path.write_text("x = 1\n" * 100)
        paths.append(str(path))
    library = Library(most_bytes=1200)
    first, second = library.module(paths[0]), library.module(paths[1])
    assert library.module(paths[0]) is first
    library.module(paths[2])
    assert library.module(paths[0]) is first
    assert library.module(paths[1]) is not second


LOOP = """\
import torch
from base import Base


class Trainer(Base):
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, batches):
        for batch in batches:
            self.net(self.scaled(batch)).mean().backward()
            self.optimizer.step()
"""
BASE = '''\
class Base:
    """What all trainers share.{text}
    """

    def scaled(self, batch):
        """Smaller numbers."""
        return batch / 10

    def restart(self):
        """Only a text.
        """

    def start_again(self):
        self.optimizer.zero_grad()
'''


def test_texts_do_not_count_as_what_is_read_of_a_module(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "base.py").write_text(BASE.format(text="\n    More." * 700))
    file = tmp_path / "train.py"
    file.write_text(LOOP)
    assert [found.line for found in check_source(LOOP, str(file))] == [13]


def test_what_a_file_inherits_from_is_read_before_what_it_calls(tmp_path: Path) -> None:
    """Without its base, nothing would be known of an instance."""
    long = "".join(f"        batch = batch * {i}\n" for i in range(520))
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "base.py").write_text("from root import Root\n\n\nclass Base(Root):\n    pass\n")
    body = BASE.format(text="").replace("class Base", "class Root")
    (tmp_path / "root.py").write_text(body.replace("        return", f"{long}        return"))
    helper = long.replace("        ", "    ")
    (tmp_path / "show.py").write_text(
        f"def show(optimizer, batch):\n{helper}    optimizer.zero_grad()\n"
    )
    file = tmp_path / "train.py"
    text = LOOP.replace("\nclass", "from show import show\n\n\nclass", 1)
    text = text.replace("    def fit", "        show(self.optimizer, 1)\n\n    def fit")
    file.write_text(text)
    assert [found.code for found in check_source(text, str(file))] == ["ZG001"]


@pytest.mark.parametrize(
    ("code", "acts"),
    [
        ("metrics.update(values)", False),
        ("amp.update()", True),
        ("grad_scaler.update(scale)", True),
        ("state, reward, done, _ = env.step(action)", False),
        ("state, reward, done, _ = env.step(action); optimizer.step()", True),
        ("loss = optimizer.step(closure)", True),
    ],
)
def test_updates_and_steps_that_are_no_acts_on_gradients(code: str, acts: bool) -> None:
    module = SourceModule("helper.py", f"def run(*args):\n    {code}\n".encode())
    assert any(unit.effects for unit in module.outline.units.functions) is acts


def test_an_update_that_is_given_something_is_none_of_a_scaler() -> None:
    text = '''class Buffer:
    """Filled by its `storage.update()`."""

    def fill(self, groups):
        self.seen.update(groups)

    def turn(self, amp):
        amp.update()
'''
    module = SourceModule("storage.py", text.encode())
    effects = {unit.name: unit.effects for unit in module.outline.units.functions}
    assert not effects["fill"]
    assert effects["turn"]


def test_a_method_named_in_a_text_is_not_run() -> None:
    text = """class Base:
    def describe(self):
        self.title = f"Base.zero_grad#{self.name}"

    def clear(self):
        Base.zero_grad(self)

    def zero_grad(self):
        for p in self.parameters:
            p.grad = None
"""
    module = SourceModule("base.py", text.encode())
    units = {unit.name: unit for unit in module.outline.units.functions}
    assert not module.effects_of_running[units["describe"]]
    assert module.effects_of_running[units["clear"]]


@pytest.mark.parametrize(
    ("text", "may_have"),
    [
        ("import engine\n", False),
        ("from engine import fit\n", True),
        ("from engine import *\n", True),
        ("from engine import \\\n    *\n", True),
        ("\uff46\uff49\uff54 = None  # the same name to Python\n", True),
    ],
)
def test_a_module_without_a_name_need_not_be_parsed_for_it(text: str, may_have: bool) -> None:
    module = SourceModule("helper.py", text.encode())
    assert module.may_have("fit") == may_have
    assert may_have or "fit" not in module.defined | module.imports.names.keys()


def test_what_acts_is_worked_out_once_for_all_who_import_a_module() -> None:
    text = "def clear(optimizer):\n    optimizer.zero_grad()\n\n\ndef wait():\n    pass\n"
    module = SourceModule("helper.py", text.encode())
    acting = module.acting("clear")
    assert acting is module.acting("clear")
    assert (acting.names, module.acting("wait").units) == ({"clear"}, [])
    assert {"optimizer", "zero_grad"} <= acting.words
