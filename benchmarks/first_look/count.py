"""How much of a project trains: the files that pass the gate, each content counted once."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..wild.corpus import Counts, sources
from ..wild.packages import UNSEEN, Package


def training_contents(project: str, folder: Path) -> set[str]:
    """A hash of each file that can train something; counting them is not looking at them."""
    package = Package(project, "", "", "", UNSEEN)
    return {
        hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()
        for source in sources(package, folder, Counts())
    }
