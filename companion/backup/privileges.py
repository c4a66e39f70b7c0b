"""Whose folder it is: what root puts into it belongs to the folder's owner, not to root.

Law: in a folder of somebody else root acts as that somebody, so that no link laid there leads root
anywhere else.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Act as the owner of this folder; only root can, and nobody else has to."""
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])  # Else a link would lead to whatever those may write.
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
