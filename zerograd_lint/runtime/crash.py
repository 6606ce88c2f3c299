"""Reading an exception: did the program die of a `.grad` that was None?"""

from __future__ import annotations

import linecache
import traceback

from .observation import Crash, Observation
from .sites import Site, is_users_own


def read(error: BaseException) -> tuple[Crash, Observation | None]:
    """The crash, and the gradient bug it is if it is one."""
    site: Site | None = None
    text = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        filename = frame.f_code.co_filename
        if is_users_own(filename):
            site = Site(filename, line)
            text = linecache.getline(filename, line)
    message = str(error).splitlines()[0] if str(error) else ""
    crash = Crash(type(error).__name__, message, site)
    speaks_of_none = isinstance(error, (AttributeError, TypeError)) and "NoneType" in message
    if site is None or not speaks_of_none or ".grad" not in text:
        return crash, None
    return crash, Observation(
        kind="none-crash",
        owner=text.strip(),
        site=site,
        deposit=None,
        steps_affected=1,
        steps_seen=1,
        first_step=0,
    )
