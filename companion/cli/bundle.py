"""`companion bundle`: the support bundle from the command line, whether or not a companion runs.

Laws: nothing but the bundle is written, and over no file that is there already; the journal is only
looked at. A value of the config goes along only where it is known to name nobody and no place.
"""

import argparse
import platform
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__
from companion.app import settings
from companion.app.health_monitor import LEFT, built_after
from companion.app.physical_table import Shelf
from companion.app.settings import read
from companion.app.state_files import UNREAD
from companion.cli import language_argument
from companion.core.errors import Malformed
from companion.core.i18n import N_, Say, language
from companion.host.health import Health, remembered
from companion.host.report import Machine, Report, bare, bundle, report
from companion.journal import Journal, JournalFailed
from companion.journal.errors import JournalHealth
from companion.journal.lock import is_held
from hardware import pi_status
from hardware.errors import Said

NAME = "companion-support.zip"
"""What it is called if nobody says otherwise."""
SEEN = ("power", "heat", "disk", "clock", "journal")
"""The lights that shine without any wire."""
LONGEST = 1_000_000
"""So many bytes of what a companion left; it never leaves that much."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion bundle`."""
    add = parser.add_argument
    add("--to", type=Path, default=Path(NAME), metavar="PLACE",
        help=f"a new file, or a folder in which it is called {NAME} "
             "(default: this folder)")  # fmt: skip
    add("--data", type=Path, metavar="FOLDER", help="where journal and decks are kept")
    add("--config", type=Path, metavar="FILE", help="the config (default: the service's)")
    language_argument(parser)


def run(chosen: argparse.Namespace) -> int:
    """Write the bundle; the exit status."""
    words, folder = language(chosen.lang), chosen.data or settings.data_folder()
    to = chosen.to / NAME if chosen.to.is_dir() else chosen.to
    config = chosen.config or settings.config_path(folder)
    packed = bundle(_report(folder), None, _machine(folder, config), _last(folder))
    try:
        _write(to, packed)
    except Malformed as error:
        print(f"companion bundle: {words(error.say)}", file=sys.stderr)
        return 2
    text = N_("Written: {use}. It holds no names, bids or stickers: it may be handed on.")
    print(words.render(text, {"use": str(to)}))
    return 0


def _write(to: Path, packed: bytes) -> None:
    try:
        with to.open("xb") as file:
            file.write(packed)
    except FileExistsError:
        raise settings.is_there(to) from None
    except OSError as error:
        with suppress(OSError):  # Half a bundle helps nobody, and keeps the name from a whole one.
            to.unlink()
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(str(to), text, reason=error.strerror) from None


def _report(folder: Path) -> Report:
    """What disk and board tell, without any wire."""
    journal, trouble = _journal(folder)
    now = pi_status.look()
    found = report(
        Health(
            companion=__version__,
            python=platform.python_version(),
            wiring="",
            simulated=False,
            readers=(),
            boxes=Shelf(folder).boxes(),
            journal=journal,
            trouble=trouble,
            uptime=0.0,
            clock=time.time(),
            clock_set_back=False,
            board=remembered(now, now),
        )
    )
    seen = {name: colour for name, colour in found.lights.items() if name in SEEN}
    return msgspec.structs.replace(found, lights=seen)


def _journal(folder: Path) -> tuple[JournalHealth, tuple[Say, ...]]:
    """Every line of it proven, and what is wrong with it; nothing is mended."""
    try:
        with closing(Journal(settings.journal_path(folder), look=True)) as journal:
            return journal.health(time.time()), tuple(journal.notices)
    except (Malformed, JournalFailed) as error:
        return JournalHealth(0, 0, 0, False, None, None), (error.say,)


def _machine(folder: Path, config: Path | None) -> Machine:
    said, trouble = _config(config)
    return Machine(
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        running=is_held(settings.journal_path(folder)),
        backups=sum(1 for _ in (folder / "backups").glob("*.zip")),
        config=said,
        config_trouble=trouble,
    )


def _config(file: Path | None) -> tuple[dict[str, str], str]:
    """The keys of the config, without what might be a path or an address of somebody's."""
    if file is None:
        return {}, ""
    try:
        return bare_config(read(file)), ""
    except (Malformed, Said) as error:
        return {}, bare(error.say)


def bare_config(said: Mapping[str, Any]) -> dict[str, str]:
    """A key that is not known here goes along without its value."""
    return {key: TOLD.get(key, lambda _value: "…")(value) for key, value in said.items()}


def _whom(address: str) -> str:
    if address == "localhost" or ip_address(address).is_loopback:
        return "this machine"
    return "everyone" if ip_address(address).is_unspecified else "one network"


TOLD: Mapping[str, Callable[[Any], str]] = {
    "game": str,
    "profile": built_after,
    "address": _whom,
    "port": str,
    "lang": str,
    "demo": str,
}
"""What is told of each key of the config."""


def _last(folder: Path) -> Report | None:
    """The last report of the companion here, as far as it is one."""
    try:
        with (folder / LEFT).open("rb") as file:
            return msgspec.json.decode(file.read(LONGEST), type=Report)
    except UNREAD:
        return None
