"""The HTML report, looked at by a real browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .command import run

_BROWSER = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
_TWO_BUGS = """\
import torch
from torch import nn

torch.manual_seed(0)
one, other = nn.Linear(4, 1), nn.Linear(4, 1)
first = torch.optim.SGD(one.parameters(), lr=0.05)
second = torch.optim.Adam(other.parameters(), lr=0.05)
for step in range(20):
    x = torch.randn(16, 4)
    one(x).pow(2).mean().backward()
    first.step()
    other(x).pow(2).mean().backward()
    second.zero_grad()
    second.step()
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report with two findings and one with none, from an audit and from a verification."""
    folder = tmp_path_factory.mktemp("pages")
    wrong, right = folder / "wrong.py", folder / "right.py"
    wrong.write_text(_TWO_BUGS)
    right.write_text(
        _TWO_BUGS.replace("    second.zero_grad()\n", "").replace(
            "    second.step()\n",
            "    second.step()\n    first.zero_grad()\n    second.zero_grad()\n",
        )
    )
    made = {}
    for name, command, script, status in (
        ("audit-two", ("audit",), wrong, 1),
        ("audit-none", ("audit",), right, 0),
        ("verify-two", ("verify", "--jobs", "1"), wrong, 1),
        ("verify-none", ("verify",), right, 0),
    ):
        made[name] = folder / f"{name}.html"
        done = run(*command, "--report", made[name], script)
        assert done.returncode == status, done.stdout + done.stderr
    return made


def test_pages_need_nothing_from_elsewhere(pages: dict[str, Path]) -> None:
    for page in pages.values():
        text = page.read_text()
        assert "<script" not in text
        assert not re.search(r"(?:src|href)\s*=|url\((?!#)|@import|https?://", text)


def test_what_the_pages_say(pages: dict[str, Path]) -> None:
    audit = pages["audit-two"].read_text()
    assert audit.count("<section") == 2
    assert "STALE" in audit and "WIPED" in audit
    assert audit.count("<svg") == 8
    assert "By step" in audit and "To change:" in audit and "What these numbers mean" in audit
    assert "zerograd-lint audit --report" in audit, "the command that made the page"
    verified = pages["verify-two"].read_text()
    assert verified.count("CONFIRMED") == 2
    assert "ZG001" in verified and "ZG002" in verified
    assert verified.count('class="line right"') >= 4, "curves of the fixed program"
    assert verified.count('<span class="added">+') == 2, "each fix as a diff"
    assert "the loss ended at" in verified.lower()
    assert "No gradient bug was seen" in pages["audit-none"].read_text()
    assert "nothing to verify" in pages["verify-none"].read_text()


_PROBE = """<script>
const colour = each => each ? getComputedStyle(each) : {};
const curve = document.querySelector('svg .line.bug');
document.title = JSON.stringify({
  background: colour(document.body).backgroundColor,
  ink: colour(document.body).color,
  bug: colour(curve).stroke || null,
  fits: document.documentElement.scrollWidth <= innerWidth,
  drawn: [...document.querySelectorAll('svg')].map(each => each.getBoundingClientRect().height),
  cards: document.querySelectorAll('section').length,
  clipped: [...document.querySelectorAll('svg')].filter(svg => {
    const outer = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].some(text => {
      const inner = text.getBoundingClientRect();
      return inner.left < outer.left - 1 || inner.right > outer.right + 1
        || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
    });
  }).length,
});
</script>"""


@pytest.mark.skipif(_BROWSER is None, reason="no chromium or chrome on this machine")
@pytest.mark.parametrize("name", ["audit-two", "audit-none", "verify-two", "verify-none"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_browser_shows_it(name: str, dark: bool, pages: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(pages[name].read_text().replace("</body>", _PROBE + "</body>"))
    seen = look_at(page, dark=dark, width=420 if dark else 1200, profile=tmp_path / "profile")
    assert seen["fits"], "no sideways scrolling, on a phone as on a screen"
    assert seen["clipped"] == 0, "every label is inside its picture"
    paper, ink = brightness(seen["background"]), brightness(seen["ink"])
    assert (paper < 60 < 180 < ink) if dark else (ink < 60 < 180 < paper)
    assert all(height > 50 for height in seen["drawn"])
    if name.endswith("two"):
        assert seen["cards"] == 2
        assert len(seen["drawn"]) == 8
        assert abs(brightness(seen["bug"]) - paper) > 60, "the curve stands out"
    else:
        assert seen["cards"] == 1


def look_at(page: Path, *, dark: bool, width: int, profile: Path) -> dict[str, Any]:
    assert _BROWSER is not None
    done = subprocess.run(
        [
            _BROWSER,
            *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            *(f"--window-size={width},900", f"--user-data-dir={profile}"),
            *("--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=90,
    )
    title = re.search(r"<title>(.*?)</title>", done.stdout)
    assert title, done.stderr
    seen: dict[str, Any] = json.loads(html.unescape(title[1]))
    return seen


def brightness(colour: str) -> float:
    red, green, blue = (int(each) for each in re.findall(r"\d+", colour)[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue
