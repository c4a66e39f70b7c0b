"""The floor of many tables: the document each table publishes, and the floor's picture of them.

A table publishes one small document, the newest of which counts, its topics at a broker, and its
discovery by Home Assistant. Laws: it holds no name of a person, no card, no bid and no pass: it is
made of the public view alone, and from that of numbers and words of the rules, when it is asked
for, never while the table writes. A table has no clock: it tells how long ago something was, never
when. A topic has the random id of the table in it, and no name. A table without a name is on no
floor: nothing is offered to its guests, and it tells nothing. There is at most one call, the
newest: an answer that was meant for an older call leaves a newer one as it is. All documents are
retained; the broker itself says that a table is gone, by its will. A table reads nothing from the
broker.

A tile of the floor has the age of what it shows, counted here from its arrival. What the broker had
kept is of unknown age until the table itself speaks; what is old, or of unknown age, is never shown
as well. A table that left stays until the broker forgets it. Nothing that a table sends is believed
beyond its own tile.
"""

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from companion import __version__
from companion.core.errors import JsonObject
from companion.host.health import Colour, Light
from companion.host.settings import LONGEST, TableSettings
from companion.host.status import WORST_FIRST
from companion.table.table import Table
from companion.table.view import View

Stop = Literal["", "paused", "frozen", "ended"]


class CalledStaff(msgspec.Struct, frozen=True):
    """A call as the floor is told of it: its number, its seat (0: the table screen), its age."""

    number: int
    seat: int
    seconds: int


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a table, as it is published and read."""

    name: str = ""
    place: str = ""
    game: str = ""
    """The title of the box of the game that is under way."""
    phase: str = ""
    players: int = 0
    waiting: tuple[int, ...] = ()
    """The seats that the game waits for."""
    stopped: Stop = ""
    seconds: int = 0
    """The time since this program first saw this game on the table."""
    call: CalledStaff | None = None
    light: Colour = "green"
    ill: str = ""
    """The name of the light that has this colour, if it is not green."""
    companion: str = ""
    address: str = ""
    """Address of the pages of the table."""

    @property
    def is_playing(self) -> bool:
        """Return whether a game is under way."""
        return bool(self.game) and self.phase != "over" and self.stopped != "ended"

    def without_ages(self) -> "TableState":
        """Return the state as it is compared: time alone is no change."""
        call = self.call and msgspec.structs.replace(self.call, seconds=0)
        return msgspec.structs.replace(self, seconds=0, call=call)


def describe_game(view: View | None, title: str) -> TableState:
    """Return the state of a table by the public view of its game; None before the first one."""
    if view is None:
        return TableState()
    public, status = view.public, view.table
    is_still = status.is_stopped or public.phase == "over"
    stops: dict[Stop, object] = {
        "ended": status.ended, "frozen": status.frozen, "paused": status.paused
    }  # fmt: skip
    return TableState(
        game=title,
        phase=public.phase,
        players=len(public.seats),
        waiting=() if is_still else tuple(public.waiting),
        stopped=next((stop for stop, is_on in stops.items() if is_on), ""),
    )


# Topics, and the description for Home Assistant.

ONLINE, GONE = b"1", b"0"
HEARTBEAT = 10.0
"""Seconds after which a table tells its state again, although nothing changed."""
FRESH = 22.0
"""Seconds after which a state is old: two heartbeats did not come."""
ALL_TABLES = ("companion/+/online", "companion/+/state")
"""Topics that a floor subscribes to."""
TOPIC = re.compile(r"companion/(?P<id>[0-9a-f]{12})/(?P<part>online|state)")


def online_topic(table: str) -> str:
    return f"companion/{table}/online"


def state_topic(table: str) -> str:
    return f"companion/{table}/state"


def discovery_topic(table: str) -> str:
    return f"homeassistant/device/companion_{table}/config"


def discovery_document(table: str, state: TableState) -> JsonObject:
    """Return the table's description for Home Assistant: one device that can only be read."""
    device: JsonObject = {
        "identifiers": [f"companion_{table}"],
        "name": state.name,
        "suggested_area": state.place,
        "manufacturer": "Table companion",
        "model": "Card table",
        "sw_version": state.companion,
    }
    if state.address:
        device["configuration_url"] = state.address
    is_playing = "value_json.game and value_json.phase != 'over' and value_json.stopped != 'ended'"
    binary: dict[str, tuple[str, str, JsonObject]] = {
        "staff": ("Staff please", "value_json.call", {"icon": "mdi:bell-ring"}),
        "judge": ("Judge called", "value_json.stopped == 'frozen'", {"icon": "mdi:gavel"}),
        "problem": ("Problem", "value_json.light != 'green'", {"device_class": "problem"}),
        "playing": ("Game under way", is_playing, {"device_class": "running"}),
    }
    components: JsonObject = {
        part: {
            "platform": "binary_sensor",
            "unique_id": f"companion_{table}_{part}",
            "name": name,
            "value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}",
            "expire_after": int(FRESH),
            **more,
        }
        for part, (name, condition, more) in binary.items()
    }
    components["game"] = {
        "platform": "sensor",
        "unique_id": f"companion_{table}_game",
        "name": "Game",
        "value_template": "{{ value_json.game }}",
        "expire_after": int(FRESH),
        "icon": "mdi:cards-playing-outline",
    }
    return {
        "device": device,
        "origin": {"name": "Table companion", "sw_version": state.companion},
        "state_topic": state_topic(table),
        "availability_topic": online_topic(table),
        "payload_available": ONLINE.decode(),
        "payload_not_available": GONE.decode(),
        "components": components,
    }


class StaffCall(msgspec.Struct, frozen=True):
    """A call for staff: its number since this program began, its seat (0: the table screen), and
    when it was made. It says no name."""

    number: int
    seat: int
    begun: float


class StaffCalls:
    """The call of one table; pages use it from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._made = 0
        self.current: StaffCall | None = None

    def call(self, seat: int) -> StaffCall:
        """Call staff to this seat; the call replaces an older one."""
        with self._lock:
            self._made += 1
            self.current = StaffCall(self._made, seat, self._clock())
            return self.current

    def answer(self, number: int = 0) -> bool:
        """End the call of this number, or with 0 any; return whether there was one."""
        with self._lock:
            current = self.current
            if current is None or number not in (0, current.number):
                return False
            self.current = None
            return True


class TableOnFloor:
    """A table as the floor knows it, by its settings."""

    def __init__(
        self,
        settings: TableSettings,
        lights: Callable[[], Iterable[Light]] = tuple,
        addresses: Callable[[], Sequence[str]] = tuple,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._settings, self.calls = settings, StaffCalls(clock)
        self._lights, self._addresses, self._clock = lights, addresses, clock
        self._game, self._since = "", clock()

    def read_state(self, table: Table) -> TableState:
        """Return the state of this table as it is now."""
        view, now = table.view(), self._clock()
        game = view.public.id if view is not None else ""
        if game != self._game:
            self._game, self._since = game, now
        call = self.calls.current
        worst = min(self._lights(), key=lambda one: WORST_FIRST.index(one.colour), default=None)
        return msgspec.structs.replace(
            describe_game(view, table.rules.box.title),
            name=self._settings.place.name,
            place=self._settings.place.place,
            seconds=int(now - self._since) if view is not None else 0,
            call=call and CalledStaff(call.number, call.seat, int(now - call.begun)),
            light=worst.colour if worst else "green",
            ill=worst.name if worst and worst.colour != "green" else "",
            companion=__version__,
            address=next(iter(self._addresses()), ""),
        )


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
        the table is no longer on the floor, and one that cannot be read is left out."""
        if not payload:
            self._states.pop(table, None)
            self._online.pop(table, None)
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
    texts = (state.name, state.place, state.game, state.phase, state.ill)
    if not all(text.isprintable() and len(text) <= 2 * LONGEST for text in texts):
        return None
    return state if PAGE.fullmatch(state.address) else msgspec.structs.replace(state, address="")
