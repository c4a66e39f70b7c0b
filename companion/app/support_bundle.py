"""Make the support bundle without a running companion: read the disk, open no wire.

Laws: the journal is only read, nothing is repaired. A value of the config goes along only where it
is known to name no person and no place.
"""

import platform
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__
from companion.app import settings
from companion.app.health_monitor import REPORT_FILE, public_profile_name
from companion.app.physical_table import BoxShelf
from companion.app.state_files import UNREADABLE
from companion.core.errors import Malformed
from companion.core.i18n import Message
from companion.host.health import TableHealth, merge_pi_status
from companion.host.report import (
    HealthReport,
    MachineSummary,
    build_report,
    pack_bundle,
    strip_facts,
)
from companion.journal import Journal, JournalFailed
from companion.journal.errors import JournalHealth
from companion.journal.lock import is_locked
from hardware import pi_temperature
from hardware.errors import HardwareError

SEEN = ("power", "heat", "disk", "clock", "journal")
"""The status checks that need no wire."""
MAX_REPORT_SIZE = 1_000_000
"""Bytes read of the last report that a companion left; it never leaves that much."""


def make_bundle(folder: Path, config: Path | None) -> bytes:
    """Pack a fresh report, the facts of this machine and the last report left in the folder."""
    machine = _describe_machine(folder, config)
    return pack_bundle(_make_report(folder), None, machine, _read_last_report(folder))


def _make_report(folder: Path) -> HealthReport:
    """Report what disk and board tell without any wire."""
    journal, trouble = _check_journal(folder)
    now = pi_temperature.read_pi_status()
    full = build_report(
        TableHealth(
            companion=__version__,
            python=platform.python_version(),
            wiring="",
            simulated=False,
            readers=(),
            boxes=BoxShelf(folder).read_boxes(),
            journal=journal,
            trouble=trouble,
            uptime=0.0,
            clock=time.time(),
            clock_set_back=False,
            board=merge_pi_status(now, now),
        )
    )
    seen = {name: colour for name, colour in full.lights.items() if name in SEEN}
    return msgspec.structs.replace(full, lights=seen)


def _check_journal(folder: Path) -> tuple[JournalHealth, tuple[Message, ...]]:
    """Verify every line of the journal; return its health and its faults."""
    try:
        with closing(Journal(settings.journal_path(folder), read_only=True)) as journal:
            return journal.health(time.time()), tuple(journal.notices)
    except (Malformed, JournalFailed) as error:
        return JournalHealth(0, 0, 0, False, None, None), (error.say,)


def _describe_machine(folder: Path, config: Path | None) -> MachineSummary:
    options, trouble = _read_config(config)
    return MachineSummary(
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        running=is_locked(settings.journal_path(folder)),
        backups=sum(1 for _ in (folder / "backups").glob("*.zip")),
        config=options,
        config_trouble=trouble,
    )


def _read_config(file: Path | None) -> tuple[dict[str, str], str]:
    """Return the redacted options of the config, and the reason where it cannot be read."""
    if file is None:
        return {}, ""
    try:
        return redact_config(settings.read_config(file)), ""
    except (Malformed, HardwareError) as error:
        return {}, strip_facts(error.say)


def redact_config(options: Mapping[str, object]) -> dict[str, str]:
    """Replace values that may be a path or an address; of an unknown key keep only the name."""
    return {key: REDACTED.get(key, lambda _value: "…")(value) for key, value in options.items()}


def _describe_address(address: str) -> str:
    if address == "localhost" or ip_address(address).is_loopback:
        return "this machine"
    return "everyone" if ip_address(address).is_unspecified else "one network"


REDACTED: Mapping[str, Callable[[Any], str]] = {
    "game": str,
    "profile": public_profile_name,
    "address": _describe_address,
    "port": str,
    "lang": str,
    "demo": str,
}
"""By config key: the value as it may be handed on."""


def _read_last_report(folder: Path) -> HealthReport | None:
    """Read the last report of the companion here; None where there is no valid one."""
    try:
        with (folder / REPORT_FILE).open("rb") as file:
            return msgspec.json.decode(file.read(MAX_REPORT_SIZE), type=HealthReport)
    except UNREADABLE:
        return None
