"""Check every file there is and count what goes wrong inside the linter: it must be nothing.

    python -m benchmarks.soak [FOLDER …]        default: the standard library and the wild corpus

The gate is left out, so that files which train nothing are read, parsed and followed as well;
`--gate` puts it back, and `--every 10` takes one file in ten.
"""

from __future__ import annotations

import argparse
import re
import sys
import sysconfig
import time
import traceback
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from zerograd_lint import SourceError
from zerograd_lint.check import engine, project_reading
from zerograd_lint.check.gate import can_train_bytes
from zerograd_lint.config.cache_folder import default_folder
from zerograd_lint.config.settings import Settings
from zerograd_lint.files.source import decode

EVERYTHING = Settings(extend_select=("ALL",))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--gate", action="store_true", help="skip what cannot train")
    parser.add_argument("--every", type=int, default=1, help="take one file in so many")
    arguments = parser.parse_args()
    library = Path(sysconfig.get_paths()["stdlib"])
    wild = Path(default_folder() or ".") / "wild" / "src"
    counts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    slowest = (0.0, Path())
    folders = arguments.folders or [library, wild]
    files = (p for folder in folders for p in sorted(folder.rglob("*.py"))[:: arguments.every])
    # Files that the prefilter would end with are to be followed as well.
    with patch.object(project_reading, "needs_of", lambda _: None):
        for path in files:
            if not path.is_file():
                continue
            data = path.read_bytes()
            counts["files"] += 1
            if arguments.gate and not can_train_bytes(data):
                continue
            counts["checked"] += 1
            started = time.process_time()
            try:
                counts["findings"] += len(engine.check(decode(data).text, str(path), EVERYTHING))
            except SourceError as error:
                refused[re.sub(r"\d+|'.*'|error at .*", "…", error.message)[:60]] += 1
            except Exception:
                counts["internal errors"] += 1
                print(path, traceback.format_exc(limit=-3), file=sys.stderr)
            slowest = max(slowest, (time.process_time() - started, path))
    print(", ".join(f"{number:,} {what}" for what, number in counts.items()))
    print(f"internal errors: {counts['internal errors']}")
    print(f"slowest: {slowest[0]:.1f} s, {slowest[1]}")
    for reason, times in refused.most_common():
        print(f"{times:6} {reason}")
    return int(counts["internal errors"] > 0)


if __name__ == "__main__":
    sys.exit(main())
