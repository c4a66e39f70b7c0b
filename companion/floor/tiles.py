"""The tiles of a floor: one a table, the newest state counts.

Laws: a tile has the age of what it shows, counted here from its arrival, because a table has no
clock. What the broker had kept is of unknown age until the table itself speaks; what is old, or of
unknown age, is never shown as well. A table that left stays until the broker forgets it. Nothing
that a table sends is believed beyond its own tile.
"""

import re
from collections.abc import Callable
from typing import Literal

import msgspec

from companion.floor.table_state import FRESH, TableState
from companion.host.settings import LONGEST

MOST_TABLES, MOST_BYTES = 500, 4096
PAGE = re.compile(r"http://([A-Za-z0-9.\-]{1,200}|\[[0-9a-fA-F:]{2,40}\])(:[0-9]{1,5})?/")
"""Addresses that a table may send: they become links."""
Look = Literal["call", "judge", "gone", "old", "red", "amber", "playing", "free"]
_decode = msgspec.json.Decoder(TableState).decode


class Tile(msgspec.Struct, frozen=True):
    """A table as the floor knows it; `heard` is when, None if that is unknown."""

    table: str
    state: TableState
    is_online: bool
    heard: float | None


class FloorTiles:
    """The tiles of a floor; every method is called on one thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._states: dict[str, tuple[TableState, float | None]] = {}
        self._online: dict[str, bool] = {}

    def hear_state(self, table: str, payload: bytes, is_kept: bool) -> None:
        """Take the state that a table sent, or that the broker had kept; an empty one means that
        the table is on the floor no more, and one that cannot be read is left out."""
        if not payload:
            self._states.pop(table, None)
            return
        state = parse_state(payload)
        if state is None or (table not in self._states and len(self._states) >= MOST_TABLES):
            return
        self._states[table] = state, None if is_kept else self._clock()
        if not is_kept:
            self._online[table] = True

    def hear_online(self, table: str, is_online: bool) -> None:
        """Note the broker's word on a table: online or gone."""
        if table in self._online or len(self._online) < MOST_TABLES:
            self._online[table] = is_online

    def list_tiles(self) -> list[Tile]:
        """Return all tiles: those with a call first, the oldest call before, then by name."""
        tiles = [
            Tile(table, state, self._online.get(table, False), heard)
            for table, (state, heard) in self._states.items()
        ]
        return sorted(tiles, key=self._order_of)

    def _order_of(self, tile: Tile) -> tuple[bool, float, str, str]:
        call = tile.state.call
        age = call.seconds + (self.age_of(tile) or 0) if call else 0
        return call is None, -age, sortable_name(tile.state.name), tile.table

    def age_of(self, tile: Tile) -> float | None:
        """Return the seconds since a table was last heard; None if that is unknown."""
        return None if tile.heard is None else self._clock() - tile.heard

    def look_of(self, tile: Tile) -> Look:
        """Return the look of a tile, the most urgent first."""
        state, age = tile.state, self.age_of(tile)
        if state.call is not None:
            return "call"
        if not tile.is_online:
            return "gone"
        if age is None or age > FRESH:
            return "old"
        if state.stopped == "frozen":
            return "judge"
        if state.light != "green":
            return state.light
        return "playing" if state.is_playing else "free"


def sortable_name(name: str) -> str:
    """Return a key that sorts “Table 9” before “Table 10”."""
    words = name.casefold().split()
    return " ".join(word.zfill(6) if word.isdecimal() else word for word in words)


def parse_state(payload: bytes) -> TableState | None:
    """Return the state that was sent; None if it is too large or none."""
    try:
        state = _decode(payload) if len(payload) <= MOST_BYTES else None
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return None
    if state is None or not state.name:
        return None
    texts = (state.name, state.place, state.game, state.phase)
    if not all(text.isprintable() and len(text) <= 2 * LONGEST for text in texts):
        return None
    return state if PAGE.fullmatch(state.address) else msgspec.structs.replace(state, address="")
