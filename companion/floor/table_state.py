"""The state that a table publishes: one small document, the newest of which counts, its topics at
a broker, and its discovery by Home Assistant.

Laws: it holds no name of a person, no card, no bid and no pass: it is made of the public view
alone, and from that of numbers and words of the rules. A table has no clock: it tells how long ago
something was, never when. A topic has the random id of the table in it, and no name. All documents
are retained; the broker itself says that a table is gone, by its will. A table reads nothing from
the broker.
"""

import re
from typing import Literal

import msgspec

from companion.core.errors import JsonObject
from companion.host.health import Colour
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
    """For how long this game has been on the table, as far as this program saw."""
    call: CalledStaff | None = None
    light: Colour = "green"
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
    return TableState(
        game=title,
        phase=public.phase,
        players=len(public.seats),
        waiting=() if is_still else tuple(public.waiting),
        stopped=_find_stop(view),
    )


def _find_stop(view: View) -> Stop:
    status = view.table
    if status.ended:
        return "ended"
    return "frozen" if status.frozen else "paused" if status.paused else ""


# Topics, and the description for Home Assistant.

ONLINE, GONE = b"1", b"0"
HEARTBEAT = 10.0
"""Seconds after which a table tells its state again, although nothing changed."""
FRESH = 22.0
"""Seconds after which a state is old: two of these signs of life did not come."""
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
