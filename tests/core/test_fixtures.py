"""Every fixture says what it expects, and the linter says exactly that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fixture_files import ROOT, expected, golden, label, programs, settings_for
from zerograd_lint import Finding, check_source
from zerograd_lint.check.document import open_document
from zerograd_lint.files.kinds import PYTHON
from zerograd_lint.fixing.rounds import FixedDocument, fix

PROGRAMS = programs()
FIXED = [path for path in PROGRAMS if golden(path) is not None]


@pytest.mark.parametrize("path", PROGRAMS, ids=label)
def test_findings_are_the_announced_ones(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    findings = check_source(text, str(path), settings=settings_for(path))
    assert sorted((finding.line, finding.code) for finding in findings) == sorted(expected(path))
    for finding in findings:
        assert_fits_one_line_and_no_editor_mistakes_it(finding)
        if golden(path) is None:
            assert finding.fix is None


def assert_fits_one_line_and_no_editor_mistakes_it(finding: Finding) -> None:
    assert "\n" not in finding.message
    assert len(finding.message) <= 240
    # pylsp reads the last `:1:2: ` of a line as the place of the finding.
    assert not re.search(r":\d*:\d*: ", finding.message)
    assert all(related.message for related in finding.related)


def fixed_copy(path: Path, data: bytes) -> tuple[bytes, FixedDocument]:
    """The file's content after all its fixes, as `--fix --unsafe-fixes` would write it."""
    document = open_document(PYTHON, data, str(path), settings_for(path))
    fixed = fix(document, document.check(document.text), unsafe=True)
    return document.to_bytes(fixed.text), fixed


@pytest.mark.parametrize("path", FIXED, ids=label)
def test_fix_gives_the_golden_and_stays_there(path: Path) -> None:
    data, result = fixed_copy(path, path.read_bytes())
    expected_copy = golden(path)
    assert expected_copy is not None
    assert data == expected_copy.read_bytes()
    # One edit in front of two branches may mend a finding in each of them.
    assert 1 <= result.applied <= len(expected(path))
    assert result.remaining == []
    assert result.refused == ""
    again, nothing = fixed_copy(path, data)
    assert (again, nothing.applied) == (data, 0)


def test_bad_files_expect_something_and_ok_files_nothing() -> None:
    for path in PROGRAMS:
        assert path.name.startswith(("bad_", "ok_")), label(path)
        assert bool(expected(path)) == path.name.startswith("bad_"), label(path)
        own = path.parent.name[:5]
        assert all(code == own for _, code in expected(path)), label(path)


MODULES = sorted(path for path in ROOT.glob("*/*/**/*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_that_programs_import_are_silent_by_themselves(path: Path) -> None:
    assert check_source(path.read_text(encoding="utf-8"), str(path)) == []
