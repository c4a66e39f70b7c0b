"""The room of a simulated table: the readers, and a file in which the room outlives the program.

Law: a table and the phones do not vanish when the Pi loses its power. What people hold, what lies
where and what a phone keeps of a closed hand is remembered whole, or as it was before.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.cli.keeping import keep
from hardware.clock import Clock
from hardware.simulator.tabletop import Tabletop
from hardware.wiring import DEFAULT, Wiring


class Room:
    """What stands in the room besides the Pi: a simulated table, and where it is remembered."""

    def __init__(
        self, wiring: str | Wiring = DEFAULT, pace: Clock = time, memory: Path | None = None
    ) -> None:
        self.top = Tabletop(wiring, pace)
        self._memory = memory

    def recall(self, game: str) -> dict[str, Any] | None:
        """What the room was like when it was last remembered, with the box of this game in it."""
        if self._memory is None or not self._memory.exists():
            return None
        try:
            found: dict[str, Any] = json.loads(self._memory.read_text("utf-8"))
            return found if found["game"] == game else None
        except (ValueError, LookupError, TypeError):
            return None

    def remember(self, what: Mapping[str, Any]) -> None:
        """Remember the room as it is, all of it or nothing new; nobody else may read it."""
        if self._memory is not None:
            with suppress(OSError):  # A full disk stops nobody who plays.
                keep(self._memory, json.dumps(what).encode())
