"""Buttons and lamps at the seats: beside the simulated pins the only importer of gpiozero.

Law: gpiozero brings edges and takes levels, nothing else; when an edge is a press and when a
lamp is lit is decided in pure code. Edges may come from another thread, at any time. All lamps
blink together, so that a glance tells slow from fast; fast stays below three flashes a second,
which is safe for people with photosensitive epilepsy.
"""

import warnings
from collections import deque
from collections.abc import Callable, Mapping
from typing import Literal, Protocol, TypeVar

from companion.core.i18n import N_, Message
from companion.core.sensor_events import Lamp
from hardware import debounce
from hardware.advice import PIN_LIBRARY, command_to_type, join_groups_command
from hardware.clock import Clock
from hardware.errors import NO_PINS as FORBIDDEN
from hardware.errors import NotConnected, pin_errors, quote_text, refusal_kind
from hardware.wiring.wires import PinUse

SLOW, FAST = 1.6, 0.4
"""Seconds a blink takes, half of them lit."""


def is_lit(lamp: Lamp, now: float) -> bool:
    """Return whether a lamp in this mode is lit at this moment."""
    if lamp in ("off", "on"):
        return lamp == "on"
    period = SLOW if lamp == "slow" else FAST
    return now % period < period / 2


NO_PINS = N_(
    "The buttons and lamps cannot be reached ({reason}); on a Pi type: {command}; on any other "
    "machine use the simulated table."
)
BUSY = N_("BCM {bcm} ({use}) is in use by another program; stop it, then try again.")


class GpioPin(Protocol):
    """The part of gpiozero's pin that we use."""

    pull: Literal["up", "down"]


class GpioButton(Protocol):
    """The part of gpiozero's input device that we use."""

    pin: GpioPin
    is_active: bool
    when_activated: Callable[[], None]
    when_deactivated: Callable[[], None]

    def close(self) -> None: ...


class GpioLed(Protocol):
    """The part of gpiozero's LED that we use."""

    value: bool

    def close(self) -> None: ...


Device = TypeVar("Device")


class Panel:
    """The buttons and lamps of a table, seat by seat; lamps as `backends.Lamps` has them."""

    def __init__(
        self,
        buttons: Mapping[int, int],
        lamps: Mapping[int, int],
        clock: Clock,
        factory: object = None,
    ) -> None:
        self._clock = clock
        self._edges: deque[tuple[int, bool, float]] = deque()
        """Edges that are not read yet: the seat, whether its button went down, and when."""
        self._wanted: dict[int, Lamp] = dict.fromkeys(lamps, "off")
        self._lit: dict[int, bool] = dict.fromkeys(lamps, False)
        self._buttons: dict[int, GpioButton] = {}
        self._leds: dict[int, GpioLed] = {}
        try:
            for seat, pin in buttons.items():
                self._buttons[seat] = _open_button(seat, pin, factory)
            for seat, pin in lamps.items():
                self._leds[seat] = _open_led(seat, pin, factory)
        except NotConnected:
            self.close()
            raise
        now = clock.monotonic()
        self._states = {
            s: debounce.initial_state(s, b.is_active, now) for s, b in self._buttons.items()
        }
        for seat, button in self._buttons.items():
            self._listen_to(seat, button)

    def read_presses(self) -> list[debounce.Press]:
        """Return every press that has become certain since the last call, in order."""
        news: list[debounce.Press] = []
        while self._edges:
            seat, down, at = self._edges.popleft()
            self._states[seat], more = debounce.apply_edge(self._states[seat], down, at)
            news += more
        now = self._clock.monotonic()
        for seat in self._states:
            news += self._advance_button(seat, now)
        return debounce.sort_presses(news)

    def stuck_buttons(self) -> list[int]:
        now = self._clock.monotonic()
        return [seat for seat, state in self._states.items() if debounce.is_stuck(state, now)]

    def seats(self) -> list[int]:
        """Return the seats that have a button."""
        return list(self._buttons)

    def is_down(self, seat: int) -> bool:
        """Return the raw level of a seat's button at this moment, bounce included."""
        return bool(self._buttons[seat].is_active)

    def pull_button(self, seat: int, pull: Literal["up", "down"]) -> None:
        """Have the Pi pull a button's wire down, to test the effect of a press, or up again."""
        self._buttons[seat].pin.pull = pull

    def light(self, seat: int, lamp: Lamp) -> None:
        """Set the mode of a seat's lamp; a seat without a lamp is ignored."""
        if seat in self._wanted:
            self._wanted[seat] = lamp
            self.update_lamps()

    def update_lamps(self) -> None:
        """Set every lamp to its level at this moment; blinking needs this to be called often."""
        now = self._clock.monotonic()
        for seat, led in self._leds.items():
            lit = is_lit(self._wanted[seat], now)
            if lit != self._lit[seat]:
                led.value = self._lit[seat] = lit

    def close(self) -> None:
        """Switch the lamps off and release the pins."""
        for led in self._leds.values():
            led.close()
        for button in self._buttons.values():
            button.close()
        self._leds.clear()
        self._buttons.clear()
        self._states = {}

    def _advance_button(self, seat: int, now: float) -> list[debounce.Press]:
        """Advance a button to now, making up for an edge that was lost."""
        state, news = debounce.advance_time(self._states[seat], now)
        if not self._edges and self._buttons[seat].is_active != state.raw:
            state, more = debounce.apply_edge(state, not state.raw, now)
            news = [*news, *more]
        self._states[seat] = state
        return news

    def _listen_to(self, seat: int, button: GpioButton) -> None:
        def edge(down: bool) -> None:
            self._edges.append((seat, down, self._clock.monotonic()))

        button.when_activated = lambda: edge(True)
        button.when_deactivated = lambda: edge(False)


def _open_button(seat: int, pin: int, factory: object) -> GpioButton:
    # Not gpiozero's Button: each has a thread that waits for a hold, of which we ask nothing.
    from gpiozero import DigitalInputDevice  # noqa: PLC0415

    busy = Message(BUSY, {"use": PinUse("button", seat).say, "bcm": pin})
    button: GpioButton = _open_device(
        lambda: DigitalInputDevice(pin, pull_up=True, pin_factory=factory), busy
    )
    return button


def _open_led(seat: int, pin: int, factory: object) -> GpioLed:
    from gpiozero import LED  # noqa: PLC0415

    busy = Message(BUSY, {"use": PinUse("lamp", seat).say, "bcm": pin})
    led: GpioLed = _open_device(lambda: LED(pin, pin_factory=factory), busy)
    return led


def _open_device(open_device: Callable[[], Device], busy: Message) -> Device:
    """Open a device; raise NotConnected with one sentence if it is refused."""
    from gpiozero import GPIOPinInUse, GPIOZeroError  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            # gpiozero warns of every pin library it does not find before it gives up.
            warnings.simplefilter("ignore")
            return open_device()
    except GPIOPinInUse as taken:
        raise NotConnected(busy) from taken
    except (GPIOZeroError, *pin_errors()) as refused:
        reason, kind = quote_text(refused).rstrip(".!"), refusal_kind(refused)
        if kind == "busy":
            raise NotConnected(busy) from refused
        if kind == "forbidden":
            facts = {"reason": reason, "command": command_to_type(join_groups_command())}
            raise NotConnected(Message(FORBIDDEN, facts)) from refused
        command = command_to_type(PIN_LIBRARY)
        raise NotConnected(Message(NO_PINS, {"reason": reason, "command": command})) from refused
