"""What an exception says of a crash: did the program fail because a `.grad` was None?"""

from __future__ import annotations

import linecache
import traceback

from ..call_sites import CallSite, is_users_own
from ..observation import Crash, Observation


def read_crash(error: BaseException) -> tuple[Crash, Observation | None]:
    """The crash, and the gradient bug behind it if there is one."""
    site: CallSite | None = None
    text = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        filename = frame.f_code.co_filename
        if is_users_own(filename):
            site = CallSite(filename, line)
            text = linecache.getline(filename, line)
    message = str(error).splitlines()[0] if str(error) else ""
    crash = Crash(type(error).__name__, message, site)
    is_about_none = isinstance(error, (AttributeError, TypeError)) and "NoneType" in message
    if site is None or not is_about_none or ".grad" not in text:
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
