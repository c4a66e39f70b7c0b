"""The topics of a table at a broker, and how Home Assistant finds it.

Laws: a topic has the random id of the table in it, and no name. All three documents are retained;
the broker itself says that a table is gone, by its will. A table reads nothing from the broker.
"""

import re

from companion.core.json_values import JsonObject
from companion.floor.table_state import TableState

ONLINE, GONE = b"1", b"0"
HEARTBEAT = 10.0
"""Seconds after which a table tells its state again, although nothing changed."""
FRESH = 22.0
"""Seconds after which a state is old: two of these signs of life did not come."""
ALL_TABLES = ("companion/+/online", "companion/+/state")
"""What a floor subscribes to."""
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
