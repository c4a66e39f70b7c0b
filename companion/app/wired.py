"""Which wiring this table has: as somebody says, as it was learnt in the browser, or as it comes.

Laws: a learnt wiring counts for the profile that it was learnt from, as that profile is now; where
another one is said, it does not count. It is a file like any other profile, whole or not there.
"""

from pathlib import Path

import msgspec

from companion.app.places import data_folder
from companion.app.state_files import keep_or_say
from hardware.errors import WiringError
from hardware.wiring import DEFAULT, Wiring, load, written


def wiring_path(folder: Path) -> Path:
    """Where what was learnt of the wiring is kept."""
    return folder / "wiring.toml"


def learnt(folder: Path) -> Wiring | None:
    """The wiring that was learnt at this table, if its profile still has the same wires."""
    path = wiring_path(folder)
    if not path.exists():
        return None
    found = load(str(path))
    try:
        base = load(found.learnt_from)
    except WiringError:
        return None
    return found if found.same_wires(base) else None


def wiring_of(folder: Path, said: str | None) -> Wiring:
    """The wiring of a table, by what somebody says of it."""
    found = learnt(folder)
    if found is not None and said in (None, found.learnt_from):
        return found
    return unlearnt(said or DEFAULT)


def unlearnt(profile: str) -> Wiring:
    """A profile as the beginning of what is learnt of it."""
    return msgspec.structs.replace(load(profile), learnt_from=profile)


def profile_of(wiring: Wiring) -> str:
    """The profile that a wiring is, or was learnt from, as one says it."""
    return wiring.learnt_from or wiring.name


def or_learnt(said: str | None, data: Path | None = None) -> str:
    """The profile that a command is to use: said, learnt at this table, or the usual one."""
    folder = data or data_folder()
    if said is None and learnt(folder) is not None:
        return str(wiring_path(folder))
    return said or DEFAULT


def keep_wiring(folder: Path, wiring: Wiring) -> None:
    """Keep what was learnt, on disk before anybody hears of it."""
    keep_or_say(wiring_path(folder), written(wiring).encode())
