"""Hardware backend of a Raspberry Pi: the wires visited in a thread of their own.

Law: a thread, never a process, because the pin library cannot be shared between processes. When
the thread dies of an unexpected error, the next call of `sense` raises it: a table that has gone
deaf must not look like a quiet one.
"""

import os
import tempfile
import threading
import time
from collections.abc import Sequence

from companion.core.sensor_events import Evidence, Lamp, ReaderCondition
from hardware.assembly import IDLE, Hardware, assemble_hardware
from hardware.wiring import DEFAULT, Wiring, load_profile


class BackgroundHardware:
    """Hardware with a thread that visits its wires; both ports in one."""

    def __init__(self, hardware: Hardware) -> None:
        self._hardware = hardware
        self._closing = threading.Event()
        self._died: Exception | None = None
        self._thread = threading.Thread(target=self._run_steps, name="wires", daemon=True)
        self._thread.start()

    def sense(self) -> Sequence[Evidence]:
        if self._died is not None:
            raise RuntimeError("The wires are no longer watched; restart the companion.") from (
                self._died
            )
        return self._hardware.sense()

    def light(self, seat: int, lamp: Lamp) -> None:
        self._hardware.light(seat, lamp)

    def steps(self) -> int:
        return self._hardware.steps

    def conditions(self) -> list[ReaderCondition]:
        return self._hardware.conditions()

    def stuck_buttons(self) -> list[int]:
        return self._hardware.stuck_buttons()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        self._hardware.close()

    def _run_steps(self) -> None:
        try:
            while not self._closing.is_set():
                self._hardware.step()
                if not self._hardware.conditions():
                    self._closing.wait(IDLE)
        except Exception as death:  # noqa: BLE001  whatever it is, `sense` passes it on
            self._died = death


def prevent_lgpio_file() -> None:
    """Have lgpio keep its notification file in a temporary folder, not where we were started."""
    os.environ.setdefault("LG_WD", tempfile.gettempdir())


def connect(wiring: str | Wiring = DEFAULT) -> tuple[BackgroundHardware, BackgroundHardware]:
    """Return senses and lamps on the pins of this Pi, for `backends.connect`."""
    prevent_lgpio_file()
    watched = BackgroundHardware(
        assemble_hardware(load_profile(wiring) if isinstance(wiring, str) else wiring, time)
    )
    return watched, watched
