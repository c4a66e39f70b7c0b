"""Photographs that the owner took of the own booklet: kept on this Pi, each beside one rule.

Laws: they lie in a folder of their own, of which no backup knows. What is kept was stripped of all
that is no picture (`companion.core.jpeg`), is capped in size and number, and is there whole or not
at all. Who may see them, the pages decide.
"""

import re
import secrets
from pathlib import Path
from threading import Lock

from companion.core.durable_files import make_folder, remove_file, write_file
from companion.core.errors import Malformed, Refusal, refusal
from companion.core.jpeg import strip_jpeg
from companion.games import find_game, game_names
from companion.games.rule_texts import SEALING, TABLE

FOLDER = "booklet"
MOST_BYTES = 1 << 20
"""Bytes of one photograph."""
MOST_PHOTOS = 40
"""Photographs of one table: with them the folder stays below 40 MB."""
NAME = re.compile(r"([A-Za-z]+(?:\.[a-z0-9_]+)*)-([0-9a-f]{8})\.jpg")
"""The name of a photograph: the id of its rule, and what makes it the only one of that name."""


def refuse_not_come() -> Refusal:
    """Return that no upload has come."""
    return refusal("no_photo", "T.host", "No photo has come; send it again.")


def refuse_not_there() -> Refusal:
    """Return that there is no photograph of this name."""
    return refusal("no_photo", "T.host", "This photo is not there any more.")


def knows_rule(id: str) -> bool:
    """Return whether a rule of this id stands on the pages of the rules."""
    games = (find_game(game).rules for game in game_names())
    return any(id in each.rules or id in each.rulings for each in games) or id in SEALING | TABLE


class IncomingPhoto:
    """A photograph that is uploaded for a rule; it lies in memory until it is taken or aborted."""

    def __init__(self, photos: "BookletPhotos", rule: str) -> None:
        self.id, self.rule = secrets.token_hex(8), rule
        self.data = bytearray()
        self._photos = photos

    def write(self, chunk: bytes) -> None:
        """Append bytes; of a file that is too large no more than shows that."""
        self.data += chunk[: MOST_BYTES + 1 - len(self.data)]

    def abort_upload(self) -> None:
        """Forget it, unless it was taken."""
        self._photos.forget_upload(self.id)


class BookletPhotos:
    """The photographs of one table, in a folder; one upload comes at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        self._incoming: IncomingPhoto | None = None

    def list_by_rule(self) -> dict[str, list[str]]:
        """Return the names of the photographs of each rule."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._folder.glob("*.jpg")):
            named = NAME.fullmatch(path.name)
            if named is not None:
                found.setdefault(named[1], []).append(path.name)
        return found

    def read(self, name: str) -> bytes | None:
        """Return a photograph; None if there is none of this name."""
        try:
            return (self._folder / name).read_bytes() if NAME.fullmatch(name) else None
        except OSError:
            return None

    def begin_upload(self, name: str) -> IncomingPhoto | None:
        """Begin an upload; the file is named after its rule. None if another one is coming."""
        with self._lock:
            if self._incoming is not None:
                return None
            self._incoming = IncomingPhoto(self, name.removesuffix(".jpg"))
            return self._incoming

    def forget_upload(self, id: str) -> None:
        """Forget an upload that is not wanted any more."""
        with self._lock:
            if self._incoming is not None and self._incoming.id == id:
                self._incoming = None

    def accept_upload(self, id: str) -> Refusal | None:
        """Keep an upload once it has come; NotWritten if it cannot be kept."""
        with self._lock:
            coming = self._incoming
            if coming is None or coming.id != id:
                return refuse_not_come()
            self._incoming = None
            return self._refuse(coming) or self._keep(coming)

    def _refuse(self, coming: IncomingPhoto) -> Refusal | None:
        if not knows_rule(coming.rule):
            return refusal("no_rule", "T.host", "There is no such rule.")
        if len(coming.data) > MOST_BYTES:
            return refusal("too_large", "T.host", "This photo is too large.")
        if sum(map(len, self.list_by_rule().values())) >= MOST_PHOTOS:
            text = "There are {most} photos already: remove one first."
            return refusal("too_many", "T.host", text, most=MOST_PHOTOS)
        return None

    def _keep(self, coming: IncomingPhoto) -> Refusal | None:
        try:
            picture = strip_jpeg(bytes(coming.data))
        except Malformed:
            return refusal("not_a_photo", "T.host", "This is not a photo in JPEG format.")
        make_folder(self._folder)
        write_file(self._folder / f"{coming.rule}-{secrets.token_hex(4)}.jpg", picture)
        return None

    def remove(self, name: str) -> Refusal | None:
        """Delete a photograph; refuse if there is none of this name."""
        with self._lock:
            if self.read(name) is None:
                return refuse_not_there()
            remove_file(self._folder / name)
            return None
