"""Places for a backup: whether a memory stick is there, and whether a copy leaves the table's disk.

Law: what cannot be told counts as not there and as not gone: a folder in which a stick should be
mounted is refused while none is, since the backup would lie on the SD card under the stick's name,
and a copy counts as gone only if another disk or another machine has it.
"""

import errno
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_

MOUNTS = Path("/proc/self/mountinfo")
BLOCK_DEVICES = Path("/sys/dev/block")
STICK_FOLDERS = (Path("/media"), Path("/mnt"), Path("/run/media"))
"""The folders below which sticks are mounted."""
NETWORK_KINDS = ("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs")
UNSTARTED_KIND = "autofs"
"""Stands where something will be mounted when it is there."""
ROOM_LEFT = 16 << 20
"""Bytes that a backup or a restore leaves free, so that the table can go on."""


class Mount(NamedTuple):
    """One mounted file system: where, its device as major:minor, its kind."""

    point: Path
    device: str
    kind: str


def read_mounts(file: Path = MOUNTS) -> list[Mount]:
    """Return what is mounted, in order; nothing where the kernel does not tell."""
    try:
        lines = file.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    return [_parse_mount(line) for line in lines]


def _parse_mount(line: str) -> Mount:
    place, _, source = line.partition(" - ")
    _, _, device, _, point, *_ = place.split(" ")
    plain = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), point)
    return Mount(Path(plain), device, source.split(" ")[0])


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


def leaves_disk(
    target: Path, folder: Path, mounts: Sequence[Mount], devices: Path = BLOCK_DEVICES
) -> bool:
    """Return whether the target lies on another disk than the folder, or on another machine."""
    there, here = (find_mount(path.resolve(), mounts) for path in (target, folder))
    if there is None or here is None or there.device == here.device:
        return False
    if there.kind in NETWORK_KINDS:
        return True
    theirs, ours = (_disk_name(mount, devices) for mount in (there, here))
    return "" not in (theirs, ours) and theirs != ours


def _disk_name(mount: Mount, devices: Path) -> str:
    """Return the name of the disk that a partition is on; empty if it is on none of its own."""
    device = (devices / mount.device).resolve()
    if not device.is_dir() or (device / "loop").exists():
        return ""
    return (device.parent if (device / "partition").exists() else device).name


def require_room(folder: Path, size: int) -> None:
    """Raise OSError if so many bytes do not fit on the disk of this folder."""
    if shutil.disk_usage(folder).free < size + ROOM_LEFT:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
