"""Enrol a deck at a terminal: the deck's file, and the table whose readers sense the stickers.

Laws: a deck is on disk before anything says that a sticker is enrolled, so nothing is lost by
stopping. The lamps are afterwards off.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from companion.app.settings import data_folder, deck_path, file_exists_error, journal_path
from companion.app.setup.simulated_enrolment import SETTLE, SimulatedEnrolment
from companion.backup import finish_restore
from companion.core.deck import MARK_BYTES, Deck
from companion.core.durable_files import not_written, remove_file
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.core.sensor_events import Evidence, Lamp
from companion.enrol import DeckCheck, Walk
from companion.enrol.deck_file import load_deck, save_deck
from companion.games import find_game
from companion.journal.schema import require_own_format
from hardware.backends import connect

SEATS = range(1, 7)
STOP = "q"
"""The key that ends an enrolment."""
POLL_INTERVAL = 0.03
"""Seconds between two looks at the readers."""


class EnrolTable(Protocol):
    """A table with readers and lamps, at which stickers are laid as they are asked for."""

    def sense(self) -> Sequence[Evidence]: ...

    def light(self, seat: int, lamp: Lamp, /) -> None: ...

    def settle(self) -> None:
        """Wait until every reader has looked at what lies there from before."""
        ...

    def wait_for_move(self, state: Walk | DeckCheck) -> bool:
        """Wait for the next move; return False once none will come."""
        ...

    def close(self) -> None: ...


class WiredTable:
    """The table that is wired to this machine, with a person at it."""

    def __init__(self, profile: str) -> None:
        self._senses, self._lamps = connect("pi", profile)
        self.sense, self.light = self._senses.sense, self._lamps.light

    def settle(self) -> None:
        time.sleep(SETTLE)

    def wait_for_move(self, _state: Walk | DeckCheck) -> bool:
        time.sleep(POLL_INTERVAL)
        return True

    def close(self) -> None:
        self._senses.close()


@contextmanager
def open_enrol_table(
    profile: str, holds: Mapping[str, int], *, simulated: bool
) -> Iterator[EnrolTable]:
    """Open the wired or a simulated table; switch its lamps off and close it at the end."""
    table: EnrolTable = SimulatedEnrolment(profile, holds) if simulated else WiredTable(profile)
    try:
        yield table
    finally:
        for seat in SEATS:
            table.light(seat, "off")
        table.close()


S = TypeVar("S", Walk, DeckCheck)
StepResult = tuple[S, Message | None]


class EnrolSteps(NamedTuple, Generic[S]):
    """How readings and keys lead from one state to the next, and where each new state is told."""

    take_evidence: Callable[[S, Evidence], StepResult[S]]
    by_key: Mapping[str, Callable[[S], StepResult[S]]]
    tell: Callable[[S, Message | None], None]


def attend_table(
    state: S, table: EnrolTable, steps: EnrolSteps[S], read_keys: Callable[[], str]
) -> S:
    """Handle evidence and keys, and set the lamps, until the state is done or STOP is pressed."""
    while not state.done:
        for evidence in table.sense():
            state, said = steps.take_evidence(state, evidence)
            steps.tell(state, said)
            if state.done:
                return state
        for key in read_keys():
            if key == STOP:
                return state
            if key in steps.by_key:
                state, said = steps.by_key[key](state)
                steps.tell(state, said)
        for seat in SEATS:
            table.light(seat, state.lamp)
        if not table.wait_for_move(state):
            return state
    return state


class DeckStore:
    """The deck of one game in its file; without a path nothing is kept."""

    def __init__(self, game: str, path: Path | None) -> None:
        self.game, self.path = game, path
        self.box = find_game(game).standard_box()
        self._saved = Deck({})

    @property
    def required_path(self) -> Path:
        """The path; Malformed where the deck is kept nowhere."""
        if self.path is None:
            raise Malformed("--sim", N_("{field} keeps no deck; name a file with --deck."))
        return self.path

    def load_or_create(self) -> Deck:
        """Load the deck, or create an empty one with a salt of its own."""
        if self.path is not None and self.path.exists():
            deck = load_deck(self.path, self.box)
        else:
            deck = Deck({}, secrets.token_hex(MARK_BYTES))
        self._saved = deck
        return deck

    def load_existing(self) -> Deck:
        """Load the deck; Malformed if there is none."""
        path = self.required_path
        if not path.exists():
            raise self._missing_error(path)
        return load_deck(path, self.box)

    def require_piece(self, piece: str) -> None:
        """Raise Malformed unless this piece of the box is enrolled."""
        enrolled = {*self.load_existing().things.values()}
        if piece not in enrolled:
            known = ", ".join(thing for thing in self.box.tagged_pieces() if thing in enrolled)
            text = N_("{field} names no enrolled piece of this box; they are {options}.")
            raise Malformed("--replace", text, options=known)

    def save_changes(self, deck: Deck) -> None:
        """Save the deck if it has changed since it was last loaded or saved."""
        if self.path is not None and deck != self._saved:
            save_deck(self.path, deck, self.box, date.today().isoformat())
            self._saved = deck

    def export_deck(self, file: Path) -> None:
        """Copy the deck to a new file."""
        deck = self.load_existing()
        if os.path.lexists(file):
            raise file_exists_error(file)
        save_deck(file, deck, self.box, date.today().isoformat())

    def import_deck(self, file: Path) -> Deck:
        """Take over the deck of a file where there is none yet."""
        deck, path = load_deck(file, self.box), self.required_path
        if path.exists():
            text = N_("{field} exists already; to lose it, type: companion enrol {game} --forget")
            raise Malformed(str(path), text, game=self.game)
        save_deck(path, deck, self.box, date.today().isoformat())
        return deck

    def delete_deck(self) -> Path:
        """Delete the deck's file and return its path."""
        path = self.required_path
        try:
            remove_file(path)
        except FileNotFoundError:
            raise self._missing_error(path) from None
        except OSError as error:
            raise not_written(path, error) from None
        return path

    def _missing_error(self, path: Path) -> Malformed:
        text = N_("{field} does not exist yet; to make it, type: companion enrol {game}")
        return Malformed(str(path), text, game=self.game)


def open_deck_store(
    game: str, deck: Path | None, data: Path | None, *, simulated: bool
) -> DeckStore:
    """Return the store of a named file or of the data folder; a simulated table needs neither."""
    if deck is None and (data or not simulated):
        require_own_format(journal_path(data))
        finish_restore(data or data_folder())
        return DeckStore(game, deck_path(game, data))
    return DeckStore(game, deck)
