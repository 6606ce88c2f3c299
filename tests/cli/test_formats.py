"""What each output format says, read back as its consumers would."""

from __future__ import annotations

import json
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

import pytest

from zerograd_lint.config.table import FORMATS

from .conftest import BUGGY, Lint

ROOT = Path(__file__).parents[2]
STRANGE = "a:b,c %d é.py"
BROKEN = "import torch\nloss.backward(\nopt.step()\n"


@pytest.fixture
def mixed(project: Path) -> Path:
    """A finding, a finding in a file with an awkward name, and a file that cannot be parsed."""
    (project / "train.py").write_text(BUGGY)
    (project / STRANGE).write_text(BUGGY)
    (project / "zz_broken.py").write_text(BROKEN)
    return project


def test_concise_is_one_line_each(lint: Lint, mixed: Path) -> None:
    run = lint("--output-format", "concise")
    assert run.status == 2
    assert [re.match(r"(.+?):(\d+):(\d+): (ZG\d+) .+", line) is not None for line in run.lines] == [
        True
    ] * 3


def test_full_shows_the_lines_the_fix_and_a_count(lint: Lint, project: Path) -> None:
    (project / "train.py").write_text(BUGGY)
    out = lint("--output-format", "full").out
    assert out.startswith("ZG001 optimizer.step() applies ")
    assert " --> train.py:9:9\n" in out
    step = out.index("9 |         optimizer.step()\n")
    assert out[step:].splitlines()[1] == "  |         ^^^^^^^^^^^^^^^^"
    assert "8 |         loss.backward()\n  |         ----" in out
    assert "\n  +        optimizer.zero_grad()\n" in out
    assert "help: zerograd-lint rule ZG001\n" in out
    assert out.endswith(
        "Found 1 error.\n"
        "1 hidden fix: look with --diff --unsafe-fixes, then apply with --fix --unsafe-fixes.\n"
    )


def test_full_says_when_all_is_well(lint: Lint, project: Path) -> None:
    assert lint("--output-format", "full").out == "All checks passed!\n"


def test_carets_stand_under_wide_characters_and_tabs(lint: Lint, project: Path) -> None:
    text = BUGGY.replace("        ", "\t\t").replace("    for", "\tfor").replace("    opt", "\topt")
    text = text.replace("\t\toptimizer.step()", "\t\tprint('日本'); optimizer.step()")
    (project / "wide.py").write_text(text)
    lines = lint("--output-format", "full").lines
    at = next(index for index, line in enumerate(lines) if "日本" in line)
    columns_before = len(lines[at].split("optimizer")[0]) + 2  # two characters are twice as wide
    assert lines[at + 1].index("^") == columns_before


def test_json_has_places_related_lines_and_edits(lint: Lint, mixed: Path) -> None:
    items = json.loads(lint("--output-format", "json").out)
    assert [item["code"] for item in items] == ["ZG001", "ZG001", "ZG000"]
    finding = items[1]
    assert finding["filename"] == "train.py"
    assert finding["name"] == "missing-zero-grad"
    assert finding["location"] == {"row": 9, "column": 9}
    assert finding["end_location"] == {"row": 9, "column": 25}
    assert finding["cell"] is None
    assert finding["related"][0]["location"]["row"] == 8
    assert finding["fix"]["applicability"] == "unsafe"
    assert "optimizer.zero_grad()" in finding["fix"]["edits"][0]["content"]
    assert items[2]["location"]["row"] >= 2


def test_json_lines_are_the_same_items(lint: Lint, mixed: Path) -> None:
    items = json.loads(lint("--output-format", "json").out)
    assert [json.loads(line) for line in lint("--output-format", "json-lines").lines] == items


def test_github_escapes_names_and_messages(lint: Lint, mixed: Path) -> None:
    lines = lint("--output-format", "github").lines
    assert len(lines) == 3
    assert lines[0].startswith("::error title=zerograd-lint ZG001,file=a%3Ab%2Cc %25d é.py,line=9,")
    assert ",col=9,endLine=9,endColumn=25::ZG001 optimizer.step() " in lines[1]
    assert all(re.fullmatch(r"::error (\w+=[^,:]+,?)+::[^\r\n]+", line) for line in lines)


def test_gitlab_entries_have_what_code_quality_requires(lint: Lint, mixed: Path) -> None:
    entries = json.loads(lint("--output-format", "gitlab").out)
    assert len(entries) == 3
    assert len({entry["fingerprint"] for entry in entries}) == 3
    for entry in entries:
        assert entry["check_name"].startswith("ZG")
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["lines"]["begin"] >= 1
        assert not entry["location"]["path"].startswith(("/", "./"))
    assert json.loads(lint("--output-format", "gitlab", "--select", "ZG002", "train.py").out) == []


def test_fingerprints_survive_moved_lines(lint: Lint, project: Path) -> None:
    path = project / "train.py"
    path.write_text(BUGGY)
    before = json.loads(lint("--output-format", "gitlab").out)[0]["fingerprint"]
    path.write_text("# a new first line\n\n" + BUGGY)
    assert json.loads(lint("--output-format", "gitlab").out)[0]["fingerprint"] == before


def test_junit_parses_and_counts(lint: Lint, mixed: Path) -> None:
    root = ElementTree.fromstring(lint("--output-format", "junit").out)
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "2", "1")
    assert len(root.findall("./testsuite/testcase/failure")) == 2
    assert len(root.findall("./testsuite/testcase/error")) == 1
    (mixed / "zz_broken.py").unlink()
    clean = ElementTree.fromstring(lint("--output-format", "junit", "--ignore", "ALL").out)
    assert (clean.get("tests"), clean.get("failures")) == ("1", "0")


def test_junit_through_its_parser(lint: Lint, mixed: Path) -> None:
    junitparser = pytest.importorskip("junitparser", reason="the junitparser package is not here")
    lint("--output-format", "junit", "-o", "report.xml")
    report = junitparser.JUnitXml.fromfile("report.xml")
    cases = [case for suite in report for case in suite]
    assert len(cases) == 3
    assert {type(case.result[0]).__name__ for case in cases} == {"Failure", "Error"}


def test_rdjson_counts_columns_in_bytes(lint: Lint, project: Path) -> None:
    text = BUGGY.replace("        optimizer.step()", "        print('é'); optimizer.step()")
    (project / "train.py").write_text(text)
    diagnostic = json.loads(lint("--output-format", "rdjson").out)["diagnostics"][0]
    start = diagnostic["location"]["range"]["start"]
    line = text.split("\n")[8]
    assert start == {"line": 9, "column": len(line[: line.index("opt")].encode()) + 1}
    assert "optimizer.zero_grad()" in diagnostic["suggestions"][0]["text"]
    assert diagnostic["code"] == {"value": "ZG001"}


def test_sarif_names_rules_places_and_fixes(lint: Lint, mixed: Path) -> None:
    document = json.loads(lint("--output-format", "sarif").out)
    assert document["version"] == "2.1.0"
    run = document["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["ZG001"]
    assert "## Why is this bad?" in rules[0]["help"]["markdown"]
    first, second = run["results"]
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == STRANGE
    assert ":" not in uri
    region = second["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (9, 9)
    assert second["ruleIndex"] == 0
    assert second["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 8
    replacement = second["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert "optimizer.zero_grad()" in replacement["insertedContent"]["text"]
    assert first["partialFingerprints"] != second["partialFingerprints"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "ZG000" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_every_format_survives_a_notebook(lint: Lint, project: Path) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": BUGGY}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "nb.ipynb").write_text(json.dumps(notebook))
    for form in FORMATS:
        run = lint("--output-format", form)
        assert run.status == 1
        assert "ZG001" in run.out
        assert form in ("json", "json-lines") or "cell 1:9:9" in run.out


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        (BROKEN, "2:14", "'(' was never closed"),
        ("import torch\nloss.backward()\nopt.step()\nif x\n    pass\n", "4:5", "expected ':'"),
        ("import torch\nloss.backward()\nopt.step() é = 3 +\n", "3:12", "invalid syntax"),
    ],
)
def test_a_syntax_error_stands_where_python_puts_it(
    lint: Lint, project: Path, text: str, place: str, reason: str
) -> None:
    (project / "a.py").write_text(text)
    assert lint().lines == [f"a.py:{place}: ZG000 cannot parse: {reason}"]
    assert lint().lines == [f"a.py:{place}: ZG000 cannot parse: {reason}"]  # from the cache
    full = lint("--output-format", "full").out
    line, column = map(int, place.split(":"))
    shown = f"{line} | {text.splitlines()[line - 1]}\n  | {' ' * (column - 1)}^\n"
    assert shown in full


@pytest.mark.parametrize("indent", [1, None])
def test_findings_in_notebooks_stand_on_lines_of_the_file(
    lint: Lint, project: Path, indent: int | None
) -> None:
    lines = BUGGY.splitlines(keepends=True)
    first = {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["print 'old'"]}
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": lines}
    notebook = {"cells": [first, cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(notebook, indent=indent)
    (project / "nb.ipynb").write_text(text)
    expected = [
        next(n for n, line in enumerate(text.split("\n"), 1) if words in line)
        for words in ("print 'old'", "optimizer.step()")
    ]
    github = lint("--output-format", "github").out
    assert [int(number) for number in re.findall(r",line=(\d+)", github)] == expected
    gitlab = json.loads(lint("--output-format", "gitlab").out)
    assert [entry["location"]["lines"]["begin"] for entry in gitlab] == expected
    rdjson = json.loads(lint("--output-format", "rdjson").out)["diagnostics"]
    assert [d["location"]["range"]["start"]["line"] for d in rdjson] == expected
    sarif = json.loads(lint("--output-format", "sarif").out)["runs"][0]
    places = [sarif["invocations"][0]["toolExecutionNotifications"][0], sarif["results"][0]]
    assert [p["locations"][0]["physicalLocation"]["region"] for p in places] == [
        {"startLine": number} for number in expected
    ]


def test_gitlab_paths_and_fingerprints_do_not_depend_on_how_a_file_is_named(
    lint: Lint, project: Path
) -> None:
    (project / "src").mkdir()
    (project / "src" / "train.py").write_text(BUGGY)
    reports = [
        json.loads(lint("--output-format", "gitlab", name).out)
        for name in ("src", "./src/train.py", str(project / "src"))
    ]
    assert reports[0] == reports[1] == reports[2]
    assert reports[0][0]["location"]["path"] == "src/train.py"


def test_gitlab_fingerprints_of_equal_problems_differ(lint: Lint, project: Path) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": "print 'old'"}
    good = {**cell, "source": BUGGY}
    notebook = {"cells": [cell, cell, good], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "nb.ipynb").write_text(json.dumps(notebook))
    entries = json.loads(lint("--output-format", "gitlab").out)
    assert len({entry["fingerprint"] for entry in entries}) == 3


def test_sarif_says_where_the_tool_comes_from(lint: Lint, project: Path) -> None:
    driver = json.loads(lint("--output-format", "sarif").out)["runs"][0]["tool"]["driver"]
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert driver["informationUri"] == pyproject["project"]["urls"]["Homepage"]
