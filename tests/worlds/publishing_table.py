"""A table that stands still, with a name, a call and a publisher, and what is heard of it."""

import time

import msgspec

from companion.app.floor.publisher import ANEW, HEARTBEAT, TablePublisher
from companion.floor.broker import Broker
from companion.floor.table_on_floor import FloorPlace, TableOnFloor
from companion.floor.table_state import TableState
from tests.worlds.mosquitto import Listener

ID = "0123456789ab"
STATE, ONLINE = f"companion/{ID}/state", f"companion/{ID}/online"
DISCOVERY = f"homeassistant/device/companion_{ID}/config"
LIMIT = 20.0
"""Seconds that hundreds of changes may take at most, on however busy a machine: if each waited for
a broker, they would take many minutes."""


class Standing:
    """A table that stands still, with a name, a call and a publisher."""

    def __init__(
        self,
        broker: Broker,
        name: str = "Table 7",
        *,
        heartbeat: float = HEARTBEAT,
        anew: float = ANEW,
    ) -> None:
        self.on_floor = TableOnFloor(FloorPlace(name, "Window"))
        self.phase = "seal"
        self.drawn: list[str] = []
        self.publisher = TablePublisher(
            broker, ID, self.read_state, self.draw, heartbeat=heartbeat, anew=anew
        )

    def read_state(self) -> TableState:
        call = self.on_floor.calls.current
        told = TableState(name=self.on_floor.place.name, game="Box", phase=self.phase, players=3)
        return msgspec.structs.replace(told, version=1 if call is None else 1 + call.number)

    def draw(self) -> str:
        self.drawn.append("ba9876543210")
        return self.drawn[-1]

    def change(self, phase: str) -> float:
        """Change the phase; return for how long the table was kept by that."""
        self.phase = phase
        begun = time.perf_counter()
        self.publisher.note_change()
        return time.perf_counter() - begun


def told_phase(listener: Listener, topic: str = STATE) -> str:
    told = listener.newest.get(topic, b"")
    return str(msgspec.json.decode(told)["phase"]) if told else ""
