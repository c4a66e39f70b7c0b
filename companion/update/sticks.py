"""USB sticks with a release on them: found, and mounted for reading while the installer runs.

Law: nothing on a stick is written, and nothing on it is run from there.
"""

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.update.releases import SDIST, NoRelease, Release, ReleaseFiles, find_release

LIST = ("lsblk", "--json", "--output", "PATH,RM,HOTPLUG,FSTYPE,MOUNTPOINT")
MOUNT = ("mount", "--options", "ro,nosuid,nodev,noexec")
NO_STICK = N_(
    "There is no stick with a release in {field}: plug one in, or name a file or a folder."
)
NOT_MOUNTED = N_("{field} cannot be opened: {reason}.")


class Stick(NamedTuple):
    """A partition of a stick, and where it is mounted, None if it is not."""

    device: str
    place: Path | None


def parse_sticks(listed: str) -> list[Stick]:
    """Return the partitions with files that can be unplugged, of what `lsblk` lists as JSON."""
    found, left = [], list(json.loads(listed).get("blockdevices", ()))
    while left:
        device = left.pop(0)
        left += device.get("children", ())
        if device.get("fstype") and (device.get("rm") or device.get("hotplug")):
            mounted = device.get("mountpoint")
            found.append(Stick(device["path"], Path(mounted) if mounted else None))
    return [stick for stick in found if not stick.place or not _is_system(stick.place)]


def _is_system(place: Path) -> bool:
    """Return whether this is a part of the running system, whose card can be unplugged too."""
    return place == Path("/") or place.parts[1] in ("boot", "[SWAP]")


def list_devices() -> str:
    """Return the block devices of this machine, as `lsblk` lists them."""
    return subprocess.run(LIST, capture_output=True, text=True, check=False).stdout or "{}"


@contextmanager
def find_on_sticks(
    list_all: Callable[[], str] = list_devices, wanted: ReleaseFiles = SDIST
) -> Iterator[Release]:
    """Yield the first sound release on any stick, which stays readable meanwhile.

    Malformed if there is none: with what is wrong, if a stick has one that is damaged.
    """
    sticks, damage = parse_sticks(list_all()), None
    with ExitStack() as mounted:
        for stick in sticks:
            try:
                place = stick.place or mounted.enter_context(mount_device(stick.device))
                release = find_release(place, wanted)
            except NoRelease:
                continue
            except Malformed as wrong:
                damage = damage or wrong
                continue
            yield release
            return
    named = ", ".join(stick.device for stick in sticks) or "/dev"
    raise damage or NoRelease(named, NO_STICK)


@contextmanager
def mount_device(device: str) -> Iterator[Path]:
    """Yield the folder in which a device is mounted for reading; Malformed if that fails."""
    with tempfile.TemporaryDirectory(prefix="companion-stick-") as folder:
        done = subprocess.run([*MOUNT, device, folder], capture_output=True, text=True, check=False)
        if done.returncode:
            reason = done.stderr.strip().rpartition(": ")[2].rstrip(".")
            raise Malformed(device, NOT_MOUNTED, reason=reason)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=False)
