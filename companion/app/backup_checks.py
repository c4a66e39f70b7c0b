"""The backups of a running table, and the check of their members as their users read them.

Law: a backup that a companion could not start on is refused while the old state is still in place.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from companion.app.data_folder import DataFolder
from companion.app.settings import config_path
from companion.backup.archive import DECKS, SETUP, WIRING, MemberCheck
from companion.backup.service import Backups, TableFolder
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_
from companion.games import game_names, make_rulebook
from companion.setup.deck_file import load_deck
from companion.setup.steps import SavedSetup
from companion.table.table import Table
from hardware.errors import HardwareError
from hardware.wiring import parse_profile


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
BOX_TITLES = {f"{DECKS}/{game}.json": make_rulebook(game).box.title for game in game_names()}
"""By member name of a deck: the title of its box."""


def open_backups(folder: DataFolder, table: Table, restart: Callable[[], object]) -> Backups:
    """Return the backups of a table; `restart` restarts the companion on a restored folder."""
    kept = TableFolder(folder.path, config_path(folder.path), UNATTENDED_CHECKS, BOX_TITLES)
    is_idle = lambda: table.history.is_over  # noqa: E731
    return Backups(kept, is_idle, table.notify_watchers, folder.restored, restart)
