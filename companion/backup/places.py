"""Places for a backup: whether a memory stick is there.

Law: a folder in which a stick should be mounted is refused while none is, since the backup would
lie on the SD card under the stick's name.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_

MOUNTS = Path("/proc/self/mountinfo")
STICK_FOLDERS = (Path("/media"), Path("/mnt"), Path("/run/media"))
"""The folders below which sticks are mounted."""
UNSTARTED_KIND = "autofs"
"""Stands where something will be mounted when it is there."""


class Mount(NamedTuple):
    """One mounted file system: where, and its kind."""

    point: Path
    kind: str


def read_mounts() -> list[Mount]:
    """Return what is mounted, in order; nothing where the kernel does not tell."""
    try:
        lines = MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    return [parse_mount(line) for line in lines]


def parse_mount(line: str) -> Mount:
    """Return the mounted file system that a line of the kernel tells of."""
    place, _, source = line.partition(" - ")
    point = place.split(" ")[4]
    plain = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), point)
    return Mount(Path(plain), source.split(" ")[0])


def check_place(place: Path, mounts: Sequence[Mount]) -> None:
    """Raise Malformed unless this is a folder that is there, or a new file in one."""
    folder = place if place.is_dir() else place.parent
    if not folder.is_dir():
        text = N_("There is no folder {field}: plug in the stick, or name a folder that exists.")
        raise Malformed(str(folder), text)
    if not _is_mounted(folder, mounts):
        text = N_("No stick is mounted at {field}: plug it in, and try again once it is there.")
        raise Malformed(str(folder), text)
    if not place.exists() and not place.suffix:
        text = N_(
            "There is no folder {field}: plug in the stick, or name a new file that ends in .zip."
        )
        raise Malformed(str(place), text)


def _is_mounted(folder: Path, mounts: Sequence[Mount]) -> bool:
    """Return whether a stick is mounted here, unless no stick belongs here."""
    folder = folder.resolve()
    found = find_mount(folder, mounts)
    for sticks in STICK_FOLDERS:
        if found is not None and folder.is_relative_to(sticks):
            return found.point.is_relative_to(sticks) and found.kind != UNSTARTED_KIND
    return True


def find_mount(path: Path, mounts: Sequence[Mount]) -> Mount | None:
    """Return the file system on which a resolved path lies: the deepest, and of two the later."""
    over = [mount for mount in mounts if path.is_relative_to(mount.point)]
    return max(over[::-1], key=lambda mount: len(mount.point.parts), default=None)
