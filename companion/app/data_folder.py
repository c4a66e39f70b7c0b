"""The data folder of a table that runs: everything in it, opened in order and closed in reverse,
and how a backup of it is checked.

Laws: everything that matters is in the data folder. Whatever ends this process, the next one takes
up the same game at the same question, with the same people in the same seats. Whatever the command
line says, only a folder with our mark is ever removed. A backup that a companion could not start on
is refused while the old state is still in place.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec

from companion.app.settings import Options, config_path, journal_path
from companion.backup.archive import DECKS, SETUP, WIRING, MemberCheck
from companion.backup.restore import finish_restore
from companion.backup.service import BackedFolder, Backups
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_
from companion.games import game_names, make_rulebook
from companion.host.settings import TableSettings, check_place
from companion.journal import Journal
from companion.seating.identity import IDENTITY_FILE, IdentityStore
from companion.seating.names import Names
from companion.setup.deck_file import load_deck
from companion.setup.steps import SavedSetup
from companion.table.table import Table
from hardware.errors import HardwareError
from hardware.wiring import parse_profile

TEMPORARY_MARK = ".companion-passing"
"""The mark of a folder that was made for one process."""


class DataFolder:
    """The journal, identities, names and settings of a table."""

    def __init__(self, options: Options) -> None:
        """Open or make everything; Malformed or JournalFailed if that cannot be."""
        self.path = options.folder
        place = check_place(options.name, options.place)
        self.restored = finish_restore(options.folder)
        """Whether a restore was finished at this start."""
        with ExitStack() as opened:
            self.journal = opened.enter_context(closing(Journal(journal_path(options.folder))))
            store = IdentityStore(options.folder / IDENTITY_FILE)
            self.identity = opened.enter_context(closing(store))
            self.names = Names(self.identity.database)
            self.settings = TableSettings(
                options.folder,
                language=options.language,
                usual_language=options.usual_language,
                asks_browser=options.kind == "physical" or options.language is None,
                place=place,
            )
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close everything, the last that was opened first."""
        self._opened.close()


@contextmanager
def open_data_folder(data: Path | None, folder_kind: str | None) -> Iterator[Path]:
    """Yield the folder that was named, or a temporary one that is removed at the end: a new one, or
    that of the process before a restart."""
    is_old_one = folder_kind == "passing" and data is not None and (data / TEMPORARY_MARK).is_file()
    if data is not None and not is_old_one:
        yield data
        return
    folder = data or Path(tempfile.mkdtemp(prefix="companion-"))
    (folder / TEMPORARY_MARK).touch()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# Backups.


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
    kept = BackedFolder(folder.path, config_path(folder.path), UNATTENDED_CHECKS, BOX_TITLES)
    return Backups(
        kept, lambda: table.history.is_over, table.notify_watchers, folder.restored, restart
    )
