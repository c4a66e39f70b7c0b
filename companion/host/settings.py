"""The settings chosen on the pages of a table, on disk and in memory.

Laws: there is one of it in a running companion, through which the pages and the set-up save alike.
A change is made to the newest choices, one after the other, so that two people who choose at the
same moment both get what they chose; and it counts only once it is on disk. Where the options say a
language or a name, that counts before a saved one. The file is readable by the companion's user
alone; one that cannot be read is made again.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec
from msgspec.structs import replace

from companion.core.durable_files import write_file
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_
from companion.setup.steps import SavedSetup

LONGEST = 30
"""Letters and signs of the name of a table, and of its place."""
FILE = "table.json"
UNREADABLE = (OSError, ValueError, msgspec.MsgspecError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


class FloorPlace(msgspec.Struct, frozen=True):
    """The name of a table, and where in the room it stands."""

    name: str = ""
    place: str = ""


NOWHERE = FloorPlace()


def check_place(name: str, place: str) -> FloorPlace:
    """Return both without surplus space; Malformed if one is too long or invisible."""
    return FloorPlace(_clean("name", name), _clean("place", place))


def _clean(field: str, typed: str) -> str:
    text = " ".join(typed.split())
    if len(text) > LONGEST or not text.isprintable():
        raise Malformed(field, N_("Write at most {most} letters and signs."), most=LONGEST)
    return text


def load_choices(folder: Path) -> SavedSetup:
    """Load the choices made at the table of this folder."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=SavedSetup)
    except UNREADABLE:
        return SavedSetup()


class TableSettings:
    """The settings of one table, in memory alone without a folder; change them from any thread."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        language: str | None = None,
        usual_language: str = LANGUAGES[0],
        asks_browser: bool = True,
        place: FloorPlace = NOWHERE,
    ) -> None:
        self._folder, self._lock = folder, Lock()
        self.saved = SavedSetup() if folder is None else load_choices(folder)
        kept = self.saved.language
        self.language = language or (kept if kept in LANGUAGES else usual_language)
        """Language of the table screen, and of a browser that neither chose nor asks for one."""
        self.asks_browser = asks_browser
        """Whether a page is in the language that its browser asks for; the table screen is not."""
        self.is_place_fixed = bool(place.name)
        """Whether the config says the name of the table, so that no page changes it."""
        self.place = place if self.is_place_fixed else FloorPlace(self.saved.name, self.saved.place)
        """The name of the table and its place in the room."""

    def change(
        self,
        change: Callable[[SavedSetup], SavedSetup],
        follow: Callable[[], object] = lambda: None,
    ) -> None:
        """Write this change of the newest choices, then keep it in memory and tell its followers
        before the next change; NotWritten if the disk refuses."""
        with self._lock:
            changed = change(self.saved)
            if self._folder is not None:
                write_file(self._folder / FILE, msgspec.json.encode(changed))
            self.saved = changed
            if not self.is_place_fixed:
                self.place = FloorPlace(changed.name, changed.place)
            follow()

    def set_language(self, language: str) -> None:
        """Choose another language for the table."""

        def speak() -> None:
            self.language = language

        self.change(lambda saved: replace(saved, language=language), speak)
