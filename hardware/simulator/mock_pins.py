"""gpiozero's mock pins, joined to the simulated header and the simulated clock.

Law: the panel's code runs unchanged on `PinsFactory`; presses come from the table's buttons,
lamps are seen on the table's pins, and every edge carries the table's time.
"""

from typing import TYPE_CHECKING

from gpiozero.pins.mock import MockFactory, MockPin, PinState

from hardware.simulator.clock import SimulatedClock
from hardware.simulator.pins import Pins

if TYPE_CHECKING:
    from gpiozero.pins import PinInfo


class PinsFactory(MockFactory):  # type: ignore[misc]
    """Give it to gpiozero: `Device.pin_factory = world.pin_factory()`."""

    def __init__(self, clock: SimulatedClock, pins: Pins) -> None:
        self.clock = clock
        self.table = pins
        super().__init__(revision="a02082", pin_class=TablePin)

    def ticks(self) -> float:
        """The table's time."""
        return self.clock.monotonic()


class TablePin(MockPin):  # type: ignore[misc]
    """One pin, joined to the table: gpiozero drives it and hears its changes."""

    _state: bool

    def __init__(self, factory: PinsFactory, info: "PinInfo") -> None:
        self._clock, self._table = factory.clock, factory.table
        super().__init__(factory, info)
        self._table.watch(self._number, self._follow_level)
        self._follow_level(self._table.level(self._number))

    def clear_states(self) -> None:
        """Begin the list of states again."""
        self._last_change = self._clock.monotonic()
        self.states = [PinState(0.0, self._state)]

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "output":
            self._table.drive(self._number, int(self._state))
        else:
            self._table.release(self._number)
            self._follow_level(self._table.level(self._number))

    def _set_state(self, value: int) -> None:
        super()._set_state(value)
        self._table.drive(self._number, int(value))

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if value != "floating":
            self._table.pull(self._number, int(value == "up"))
        self._follow_level(self._table.level(self._number))

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        now = self._clock.monotonic()
        self.states.append(PinState(now - self._last_change, value))
        self._state, self._last_change = value, now
        return True

    def _follow_level(self, level: int) -> None:
        """The level on the table has changed."""
        if self._function != "input":
            return
        if level:
            self.drive_high()
        else:
            self.drive_low()
