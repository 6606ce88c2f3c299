"""`# noqa` as flake8 reads it, on the whole logical line; and files that skip themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import BUGGY, Lint

STEP = "        optimizer.step()\n"


@pytest.mark.parametrize(
    ("step", "silent"),
    [
        ("optimizer.step()  # noqa", True),
        ("optimizer.step()  # NOQA", True),
        ("optimizer.step()  # noqa: ZG001", True),
        ("optimizer.step()  # noqa:ZG001,E501", True),
        ("optimizer.step()  # noqa: E501 ZG001", True),
        ("optimizer.step()  # noqa: zg001", True),
        ("optimizer.step()  # noqa: ZG0", True),
        ("optimizer.step()  # noqa: ZG002", False),
        ("optimizer.step()  # noqa: E501", False),
        ("optimizer.step()  # see noqa", False),
        ("# noqa\n        optimizer.step()", False),
        ("optimizer.step()\n        # noqa", False),
        ("optimizer.step(\n        )  # noqa: ZG001", True),
        ("optimizer.step(\n            # noqa: ZG001\n        )", True),
        ("print('''\n# noqa\n'''); optimizer.step()", True),
        ("print(); \\\n            optimizer.step()  # noqa", True),
    ],
)
def test_comments_that_silence(lint: Lint, project: Path, step: str, silent: bool) -> None:
    (project / "a.py").write_text(BUGGY.replace("optimizer.step()", step))
    assert lint().status == (0 if silent else 1)


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# zerograd-lint: skip-file", True),
        ("#zerograd-lint:skip-file  (generated)", True),
        ("# flake8: noqa", True),
        ("x = 1  # zerograd-lint: skip-file", False),
        ("# flake8: noqa: E501", False),
        ("# flake8: noqa: ZG001", True),
        ("# flake8: NOQA: E501,ZG0", True),
        ("# flake8=noqa: ZG002", False),
        ("x = 1  # flake8: noqa: ZG001", False),
    ],
)
def test_a_file_can_skip_itself(lint: Lint, project: Path, comment: str, silent: bool) -> None:
    (project / "a.py").write_text(f"{BUGGY}\n{comment}\n")
    assert lint().status == (0 if silent else 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("optimizer.step()", "optimizer.step()  # noqa: ZG001"),
        ("optimizer.step()  # apply", "optimizer.step()  # apply  # noqa: ZG001"),
        ("optimizer.step()  # noqa: E501", "optimizer.step()  # noqa: E501, ZG001"),
        ("optimizer.step(\n        )", "optimizer.step(  # noqa: ZG001\n        )"),
        ("optimizer.step( \\\n        )", "optimizer.step( \\\n        )  # noqa: ZG001"),
    ],
)
def test_added_comments_silence_here_and_in_flake8(
    lint: Lint, project: Path, before: str, after: str
) -> None:
    path = project / "a.py"
    path.write_text(BUGGY.replace("optimizer.step()", before))
    assert lint("--add-noqa").status == 0
    assert path.read_text() == BUGGY.replace("optimizer.step()", after)
    assert lint().status == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # noqa: ZG001", "x = 1"),
        ("x = 1  # noqa: ZG001 it is wrong here", "x = 1"),
        ("x = 1  # apply  # noqa: ZG001", "x = 1  # apply"),
        ("x = 1  # noqa: ZG001  # type: ignore", "x = 1  # type: ignore"),
        ("x = 1  # noqa: E501, ZG001,ZG002", "x = 1  # noqa: E501"),
        ("x = 1  # noqa:zg001 E501", "x = 1  # noqa:E501"),
        ("x = f(\n    1,  # noqa: ZG001\n)", "x = f(\n    1,\n)"),
        ("x = 1  # noqa", "x = 1  # noqa"),
        ("x = 1  # noqa: E501", "x = 1  # noqa: E501"),
        ("x = 1  # noqa: ZG901", "x = 1  # noqa: ZG901"),
        ("x = '# noqa: ZG001'", "x = '# noqa: ZG001'"),
    ],
)
def test_unused_comments_are_reported_and_removed(
    lint: Lint, project: Path, before: str, after: str
) -> None:
    used = BUGGY.replace("step()", "step()  # noqa: ZG001")
    for rest in ("", used):
        path = project / "a.py"
        path.write_text(f"{before}\n{rest}")
        assert lint().status == 0
        run = lint("--unused-noqa")
        assert run.status == (0 if before == after else 1)
        if run.lines:
            assert ": ZG900 [*] this comment silences nothing: no ZG001" in run.lines[0]
        assert lint("--unused-noqa", "--fix").status == 0
        assert path.read_text() == f"{after}\n{rest}"


def test_a_comment_that_is_used_stays(lint: Lint, project: Path) -> None:
    path = project / "a.py"
    path.write_text(BUGGY.replace("step()", "step(  # noqa: ZG001, ZG002\n        )"))
    assert lint("--unused-noqa").codes() == ["a.py:9 ZG900"]
    assert lint("--unused-noqa", "--fix").status == 0
    assert "step(  # noqa: ZG001\n" in path.read_text()
    path.write_text("# zerograd-lint: skip-file\nx = 1  # noqa: ZG001\n")
    assert lint("--unused-noqa").status == 0


def test_every_format_can_say_it(lint: Lint, project: Path) -> None:
    from zerograd_lint.config.table import FORMATS

    (project / "a.py").write_text("x = 1  # noqa: ZG001\n")
    for form in FORMATS:
        run = lint("--unused-noqa", "--output-format", form)
        assert run.status == 1
        assert "ZG900" in run.out
