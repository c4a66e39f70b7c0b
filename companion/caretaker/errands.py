"""Errands: what the table's user asks of root, as a file that root takes away.

Laws: the file is there whole or not at all, and no longer than until root has taken it; root opens
no link and nothing that is longer than an errand can be.
"""

import os
import stat
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.durable_files import write_file
from companion.core.errors import Refusal, refusal

ERRAND = "errand.json"
ASKED = Path("/run/companion")
"""The folder of the errand, which is the table's own."""
SENT = Path("/var/lib/companion/sent.update")
"""The release that was sent from a page."""
MOST_SENT = 512 << 20
LONGEST = 4096
"""Bytes of an errand."""

ReleasePlace = Literal["stick", "sent", "repository"]
"""Where a release lies: on a USB stick, sent from a page, or at the address in the config."""


class LookForReleases(msgspec.Struct, frozen=True, tag="look"):
    """Say which releases are offered."""


class InstallRelease(msgspec.Struct, frozen=True, tag="install"):
    """Install the release that was offered; `agree` to games that are judged anew, `now` although
    a game is under way, `older` although a newer version runs."""

    place: ReleasePlace
    version: str
    agree: bool = False
    now: bool = False
    older: bool = False


class GoBack(msgspec.Struct, frozen=True, tag="go_back"):
    """Start the version before the one that runs."""

    now: bool = False


class SwitchOff(msgspec.Struct, frozen=True, tag="switch_off"):
    """Shut this Pi down."""


class StartAnew(msgspec.Struct, frozen=True, tag="start_anew"):
    """Start this Pi anew."""


class OpenHotspot(msgspec.Struct, frozen=True, tag="open_hotspot"):
    """Make a Wi-Fi of the table's own, until the next start or until a Wi-Fi is joined; it is named
    after the table, if that has a name."""

    port: int
    table: str = ""


class JoinWifi(msgspec.Struct, frozen=True, tag="join_wifi"):
    """Join a Wi-Fi; its password is empty if it has none."""

    name: str
    password: str
    port: int
    """That of the pages, for the hotspot that comes back if this fails."""


Power = SwitchOff | StartAnew
"""What is carried out also while another errand is."""
Errand = LookForReleases | InstallRelease | GoBack | Power | OpenHotspot | JoinWifi


def refuse_older(version: str, runs: str) -> Refusal:
    """Return that a release is older than the version that runs, and nothing says that it is
    wanted all the same."""
    text = "Version {version} is older than version {runs}, which runs: say that you want it."
    return refusal("older", "T.host", text, version=version, runs=runs)


def put_errand(folder: Path, errand: Errand) -> None:
    """Write an errand for root to take; NotWritten if that fails."""
    write_file(folder / ERRAND, msgspec.json.encode(errand), 0o600)


def is_waiting(folder: Path) -> bool:
    """Return whether an errand has not been taken yet."""
    return (folder / ERRAND).exists()


def take_errand(folder: Path) -> Errand | None:
    """Remove the errand and return it; None if there is none, or nothing that can be one."""
    errand = _read_errand(folder / ERRAND)
    (folder / ERRAND).unlink(missing_ok=True)
    return errand


def take_power(folder: Path) -> Power | None:
    """Remove the errand and return it if it is about power; leave any other where it is."""
    errand = _read_errand(folder / ERRAND)
    if not isinstance(errand, Power):
        return None
    (folder / ERRAND).unlink(missing_ok=True)
    return errand


def _read_errand(path: Path) -> Errand | None:
    try:
        held = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(held, "rb") as file:
        plain = stat.S_ISREG(os.fstat(held).st_mode)
        said = file.read(LONGEST + 1) if plain else b""
    try:
        errand: Errand = msgspec.json.decode(said, type=Errand)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return errand
