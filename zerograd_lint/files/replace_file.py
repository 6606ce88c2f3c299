"""Replace a file's content in one step."""

from __future__ import annotations

import os
import stat


def replace_file(path: str, data: bytes, *, expected: bytes) -> None:
    """Put new content in the place of the old in one step, so that no kill can lose either.

    Refuses when the file is read-only or no longer holds what was read from it. A symbolic
    link stays one: the file it points to is replaced.
    """
    target = os.path.realpath(path)
    status = os.stat(target)
    if not status.st_mode & 0o222:
        raise PermissionError(13, "the file is read-only", path)
    with open(target, "rb") as file:
        if file.read() != expected:
            raise OSError(0, "it changed while it was being fixed", path)
    temporary = os.path.join(os.path.dirname(target), f".zerograd-{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, stat.S_IMODE(status.st_mode))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        _keep_owner(temporary, status)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _keep_owner(path: str, status: os.stat_result) -> None:
    if not hasattr(os, "chown"):
        return
    mine = os.stat(path)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.chown(path, status.st_uid, status.st_gid)
        except OSError:
            return  # only root may give files away; the content matters more than the owner
