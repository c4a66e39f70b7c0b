"""The names of players, kept apart from the journal: one small file for each game.

Laws: the journal, its records and its backups hold pseudonyms; this folder is the only key to them,
and no backup contains it. A name is on disk here before its game is in the journal, and what was
removed is overwritten first and gone from the disk when this returns. What cannot be read counts as
erased. A file says after how many hours of the table it was written, never a date.
"""

import hashlib
import os
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.core.durable_files import make_folder, remove_file, write_file
from companion.core.events import Event, Started
from companion.core.pseudonyms import hide_names, pseudonym
from companion.journal.line import NotedEvent

FOLDER = "names"
SUFFIX = ".game.json"
UNREADABLE = (OSError, ValueError, msgspec.MsgspecError, RecursionError)
"""The exceptions of reading a file that is missing or damaged."""


class KeptNames(msgspec.Struct, frozen=True):
    """What is kept of one game: the names by seat, "" where one was erased; the phones that gave
    them; and the reasons that people typed, by the number of their moment."""

    id: str
    since: float
    """Hours that the table had counted when the game was played last."""
    names: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    reasons: dict[int, str] = {}


class GameNames:
    """The folder with the names of one journal. Thread-safe.

    Without `keeps_apart` names are only looked up, and new ones stay in the journal.
    """

    def __init__(self, journal: Path, keeps_apart: bool = False) -> None:
        self.folder, self.keeps_apart = journal.with_name(FOLDER), keeps_apart
        self.read_hours: Callable[[], float] = lambda: 0.0
        self.find_phone: Callable[[int], str | None] = lambda _seat: None
        self._lock = threading.RLock()
        if keeps_apart:
            self._remove_unfinished()

    def _remove_unfinished(self) -> None:
        """Remove what was being written when the power went."""
        with suppress(OSError):
            for left in self.folder.glob(".*"):
                _erase_file(left)

    def _find_path(self, id: str) -> Path:
        return self.folder / f"{hashlib.sha256(id.encode()).hexdigest()[:32]}{SUFFIX}"

    def read(self, id: str) -> KeptNames | None:
        """Return what is kept of a game; None if nothing is."""
        return _read_file(self._find_path(id))

    def list_games(self) -> Iterator[KeptNames]:
        """Yield what is kept of every game."""
        with suppress(OSError):
            for path in sorted(self.folder.glob(f"*{SUFFIX}")):
                kept = _read_file(path)
                if kept is not None:
                    yield kept

    def keep_names(self, kept: KeptNames) -> None:
        """Write what is kept of a game; NotWritten or MaybeWritten if that fails."""
        with self._lock:
            make_folder(self.folder)
            write_file(self._find_path(kept.id), msgspec.json.encode(kept))

    def erase_names(self, id: str, seat: int = 0) -> None:
        """Erase what is kept of a game, or only of one seat; the reasons go with any name.

        Raise OSError, NotWritten or MaybeWritten if that fails.
        """
        with self._lock:
            kept, path = self.read(id), self._find_path(id)
            if kept is None or not seat or not any(_blank_seat(kept.names, seat)):
                if path.exists():
                    _erase_file(path)
                return
            names, phones = _blank_seat(kept.names, seat), _blank_seat(kept.phones, seat)
            self.keep_names(replace(kept, names=names, phones=phones, reasons={}))

    # What a table writes.

    def set_apart(self, id: str, noted: Sequence[NotedEvent], moments: int) -> Sequence[NotedEvent]:
        """Keep the names and reasons in these events, and return the events without them; `moments`
        is how many the game has already.

        A moment without a reason may be written where one with a reason could not be: the reason
        that is kept of that one is removed, or it would be given to this one.
        """
        if not any(isinstance(one.event, Started) or _has_reason(one.event) for one in noted):
            return noted
        with self._lock:
            before = kept = self.read(id) or KeptNames(id, self.read_hours())
            for n, (event, _, _) in enumerate(noted, moments + 1):
                kept = self._with_event(kept, n, event)
            if kept != before:
                self.keep_names(kept)
        return [one._replace(event=hide_names(one.event)) for one in noted]

    def _with_event(self, kept: KeptNames, n: int, event: Event) -> KeptNames:
        if isinstance(event, Started):
            seats = range(1, len(event.players) + 1)
            phones = tuple(self.find_phone(seat) or "" for seat in seats)
            return replace(kept, names=event.players, phones=phones, reasons={})
        if not _has_reason(event):
            return kept
        others = {of: reason for of, reason in kept.reasons.items() if of != n}
        reason = str(getattr(event, "reason", ""))
        return replace(kept, reasons=others | ({n: reason} if reason else {}))

    # What others read.

    def give_back(self, id: str, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events of a game with the names and reasons that are kept of it."""
        kept = self.read(id)
        for n, event in enumerate(events, 1):
            yield event if kept is None else _give_back(kept, n, event)

    def name_players(self, id: str, players: tuple[str, ...]) -> tuple[str, ...]:
        """Return the players of a game by name, as far as their names are kept."""
        kept = self.read(id)
        return players if kept is None else _name_players(kept, players)


def _has_reason(event: Event) -> bool:
    """Return whether an event has a field for a reason, which may be empty."""
    return hasattr(event, "reason")


def _give_back(kept: KeptNames, n: int, event: Event) -> Event:
    if isinstance(event, Started):
        return replace(event, players=_name_players(kept, event.players))
    reason = kept.reasons.get(n, "")
    return replace(event, reason=reason) if reason and _has_reason(event) else event


def _name_players(kept: KeptNames, players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of those whose pseudonym this is; of none, where two would be alike."""
    names = kept.names if len(kept.names) == len(players) else ("",) * len(players)
    found = tuple(
        name if name and player == pseudonym(seat) else player
        for seat, (player, name) in enumerate(zip(players, names, strict=True), 1)
    )
    return found if len({*map(_fold_case, found)}) == len(found) else players


def _fold_case(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _blank_seat(values: tuple[str, ...], seat: int) -> tuple[str, ...]:
    return tuple("" if n == seat else value for n, value in enumerate(values, 1))


def _read_file(path: Path) -> KeptNames | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=KeptNames)
    except UNREADABLE:
        return None


def _erase_file(path: Path) -> None:
    """Overwrite a file, then remove it; both are on disk when this returns."""
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())
    remove_file(path)
