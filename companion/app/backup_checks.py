"""Fitting: what came back with a backup is read by those who will use it, before it is used.

Law: a backup that a companion could not start on is refused while the old state is still there.

Contents: what a backup holds that is to be put back, beside what the table has now.

Law: it is told only of a backup that was proven whole; counts and boxes, nobody's name.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from companion.app import settings
from companion.backup import (
    CONFIG,
    DECKS,
    JOURNAL,
    PIN,
    SETUP,
    WIRING,
    Backup,
    MemberCheck,
    RestoreTarget,
    try_restore,
)
from companion.backup.service import BackupContents
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_
from companion.enrol.deck_file import load_deck
from companion.games import RULEBOOKS, make_rulebook
from companion.journal.copy import read_identity
from companion.records.store import require_no_open_game
from companion.setup.steps import SavedSetup
from hardware.errors import HardwareError
from hardware.wiring import parse_profile

MINUTES_LENGTH = len("2026-11-20T18:20")


def describe_backup(backup: Backup, target: RestoreTarget, work_folder: Path) -> BackupContents:
    """Prove it in this empty room, and say what is in it."""
    there = try_restore(backup, target, work_folder) / JOURNAL
    members = backup.manifest.members
    theirs, began = read_identity(there)
    ours, here = read_identity(target.folder / JOURNAL)
    return BackupContents(
        made=backup.manifest.made[:MINUTES_LENGTH].replace("T", " "),
        companion=backup.manifest.companion,
        games=len(theirs),
        boxes=tuple(
            make_rulebook(game).box.title for game in RULEBOOKS if f"{DECKS}/{game}.json" in members
        ),
        pin=PIN in members,
        wiring=WIRING in members,
        config=CONFIG in members,
        foreign=b"" not in (began, here) and began != here,
        goes_on=_has_open_game(there),
        missing=len(ours - theirs),
    )


def _has_open_game(journal: Path) -> bool:
    try:
        require_no_open_game(journal)
    except Malformed:
        return True
    return False


def check_wiring(path: Path) -> None:
    """What was learnt of the wires is a profile."""
    try:
        parse_profile(path.stem, path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise foreign_member_error(path) from None
    except HardwareError as error:
        text = N_("The wiring in this backup cannot be used: {use}")
        raise Malformed(path.name, text, use=error.say) from None


def check_setup(path: Path) -> None:
    """What was chosen can be had here."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=SavedSetup)
    except (ValueError, RecursionError):
        raise foreign_member_error(path) from None
    if found.language not in ("", *LANGUAGES) or found.game not in ("", *RULEBOOKS):
        raise foreign_member_error(path)


def foreign_member_error(path: Path) -> Malformed:
    """What is said of a member that no companion wrote."""
    return Malformed(path.name, N_("{field} in this backup was not written by this companion."))


MEMBER_CHECKS: Mapping[str, MemberCheck] = {
    CONFIG: settings.read_config,
    WIRING: check_wiring,
    SETUP: check_setup,
}
"""By member."""
UNATTENDED_CHECKS: Mapping[str, MemberCheck] = {
    **MEMBER_CHECKS,
    **{
        f"{DECKS}/{game}.json": partial(load_deck, box=make_rulebook(game).box)
        for game in RULEBOOKS
    },
}
"""The same where nobody is at a keyboard: then it must also start by itself on every deck."""
