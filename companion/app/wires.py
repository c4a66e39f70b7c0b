"""The wires of a physical table: choose the wiring, open it, open another one, retry.

Laws: a process has one set of pins, so wires are closed before others are opened; where those
cannot be opened, the ones before are opened again. A patient table, as a service has it, stands
without wires rather than not at all, says why, and tries again. A wiring that was learnt in the
browser counts for the profile that it was learnt from, as that profile is now; where another one is
asked for, it does not count. How a reader lies is kept only where it was chosen otherwise there, so
that a profile that is changed later still says it for all other places.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from companion.app.settings import config_path, data_folder, read_config
from companion.core.durable_files import write_file
from companion.core.i18n import Message, message
from companion.core.sensor_events import Evidence, Lamp, ReaderCondition
from companion.games import find_game
from companion.setup.steps import WiringOffer, WizardStep
from companion.tracking.game_tracking import tap_places
from hardware.backends import Lamps, Senses
from hardware.errors import HardwareError, WiringError, pin_errors, quote_text
from hardware.wiring import DEFAULT, Wiring, format_profile, load_profile, profile_names
from hardware.wiring.profile import TITLES


def wiring_path(folder: Path) -> Path:
    return folder / "wiring.toml"


def load_learnt_wiring(folder: Path) -> Wiring | None:
    """Return the wiring that was learnt at this table, if its profile still has the same wires."""
    path = wiring_path(folder)
    if not path.exists():
        return None
    found = load_profile(str(path))
    try:
        base = load_profile(found.learnt_from)
    except WiringError:
        return None
    modes = {**base.modes, **found.modes}
    return msgspec.structs.replace(found, modes=modes) if found.has_same_wires(base) else None


def load_wiring(folder: Path, said: str | None) -> Wiring:
    """Return the wiring of a table: that of the profile asked for, as learnt if it was."""
    found = load_learnt_wiring(folder)
    if found is not None and said in (None, found.learnt_from):
        return found
    return load_unlearnt_wiring(said or DEFAULT)


def load_unlearnt_wiring(profile: str) -> Wiring:
    """Load a profile as built, before the set-up learns crossed cables; `learnt_from` is its
    name."""
    return msgspec.structs.replace(load_profile(profile), learnt_from=profile)


def configured_profile(folder: Path) -> str | None:
    """Return the profile that the config of the table in this folder names, if it names one."""
    config = config_path(folder)
    if config is None or not config.exists():
        return None
    return read_config(config).get("profile")


def find_taps(wiring: Wiring, game: str) -> frozenset[int]:
    """Return the places of a game whose reader lies beside the pile."""
    return tap_places(find_game(game).rulebook.tracking, wiring.modes, wiring.by_turns)


def load_table_wiring(said: str | None) -> Wiring:
    """Return the profile asked for as it is to be built, else the wiring of this machine's table,
    as learnt if it was."""
    if said is not None:
        return load_profile(said)
    folder = data_folder()
    return load_wiring(folder, configured_profile(folder))


def save_wiring(folder: Path, wiring: Wiring) -> None:
    """Write the learnt wiring to disk; NotWritten if that fails."""
    told = load_profile(wiring.learnt_from).modes
    chosen = {place: mode for place, mode in wiring.modes.items() if told.get(place) != mode}
    learnt = msgspec.structs.replace(wiring, modes=chosen)
    write_file(wiring_path(folder), format_profile(learnt).encode())


# What there is to set up.


def list_wirings(fixed_profile: str | None) -> tuple[WiringOffer, ...]:
    """List every wiring that may be chosen, or only the one that is fixed."""
    found = [load_profile(name) for name in ([fixed_profile] if fixed_profile else profile_names())]
    titles = [Message(one.title) if one.title in TITLES else one.title for one in found]
    return tuple(
        WiringOffer(one.name, title, len(one.readers), len(one.buttons))
        for one, title in zip(found, titles, strict=True)
    )


def wires_of(wiring: Wiring) -> Mapping[WizardStep, Mapping[int, object]]:
    """Return the wires that each step finds, by place or seat."""
    readers = {} if wiring.by_turns else wiring.readers
    return {"banks": readers, "buttons": wiring.buttons, "lamps": wiring.lamps}


def needless_steps(wiring: Wiring) -> frozenset[WizardStep]:
    """Return the steps without anything to set up in this wiring."""
    cards: tuple[WizardStep, ...] = () if wiring.readers else ("stickers", "check")
    return frozenset({*cards, *(step for step, wires in wires_of(wiring).items() if not wires)})


# The open wires.

RETRY_EVERY = 30.0
"""Seconds after which wires that could not be opened are tried again."""

OpenedWires = tuple[Senses, Lamps]


class TableWires:
    """The readers, buttons and lamps of one wiring at a time."""

    def __init__(
        self,
        wiring: Wiring,
        open_wires: Callable[[Wiring], OpenedWires],
        *,
        patient: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wiring, self._opened, self._clock = wiring, open_wires, clock
        self._open_wires: OpenedWires | None = None
        self._visits = 0
        self._at = clock()
        self.trouble: Message | None = None
        """The reason no wire is open; None while they are open."""
        if patient:
            self._try_to_open()
        else:
            self._open_wires = open_wires(wiring)

    @property
    def has_buttons(self) -> bool:
        """True if there is a button to press."""
        return self._open_wires is not None and bool(self.wiring.buttons)

    # The two ports.

    def sense(self) -> Sequence[Evidence]:
        """Return all evidence since the last call."""
        if self._open_wires is None:
            self._visits += 1  # A table without wires lives as well.
            if self._clock() - self._at >= RETRY_EVERY:
                self._try_to_open()
        return self._open_wires[0].sense() if self._open_wires is not None else ()

    def light(self, seat: int, lamp: Lamp) -> None:
        """Set the lamp of a seat."""
        if self._open_wires is not None:
            self._open_wires[1].light(seat, lamp)

    def conditions(self) -> Sequence[ReaderCondition]:
        """Return the condition of every reader."""
        return self._open_wires[0].conditions() if self._open_wires is not None else ()

    def stuck_buttons(self) -> Sequence[int]:
        """Return the seats whose button stays down."""
        return self._open_wires[0].stuck_buttons() if self._open_wires is not None else ()

    def steps(self) -> int:
        """Return the number of visits to the wires; it never falls."""
        return self._visits + (self._open_wires[0].steps() if self._open_wires is not None else 0)

    def close(self) -> None:
        """Switch lamps and fields off."""
        if self._open_wires is not None:
            self._visits = self.steps() + 1
            plugged, self._open_wires = self._open_wires, None
            plugged[0].close()

    # Other wires.

    def rewire(self, wiring: Wiring) -> Message | None:
        """Open these wires instead; return why not, if they cannot be opened."""
        before, self.wiring = self.wiring, wiring
        self.close()
        self._try_to_open()
        refused = self.trouble
        if refused is not None:
            self.wiring = before
            self._try_to_open()
        return refused

    def _try_to_open(self) -> None:
        self._at = self._clock()
        try:
            self._open_wires, self.trouble = self._opened(self.wiring), None
        except HardwareError as error:
            self.trouble = error.say
        except pin_errors() as error:
            text = "The wires cannot be opened: {reason}."
            self.trouble = message(
                text, reason=quote_text(getattr(error, "strerror", None) or error)
            )
