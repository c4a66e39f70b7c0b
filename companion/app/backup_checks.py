"""Check the members of a backup as their users read them, and summarise its contents.

Laws: a backup that a companion could not start on is refused while the old state is still in place.
Only a verified backup is summarised: counts and boxes, no names.
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
from companion.games import game_names, make_rulebook
from companion.journal.copy import read_identity
from companion.records.store import require_no_open_game
from companion.setup.steps import SavedSetup
from hardware.errors import HardwareError
from hardware.wiring import parse_profile

MINUTES_LENGTH = len("2026-11-20T18:20")


def describe_backup(backup: Backup, target: RestoreTarget, work_folder: Path) -> BackupContents:
    """Verify the backup in this empty work folder; return its contents beside this table's."""
    there = try_restore(backup, target, work_folder) / JOURNAL
    members = backup.manifest.members
    theirs, began = read_identity(there)
    ours, here = read_identity(target.folder / JOURNAL)
    return BackupContents(
        made=backup.manifest.made[:MINUTES_LENGTH].replace("T", " "),
        companion=backup.manifest.companion,
        games=len(theirs),
        boxes=tuple(
            make_rulebook(game).box.title
            for game in game_names()
            if f"{DECKS}/{game}.json" in members
        ),
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
    """Raise Malformed unless the file is a wiring profile."""
    try:
        parse_profile(path.stem, path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise foreign_member_error(path) from None
    except HardwareError as error:
        text = N_("The wiring in this backup cannot be used: {use}")
        raise Malformed(path.name, text, use=error.say) from None


def check_setup(path: Path) -> None:
    """Raise Malformed unless the saved set-up names a language; its box may be missing here."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=SavedSetup)
    except (ValueError, msgspec.MsgspecError, RecursionError):
        raise foreign_member_error(path) from None
    if found.language not in ("", *LANGUAGES) or not found.game.isprintable():
        raise foreign_member_error(path)


def foreign_member_error(path: Path) -> Malformed:
    """Return the Malformed for a member that no companion wrote."""
    return Malformed(path.name, N_("{field} in this backup was not written by this companion."))


MEMBER_CHECKS: Mapping[str, MemberCheck] = {
    CONFIG: settings.read_config,
    WIRING: check_wiring,
    SETUP: check_setup,
}
"""By member name: its check."""
UNATTENDED_CHECKS: Mapping[str, MemberCheck] = {
    **MEMBER_CHECKS,
    **{
        f"{DECKS}/{game}.json": partial(load_deck, box=make_rulebook(game).box)
        for game in game_names()
    },
}
"""The same for a restore from a page, after which the table must start by itself on every deck."""
