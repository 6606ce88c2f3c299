"""A rule is one file and its fixtures; this is what makes that enough."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fixture_files import ROOT, expected, programs
from zerograd_lint.rules import registry
from zerograd_lint.rules.documentation import folder_of
from zerograd_lint.rules.rule import Rule

RULES = registry.all_rules()
PROOFS = set("stale wiped defeated unfed leak none-crash crash scaled differs same".split())
SECTIONS = ["What it does", "Why is this bad?", "Example", "Use instead", "Fix safety"]


def announced() -> set[str]:
    """The codes in the changelog, written one by one or as `ZG001 to ZG010`."""
    text = (ROOT.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    found = set()
    for first, last in re.findall(r"ZG(\d{3})(?:\s+to\s+ZG(\d{3}))?", text):
        found |= {f"ZG{number:03}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_no_rule_that_was_ever_announced_is_lost() -> None:
    assert len(announced()) >= 19
    assert announced() <= set(RULES)


def test_codes_say_which_rules_are_on_by_default() -> None:
    assert [code for code, rule in RULES.items() if not rule.on_by_default] == [
        code for code in RULES if code.startswith("ZG9")
    ]


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_a_rule_is_complete(rule: type[Rule]) -> None:
    folder = folder_of(rule)
    names = {path.name for path in folder.glob("*.py")}
    assert folder.is_dir(), f"{rule.code} has no fixtures"
    assert any(name.startswith("bad_") for name in names)
    assert any(name.startswith("ok_") for name in names)
    assert f"bad_{rule.example}.py" in names
    twins = {f"bad_{rule.example}.fixed.py", f"ok_{rule.example}.py"}
    assert names & twins, "the example needs its corrected twin"
    assert (folder / f"bad_{rule.example}.message.txt").is_file(), "what it says of its example"
    assert rule.proof in PROOFS
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    module = Path(__import__(rule.__module__, fromlist=["x"]).__file__)
    assert module.stem == f"{rule.code.lower()}_{rule.name.replace('-', '_')}"


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_documentation_has_its_sections_in_order(rule: type[Rule]) -> None:
    page = rule.documentation()
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert headings == SECTIONS
    for heading in headings:
        body = page.partition(f"## {heading}\n")[2].partition("\n## ")[0].strip()
        assert len(body) > 20, f"{rule.code}: {heading} says nothing"
    example = page.partition("## Example")[2].partition("## Use instead")[0]
    program = (folder_of(rule) / f"bad_{rule.example}.py").read_text(encoding="utf-8")
    line, _ = expected(folder_of(rule) / f"bad_{rule.example}.py")[0]
    code = program.splitlines()[line - 1].partition("#")[0].strip()
    assert code in example
    assert "# expect:" not in page


def test_every_folder_belongs_to_a_rule() -> None:
    assert {p.name for p in ROOT.glob("[!.]*") if p.is_dir()} == {
        folder_of(rule).name for rule in RULES.values()
    }


def test_every_bad_program_has_a_corrected_twin() -> None:
    for path in programs():
        if path.name.startswith("bad_"):
            twins = [
                path.with_name(path.stem + ".fixed.py"),
                path.with_name(path.name.replace("bad_", "ok_", 1)),
            ]
            assert any(twin.is_file() for twin in twins), path
