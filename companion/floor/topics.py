"""The topics of a table at a broker, and how Home Assistant finds it.

Laws: a topic has the random id of the table in it, and no name. All three documents are retained;
the broker itself says that a table is gone, by its will. Nothing is read from the broker: what is
published can be believed, but nothing at the table follows from it.
"""

import re

from companion.core.json_values import JsonObject
from companion.floor.table_state import TableState

ROOT = "companion"
ONLINE, GONE = b"1", b"0"
ALL_TABLES = (f"{ROOT}/+/online", f"{ROOT}/+/state")
"""What a floor subscribes to."""
TOPIC = re.compile(rf"{ROOT}/(?P<id>[0-9a-f]{{12}})/(?P<part>online|state)")


def online_topic(table: str) -> str:
    return f"{ROOT}/{table}/online"


def state_topic(table: str) -> str:
    return f"{ROOT}/{table}/state"


def discovery_topic(table: str) -> str:
    return f"homeassistant/device/companion_{table}/config"


def discovery_document(table: str, state: TableState) -> JsonObject:
    """Return what Home Assistant is told of this table: one device with four read-only entities."""
    return {
        "device": {
            "identifiers": [f"companion_{table}"],
            "name": state.name,
            "suggested_area": state.place,
            "manufacturer": "Table companion",
            "model": "Card table",
            "sw_version": state.companion,
        },
        "origin": {"name": "Table companion", "sw_version": state.companion},
        "state_topic": state_topic(table),
        "availability_topic": online_topic(table),
        "payload_available": ONLINE.decode(),
        "payload_not_available": GONE.decode(),
        "components": {
            "game": _describe_sensor(table, "game", "Game", "{{ value_json.game }}"),
            "light": _describe_sensor(table, "light", "Light", "{{ value_json.light }}"),
            "judge": _describe_binary(
                table, "judge", "Judge called", "value_json.stopped == 'frozen'"
            ),
            "staff": _describe_binary(table, "staff", "Staff please", "value_json.call"),
        },
    }


def _describe_sensor(table: str, part: str, name: str, template: str) -> JsonObject:
    return {
        "platform": "sensor",
        "unique_id": f"companion_{table}_{part}",
        "name": name,
        "value_template": template,
    }


def _describe_binary(table: str, part: str, name: str, condition: str) -> JsonObject:
    template = f"{{{{ 'ON' if {condition} else 'OFF' }}}}"
    return {**_describe_sensor(table, part, name, template), "platform": "binary_sensor"}
