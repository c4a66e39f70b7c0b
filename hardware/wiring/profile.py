"""Reading a wiring profile, and refusing one that cannot be built.

Law: a profile that loads can be soldered. No pin has two uses, none belongs to the SPI bus, all
exist; whatever is wrong is said in one sentence that names both uses and what to change.
"""

import tomllib
from importlib import resources
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec

from hardware.errors import WiringError
from hardware.rc522.chip import GAINS, SPEEDS
from hardware.wiring.wires import ENABLES, HEADER, Address, Wiring

DEFAULT = "eight-readers"
SEATS, PLACES = range(1, 7), range(1, 9)
T = TypeVar("T")
FORMS = "mux:BUS.DEVICE/CHANNEL, spidev:BUS.DEVICE or sim:NUMBER"


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file as it is written, before anything is believed."""

    title: str
    readers: dict[str, str] = {}
    buttons: dict[str, int] = {}
    lamps: dict[str, int] = {}
    reset: int | None = None
    address_lines: list[int] = []
    hertz: int = SPEEDS[0]
    gain: int = 33


def profiles() -> list[str]:
    """The profiles that come with the companion."""
    folder = resources.files("hardware.wiring")
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def load(profile: str = DEFAULT) -> Wiring:
    """A profile by its name, or the path of a .toml file that holds one."""
    if profile.endswith(".toml"):
        return read(Path(profile).stem, _text(Path(profile)))
    if profile not in profiles():
        raise WiringError(
            f"There is no wiring profile {profile!r}; type one of {', '.join(profiles())}, "
            "or the path of a .toml file."
        )
    folder = resources.files("hardware.wiring")
    return read(profile, folder.joinpath(f"{profile}.toml").read_text(encoding="utf-8"))


def read(name: str, text: str) -> Wiring:
    """A profile from its text."""
    try:
        written = msgspec.convert(tomllib.loads(text), Written)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as wrong:
        raise WiringError(f"Wiring profile {name} cannot be understood: {wrong}.") from wrong
    wiring = _Draft(name, written).wiring()
    _check_lines(wiring)
    _check_pins(wiring)
    return wiring


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise WiringError(f"The wiring profile {path} cannot be read: {wrong}.") from wrong


class _Draft:
    """A written profile on its way to a checked one."""

    def __init__(self, name: str, written: Written) -> None:
        self._name, self._written = name, written

    def wiring(self) -> Wiring:
        w = self._written
        if w.hertz not in SPEEDS:
            self._refuse(f"hertz is {w.hertz}; write one of {', '.join(map(str, SPEEDS))}")
        if w.gain not in GAINS:
            self._refuse(f"gain is {w.gain} dB; write one of {', '.join(map(str, GAINS))}")
        return Wiring(
            name=self._name,
            title=w.title,
            readers={p: self._address(p, a) for p, a in self._by(PLACES, "place", w.readers)},
            buttons=dict(self._by(SEATS, "seat", w.buttons)),
            lamps=dict(self._by(SEATS, "seat", w.lamps)),
            reset=w.reset,
            address_lines=tuple(w.address_lines),
            hertz=w.hertz,
            gain=w.gain,
        )

    def _by(self, numbers: range, noun: str, table: dict[str, T]) -> list[tuple[int, T]]:
        for key in table:
            if key not in map(str, numbers):
                self._refuse(
                    f"there is no {noun} {key!r}; write {noun}s {numbers[0]} to {numbers[-1]}"
                )
        return [(int(key), value) for key, value in table.items()]

    def _address(self, place: int, text: str) -> Address:
        try:
            address = Address.parse(text)
        except ValueError:
            self._refuse(
                f"the reader of place {place} has an unknown address {text!r}; write {FORMS}"
            )
        if address.line not in ENABLES and address.line is not None:
            bus, device = address.line
            self._refuse(
                f"the reader of place {place} hangs on SPI{bus} CE{device}, which a Pi does not "
                f"have; write one of {', '.join(f'{b}.{d}' for b, d in ENABLES)}"
            )
        return address

    def _refuse(self, what: str) -> NoReturn:
        raise WiringError(f"In wiring profile {self._name} {what}.")


def _check_lines(wiring: Wiring) -> None:
    """Every reader can be chosen without choosing another."""
    taken: dict[Address, int] = {}
    for place, address in wiring.readers.items():
        if address in taken:
            raise WiringError(
                f"In wiring profile {wiring.name} the readers of places {taken[address]} and "
                f"{place} have the same address {address}; give one of them another."
            )
        taken[address] = place
    muxed = {a.line for a in taken if a.kind == "mux"}
    for address, place in taken.items():
        if address.kind == "spidev" and address.line in muxed:
            raise WiringError(
                f"In wiring profile {wiring.name} the reader of place {place} uses {address} "
                f"without the 74HC138 that hangs on it; write mux:{str(address)[7:]}/CHANNEL."
            )
    if len(wiring.address_lines) != (3 if muxed else 0):
        raise WiringError(
            f"In wiring profile {wiring.name} there are {len(wiring.address_lines)} address_lines "
            f"where the readers need {3 if muxed else 0}; write A0, A1 and A2 of the 74HC138, "
            "or none without one."
        )
    if wiring.lines() and wiring.reset is None:
        raise WiringError(
            f"In wiring profile {wiring.name} the readers have no reset line; write reset = 25."
        )


def _check_pins(wiring: Wiring) -> None:
    """Every pin exists and has one use."""
    uses: dict[int, str] = {0: "the EEPROM of a HAT", 1: "the EEPROM of a HAT"}
    for pin, use in wiring.uses():
        if pin not in HEADER:
            raise WiringError(
                f"In wiring profile {wiring.name} the {use} is on BCM {pin}, which is not on "
                "the header; choose a pin from 2 to 27."
            )
        if pin in uses:
            raise WiringError(
                f"In wiring profile {wiring.name} BCM {pin} (header pin {HEADER[pin]}) has two "
                f"uses, {uses[pin]} and {use}; give one of them another pin."
            )
        uses[pin] = use
