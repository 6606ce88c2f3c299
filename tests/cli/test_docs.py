"""The documentation agrees with the program: rules, options, keys and the examples it shows."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from zerograd_lint.cli.check_options import add_arguments
from zerograd_lint.cli.commands import COMMANDS
from zerograd_lint.cli.parsers import command_parser
from zerograd_lint.config.table import KEYS, validate

from .conftest import Lint

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = [*DOCS.glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_rule_pages_are_fresh() -> None:
    pages: dict[str, str] = _generator().pages()
    on_disk = {path.name: path.read_text() for path in (DOCS / "rules").glob("*.md")}
    assert sorted(on_disk) == sorted(pages)
    stale = [name for name, text in pages.items() if on_disk[name] != text]
    assert stale == [], "run: python docs/generate.py"


def test_the_table_of_rules_in_the_readme_is_fresh() -> None:
    text = (ROOT / "README.md").read_text()
    assert _generator().readme(text) == text, "run: python docs/generate.py"


def test_every_option_and_key_is_documented() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = {
        option for action in parser._actions for option in action.option_strings if len(option) > 2
    }
    command_line = (DOCS / "command-line.md").read_text()
    assert {option for option in options if f"`{option}" not in command_line} == set()
    configuration = (DOCS / "configuration.md").read_text()
    assert {key for key in KEYS if f"`{key}`" not in configuration} == set()


def test_the_example_table_is_valid() -> None:
    import tomllib

    text = (DOCS / "configuration.md").read_text()
    tables = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert tables
    for table in tables:
        validate(tomllib.loads(table)["tool"]["zerograd-lint"])


@pytest.mark.parametrize("document", WRITTEN, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", WRITTEN, ids=lambda path: path.name)
def test_commands_in_the_documents_are_real(document: Path) -> None:
    """Each `zerograd-lint …` shown must at least be understood by its command's parser."""
    for block in re.findall(r"```\w*\n(.*?)```", document.read_text(), re.DOTALL):
        for line in re.findall(r"^\s*(?:\$ )?zerograd-lint( .*)?$", block, re.MULTILINE):
            words = shlex.split(re.split(r"\s[|>]\s|\|\||&&", line)[0], comments=True)
            command = words.pop(0) if words[:1] and words[0] in COMMANDS else "check"
            _, parser = command_parser(command)
            if "--help" not in words:
                parser.parse_args(words)


def test_rule_and_rules(lint: Lint) -> None:
    import json

    from zerograd_lint.rules.registry import all_rules

    rules = all_rules()
    run = lint("rule", "ZG001")
    assert run.status == 0
    for heading in ("What it does", "Why is this bad?", "Example", "Use instead", "Fix safety"):
        assert f"## {heading}" in run.out
    assert lint("rule", "missing-zero-grad").out == run.out
    assert lint("rule", "zg001").out == run.out
    described = json.loads(lint("rule", "ZG001", "--output-format", "json").out)
    assert described["code"] == "ZG001"
    assert described["explanation"] == rules["ZG001"].documentation()
    everything = json.loads(lint("rule", "--all", "--output-format", "json").out)
    assert [rule["code"] for rule in everything] == list(rules)
    assert lint("rule", "--all").out.count("## Why is this bad?") == len(rules)
    table = lint("rules").lines
    assert [line.split()[0] for line in table[: len(rules)]] == list(rules)
    listed = json.loads(lint("rules", "--output-format", "json").out)
    assert [rule["code"] for rule in listed] == list(rules)


def test_an_unknown_rule_gets_a_hint(lint: Lint) -> None:
    run = lint("rule", "ZG0099")
    assert run.status == 2
    assert "unknown rule 'ZG0099'; did you mean 'ZG009'?" in run.err
    assert lint("rule").status == 2
    assert lint("rule", "ZG001", "--all").status == 2
