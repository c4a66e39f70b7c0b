"""The shelf: every box there is, and what the decks in a data folder know of it.

Law: a deck is read again only when its file is another one, because somebody looks every two
seconds; one that cannot be read is as if it were not there.
"""

from pathlib import Path

from companion.app.places import deck_path
from companion.core.errors import Malformed
from companion.enrol.deck_file import load, made
from companion.games import RULEBOOKS, rulebook
from companion.games.rulebook import Rulebook
from companion.host.health import BoxHealth

Mark = tuple[int, int] | None
"""By which a file that was written anew is told from the one before."""


class Shelf:
    """The boxes, by the decks in this folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[Mark, BoxHealth]] = {}

    def boxes(self) -> tuple[BoxHealth, ...]:
        """What is known of every box."""
        return tuple(self._box(game, rulebook(game)) for game in RULEBOOKS)

    def _box(self, game: str, rules: Rulebook) -> BoxHealth:
        path = deck_path(game, self._folder)
        mark, known = _mark(path), self._known.get(game)
        if known is None or known[0] != mark:
            known = self._known[game] = (mark, _read(path, rules))
        return known[1]


def _read(path: Path, rules: Rulebook) -> BoxHealth:
    box, stickers, when = rules.box, 0, ""
    try:
        if path.exists():
            stickers, when = len(load(path, box).things), made(path)
    except (Malformed, OSError):
        stickers, when = 0, ""
    return BoxHealth(box.game, box.title, when, stickers, sum(box.tagged().values()))


def _mark(file: Path) -> Mark:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino
