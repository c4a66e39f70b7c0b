"""The room of a simulated table: the readers, and files in which the room outlives the program.

Law: a table and the phones do not vanish when the Pi loses its power. What people hold, what lies
where and what a phone keeps of a closed hand is remembered whole, or as it was before.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.app.state_files import write_private_file
from hardware.clock import Clock
from hardware.simulator.hands_on_table import Tabletop
from hardware.wiring import DEFAULT, Wiring


class SimulatedRoom:
    """What stands in the room besides the Pi: a simulated table, and the folder that remembers it,
    with each of the boxes for itself."""

    def __init__(
        self, wiring: str | Wiring = DEFAULT, clock: Clock = time, memory: Path | None = None
    ) -> None:
        self.top = Tabletop(wiring, clock)
        self._memory = memory

    def _file(self, game: str) -> Path | None:
        """Where the room with the box of this game in it is remembered."""
        return self._memory and self._memory / f"simulated-{game}.json"

    def recall_table(self, game: str) -> dict[str, Any] | None:
        """What the room was like when it was last remembered, with the box of this game in it."""
        file = self._file(game)
        if file is None or not file.exists():
            return None
        try:
            found: dict[str, Any] = json.loads(file.read_text("utf-8"))
            return found if found["game"] == game else None
        except (ValueError, LookupError, TypeError):
            return None

    def save_table(self, what: Mapping[str, Any]) -> None:
        """Remember the room as it is, all of it or nothing new; nobody else may read it."""
        file = self._file(what["game"])
        if file is not None:
            with suppress(OSError):  # A full disk stops nobody who plays.
                write_private_file(file, json.dumps(what).encode())
