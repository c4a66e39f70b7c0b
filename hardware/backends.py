"""The two ports behind which all hardware is plugged in: `Senses` and `Lamps`.

Law: the table asks its senses and tells its lamps, and knows nothing else about wires. A new
reader or button is a class behind one of these two ports, and nothing else changes.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from companion.core.i18n import message
from companion.core.sensor_events import Evidence, Lamp, ReaderCondition
from hardware.errors import WiringError, quote_text
from hardware.wiring import Wiring

BACKENDS = {
    "pi": "hardware.pi",
    "sim": "hardware.simulated_table",
}
"""Hardware to plug in, by name: a module whose `connect(wiring)` gives senses and lamps."""


class Senses(Protocol):
    """The source of readings and presses."""

    def sense(self) -> Sequence[Evidence]:
        """Return everything noticed since the last call, oldest first; never waits."""

    def conditions(self) -> Sequence[ReaderCondition]:
        """Return the health of every reader."""

    def stuck_buttons(self) -> Sequence[int]:
        """Return the seats whose button is down and stays down."""

    def steps(self) -> int:
        """Return the number of visits so far; if it stands still, the wires are stuck."""

    def close(self) -> None:
        """Release the wires; nothing is sensed afterwards."""


class Lamps(Protocol):
    """The sink for the lamp of each seat."""

    def light(self, seat: int, lamp: Lamp) -> None:
        """Set the lamp of a seat; no effect if it is so already."""

    def close(self) -> None:
        """Switch every lamp off and release the wires."""


def connect(backend: str, wiring: str | Wiring) -> tuple[Senses, Lamps]:
    """Open the senses and lamps of a backend, for a wiring or the name of a profile."""
    if backend not in BACKENDS:
        text = "There is no hardware called '{backend}'; type one of {options}."
        raise WiringError(message(text, backend=quote_text(backend), options=", ".join(BACKENDS)))
    plugged: tuple[Senses, Lamps] = import_module(BACKENDS[backend]).connect(wiring)
    return plugged
