"""Drop root's privileges while a folder of another user is written.

Law: in a folder of another user root acts as that user, so that no link in it can lead root to
another place, and new files belong to the owner.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Act as the owner of this folder while the block runs; without effect unless run by root."""
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])  # Else a link could lead to files that root's groups may write.
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
