"""The simulated readers, and the files in which what lies there outlives the program.

Law: a table and its phones do not vanish when the Pi loses its power. What people hold, what lies
where and what a phone keeps of a closed hand is saved whole, or stays as it was before.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core.durable_files import write_file
from companion.core.errors import NotWritten
from hardware.clock import Clock
from hardware.simulator.air.calibration import choose_air
from hardware.simulator.hands_on_table import SimulatedTabletop
from hardware.wiring import DEFAULT, Wiring


class SimulatedRoom:
    """A simulated tabletop, and the folder with one file for each box played on it."""

    def __init__(
        self,
        wiring: str | Wiring = DEFAULT,
        clock: Clock = time,
        memory: Path | None = None,
        air: str = "physics",
        seed: object = 0,
    ) -> None:
        chosen = choose_air(air)
        self.tabletop = SimulatedTabletop(wiring, clock, chosen.air, seed)
        if chosen.host_ns is not None:
            self.tabletop.world.bus.host_ns = chosen.host_ns
        self._memory = memory

    def _memory_file(self, game: str) -> Path | None:
        return self._memory and self._memory / f"simulated-{game}.json"

    def recall_table(self, game: str) -> dict[str, Any] | None:
        """Return the last saved table of this game's box; None if it cannot be read."""
        file = self._memory_file(game)
        if file is None or not file.exists():
            return None
        try:
            found: dict[str, object] = json.loads(file.read_text("utf-8"))
            return found if found["game"] == game else None
        except (ValueError, LookupError, TypeError):
            return None

    def save_table(self, memory: Mapping[str, Any]) -> None:
        """Save this in a private file, whole or not at all."""
        file = self._memory_file(memory["game"])
        if file is not None:
            with suppress(NotWritten):  # A full disk does not stop the game.
                write_file(file, json.dumps(memory).encode())
