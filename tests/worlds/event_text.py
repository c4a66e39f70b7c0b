"""Events as lines of text, as golden games and stories write them: card_placed seat=2 bank=3
card="5"."""

import json
import re
from typing import Any

import msgspec

from companion.core.events import Event, EventTypes, from_fields

NAME = re.compile(r" ([a-z_]+)=")


def to_text(event: Event) -> str:
    """Write an event as one line: its name, then its fields."""
    fields = msgspec.to_builtins(event)
    name = fields.pop("event")
    return " ".join([name, *(f"{field}={_spell(value)}" for field, value in fields.items())])


def _spell(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_text(line: str, event_type: EventTypes) -> Event:
    """Read an event from its line."""
    name, at = line.partition(" ")[0], len(line.partition(" ")[0])
    fields: dict[str, Any] = {"event": name}
    while field := NAME.match(line, at):
        fields[field[1]], at = json.JSONDecoder().raw_decode(line, field.end())
    assert at == len(line), f"{line[at:]} is not of the form field=value."
    return from_fields(fields, event_type)
