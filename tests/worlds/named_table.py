"""A table whose people have names, on a data folder, with clocks that only the test moves."""

import json
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

from companion.core.errors import Refusal
from companion.core.i18n import get_language, seat_keys
from companion.core.table_events import Cleared, Ended
from companion.games.new_game import NewGame
from companion.host.name_keeping import NameKeeping
from companion.seating.names import ClockLook
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.scripted_table import ScriptedTable
from tests.worlds.visitor import UNHURRIED, Visitor
from web.app import create_app
from web.context import AppContext

DAY = 86_400.0
DAYS = 30
"""So long names are kept."""
NAMES = ("Zoë", "Benedikt", "Änne")
"""None could stand in a random token by chance, as "Ben" did."""


class NamedTable(ScriptedTable):
    """One with people, their phones and their names, and the pages."""

    def __init__(self, folder: Path) -> None:
        self.running, self.wall, self.run, self.is_synchronised = 0.0, 1.8e9, "run 1", False
        super().__init__(folder, enrolled=False)

    def switch_on(self) -> None:
        """Begin on the folder as it is."""
        super().switch_on()
        self.names = NameKeeping(self.host, DAYS, self.look)
        self.context = AppContext(
            self.table, self.seats, host=self.host, identity=self.identity, names=self.names
        )
        self.app = create_app(self.context, limits=UNHURRIED)

    def look(self) -> ClockLook:
        """What the clocks of the machine show."""
        return ClockLook(self.run, self.running, self.wall, self.is_synchronised)

    def live(self, days: float) -> None:
        """So many days go by while the machine runs."""
        self.running += days * DAY
        self.wall += days * DAY
        self.names.count_time()

    def guest(self, name: str = "") -> Visitor:
        """Somebody comes with a phone; with a name they wait for a seat."""
        visitor = Visitor(self.app)
        visitor.get("/")
        if name:
            assert visitor.post("/api/join/guests", name=name).status_code < 400
        return visitor

    def seat(self, seat: int, name: str) -> Visitor:
        """Somebody comes with a phone and sits down."""
        visitor = self.guest(name)
        assert self.seats.handle_press(seat)
        return visitor

    def play(self, *players: str) -> str:
        """Play a game to its end, if only a short one; return its id."""
        id = self.begin(*players)
        assert self.request(Ended("agreed")) is None
        return id

    def begin(self, *players: str) -> str:
        """Begin a game; return its id."""
        refused = self.host.begin_game(NewGame("bankueberfall", players, first=1))
        assert refused is None
        return str(self.journal.newest_game())

    def clear(self) -> None:
        """Put the game away."""
        assert self.request(Cleared()) is None

    def request(self, event: Any) -> Refusal | None:
        return self.table.request(event, HOST_AUTHOR)

    def shown(self) -> tuple[str, ...]:
        """The players as the table screen names them."""
        words = get_language("en").with_names(self.context.shown_names(True))
        return tuple(words.name_player(key) for key in seat_keys(self.table.seats))

    def bytes_on_disk(self) -> bytes:
        """Every byte of every file in the folder."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return b"\n".join(path.read_bytes() for path in files)

    def holds(self, name: str) -> bool:
        """Whether a name, as any form spells it, is in any byte, also within a backup."""
        data = self.bytes_on_disk() + self._unpack_backups()
        return any(form in data for form in spellings(name))

    def _unpack_backups(self) -> bytes:
        unpacked = []
        for path in (self.folder / "backups").glob("*.zip"):
            with zipfile.ZipFile(path) as backup:
                unpacked += [backup.read(name) for name in backup.namelist()]
        return b"".join(unpacked)


def spellings(name: str) -> set[bytes]:
    """Return the bytes as which a file may hold a name."""
    forms = {name, *(unicodedata.normalize(form, name) for form in ("NFC", "NFD", "NFKC", "NFKD"))}
    escaped = {json.dumps(form, ensure_ascii=plain)[1:-1] for form in forms for plain in (0, 1)}
    texts = {*forms, *escaped, *(form.casefold() for form in forms)}
    return {text.encode(code) for text in texts for code in ("utf-8", "utf-16-le", "utf-16-be")}
