"""What a floor knows of its tables: one tile a table, the newest state counts.

Laws: a tile has the age of what it shows, counted here from its arrival, because a table has no
clock. What the broker had kept is of unknown age until the table itself speaks; what is old, or of
unknown age, is never shown as well. A table that left stays until it is forgotten. Nothing that a
table sends is believed beyond its own tile. Where several ears hear a table, the first one counts
for as long as it hears it: so two ways to a table do not contradict each other, and no one takes a
tile over while its table is there.
"""

import re
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from companion.floor.table_on_floor import LONGEST
from companion.floor.table_state import TableState

FRESH = 22.0
"""Seconds after which a state is old: two of the table's signs of life did not come."""
MOST_TABLES = 2000
MOST_BYTES = 4096
LARGEST = 10**9
"""No number of a state is larger."""
HOST = re.compile(r"(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?")
ID = re.compile(r"[0-9a-f]{12}")
Look = Literal["call", "judge", "gone", "old", "red", "amber", "playing", "free"]
_decode = msgspec.json.Decoder(TableState).decode
replace = msgspec.structs.replace


class Tile(msgspec.Struct, frozen=True):
    """A table as the floor knows it; `heard` is when, None if that is unknown."""

    table: str
    state: TableState
    is_online: bool = False
    heard: float | None = None
    ear: str = ""
    """Which ear heard it last."""


class RoomSpot(msgspec.Struct, frozen=True):
    """Where a table stands in the plan of the room: both from 0 to 1, from the upper left."""

    x: float
    y: float


class FloorTiles:
    """The tiles of a floor; every method is called on one thread."""

    def __init__(
        self,
        clock: Callable[[], float],
        kept: Iterable[tuple[str, TableState]] = (),
        on_change: Callable[[str], None] = lambda _table: None,
    ) -> None:
        self._clock, self.on_change = clock, on_change
        self._tiles = {table: Tile(table, state) for table, state in kept}
        self.spots: dict[str, RoomSpot] = {}
        """Where the tables stand that were moved in the plan of the room."""

    def __getitem__(self, table: str) -> Tile:
        return self._tiles[table]

    def __contains__(self, table: object) -> bool:
        return table in self._tiles

    def is_heard_elsewhere(self, table: str, ear: str) -> bool:
        """Return whether another ear than this one hears a table now."""
        tile = self._tiles.get(table)
        if tile is None or tile.ear == ear or not tile.is_online:
            return False
        age = self.age_of(tile)
        return age is not None and age <= FRESH

    def hear_state(
        self, table: str, payload: bytes, *, is_kept: bool = False, ear: str = ""
    ) -> bool:
        """Take the state that a table sent, or that the broker had kept; return whether it counts.

        An empty one means that the table was forgotten.
        """
        if not payload:
            return self.forget_table(table)
        state = parse_state(payload)
        if state is None or (table not in self._tiles and len(self._tiles) >= MOST_TABLES):
            return False
        if self.is_heard_elsewhere(table, ear):
            return False
        before = self._tiles.get(table)
        is_online = before is not None and before.is_online
        heard = None if is_kept else self._clock()
        self._tiles[table] = Tile(table, state, is_online or not is_kept, heard, ear)
        self.on_change(table)
        return True

    def note_online(self, table: str, is_online: bool, ear: str = "") -> None:
        """Take that a table is there, or gone, as the broker or a refused connection says."""
        tile = self._tiles.get(table)
        if tile is None or self.is_heard_elsewhere(table, ear):
            return
        if tile.is_online != is_online:
            self._tiles[table] = replace(tile, is_online=is_online, ear=ear)
            self.on_change(table)

    def forget_table(self, table: str) -> bool:
        """Forget a table; return whether there was one."""
        if self._tiles.pop(table, None) is None:
            return False
        self.spots.pop(table, None)
        self.on_change(table)
        return True

    def move_table(self, table: str, spot: RoomSpot) -> None:
        """Move a table in the plan of the room."""
        self.spots[table] = spot
        self.on_change(table)

    def list_tiles(self) -> list[Tile]:
        """Return all tiles: those with a call first, the oldest call before, then by name."""
        return sorted(self._tiles.values(), key=self.order_of)

    def order_of(self, tile: Tile) -> tuple[bool, int, str, str]:
        """Return by what a tile is sorted."""
        call = tile.state.call
        age = -(call.seconds + int(self.age_of(tile) or 0)) if call else 0
        return call is None, age, sortable_name(tile.state.name), tile.table

    def age_of(self, tile: Tile) -> float | None:
        """Return for how many seconds nothing was heard of a table; None if that is unknown."""
        return None if tile.heard is None else self._clock() - tile.heard

    def look_of(self, tile: Tile) -> Look:
        """Return how a tile looks, the most urgent first."""
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
    """Return a name by which “Table 9” comes before “Table 10”."""
    words = name.casefold().split()
    return " ".join(word.zfill(6) if word.isdecimal() else word for word in words)


def parse_state(payload: bytes) -> TableState | None:
    """Return the state that was sent; None if it is too large or none."""
    if len(payload) > MOST_BYTES:
        return None
    try:
        state = _decode(payload)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    is_sound = all(
        text.isprintable() and len(text) <= 2 * LONGEST
        for text in (state.name, state.place, state.game, state.phase, state.companion)
    )
    is_sound = is_sound and (not state.table or ID.fullmatch(state.table) is not None)
    if not (is_sound and state.name) or not _has_sound_numbers(state):
        return None
    return state if is_page(state.address) else replace(state, address="")


def _has_sound_numbers(state: TableState) -> bool:
    call = state.call
    told = () if call is None else (call.number, call.seat, call.seconds)
    numbers = (state.version, state.players, state.seconds, *state.waiting, *told)
    return len(state.waiting) <= 99 and min(numbers) >= 0 and max(numbers) <= LARGEST


def is_page(address: str) -> bool:
    """Check that an address that a table sent leads to a page, and to nothing else."""
    if len(address) >= 200 or not address.isascii() or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        if "[" in parts.netloc:
            IPv6Address(host)
    except ValueError:
        return False
    is_host = ":" in host or HOST.fullmatch(host) is not None
    has_login = "@" in parts.netloc or " " in address
    return parts.scheme == "http" and is_host and port != 0 and not has_login
