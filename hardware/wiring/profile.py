"""Reading a wiring profile, and refusing one that cannot be built.

Law: a profile that loads can be soldered. No pin has two uses, none belongs to the SPI bus, all
exist; whatever is wrong is said in one sentence that names both uses and what to change.
"""

import tomllib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import msgspec

from companion.core.i18n import N_, Message, message
from hardware.errors import WiringError, quoted
from hardware.rc522.chip import GAINS, SPEEDS
from hardware.wiring.wires import ENABLES, HEADER, Address, Use, Wiring

DEFAULT = "eight-readers"
SEATS, PLACES = tuple("123456"), tuple("12345678")
TITLES = (
    N_("Eight readers behind one 74HC138, six seats"),
    N_("Five readers without an extra chip, six seats"),
    N_("No wires: phones only"),
)
"""Of the profiles that come with the companion."""


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
    learnt_from: str = ""


def profiles() -> list[str]:
    """The profiles that come with the companion."""
    folder = resources.files("hardware.wiring")
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def load(profile: str = DEFAULT) -> Wiring:
    """A profile by its name, or the path of a .toml file that holds one."""
    if profile.endswith(".toml"):
        return read(Path(profile).stem, _text(Path(profile)))
    if profile not in profiles():
        text = (
            "There is no wiring profile '{profile}'; type one of {options}, or the path of a "
            ".toml file."
        )
        raise WiringError(message(text, profile=quoted(profile), options=", ".join(profiles())))
    folder = resources.files("hardware.wiring")
    return read(profile, folder.joinpath(f"{profile}.toml").read_text(encoding="utf-8"))


def read(name: str, text: str) -> Wiring:
    """A profile from its text."""
    try:
        keys = tomllib.loads(text)
        _check_keys(quoted(name), keys)
        written = msgspec.convert(keys, Written)
    except (ValueError, RecursionError) as wrong:
        unread = N_("Wiring profile {name} cannot be understood: {reason}.")
        raise _wrong(quoted(name), unread, reason=quoted(wrong).rstrip(".")) from wrong
    wiring = _wiring(quoted(name), written)
    _check_lines(wiring)
    _check_pins(wiring)
    return wiring


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        text = "The wiring profile {file} is not UTF-8 text."
        raise WiringError(message(text, file=quoted(path))) from wrong
    except (OSError, ValueError) as wrong:  # No file has a name with a null byte in it.
        reason = getattr(wrong, "strerror", None) or quoted(wrong)
        text = "The wiring profile {file} cannot be read: {reason}."
        raise WiringError(message(text, file=quoted(path), reason=reason)) from wrong


def _wrong(name: str, text: str, /, **facts: object) -> WiringError:
    return WiringError(Message(text, {"name": name, **facts}))


def _wiring(name: str, written: Written) -> Wiring:
    """A written profile as what it describes, every word in it understood."""
    _check_numbers(name, written)
    return Wiring(
        name=name,
        title=" ".join(written.title.split()),
        readers={int(place): _address(name, place, a) for place, a in written.readers.items()},
        buttons={int(seat): pin for seat, pin in written.buttons.items()},
        lamps={int(seat): pin for seat, pin in written.lamps.items()},
        reset=written.reset,
        address_lines=tuple(written.address_lines),
        hertz=written.hertz,
        gain=written.gain,
        learnt_from=written.learnt_from,
    )


def _check_keys(name: str, keys: Iterable[str]) -> None:
    """Every key is one that a profile has."""
    known = Written.__struct_fields__
    for key in keys:
        if key not in known:
            text = "Wiring profile {name} has an unknown key, {key}; the keys are {options}."
            raise _wrong(name, text, key=quoted(key), options=_either(known))


def _check_numbers(name: str, written: Written) -> None:
    """Every number that can only be one of a few is one of them."""
    if written.hertz not in SPEEDS:
        text = "In wiring profile {name} hertz is {value}; write one of {options}."
        raise _wrong(name, text, value=quoted(written.hertz), options=_either(SPEEDS))
    if written.gain not in GAINS:
        text = "In wiring profile {name} gain is {value} dB; write one of {options}."
        raise _wrong(name, text, value=quoted(written.gain), options=_either(GAINS))
    for place in written.readers:
        if place not in PLACES:
            text = "In wiring profile {name} there is no place '{value}'; write places 1 to 8."
            raise _wrong(name, text, value=quoted(place))
    for seat in (*written.buttons, *written.lamps):
        if seat not in SEATS:
            text = "In wiring profile {name} there is no seat '{value}'; write seats 1 to 6."
            raise _wrong(name, text, value=quoted(seat))


def _either(options: Iterable[object]) -> str:
    return ", ".join(map(str, options))


def _address(name: str, place: str, written: str) -> Address:
    try:
        address = Address.parse(written)
    except ValueError:
        text = (
            "In wiring profile {name} the reader of place {place} has an unknown address "
            "'{value}'; write mux:BUS.DEVICE/CHANNEL, spidev:BUS.DEVICE or sim:NUMBER."
        )
        raise _wrong(name, text, place=place, value=quoted(written)) from None
    if address.line not in ENABLES and address.line is not None:
        text = (
            "In wiring profile {name} the reader of place {place} hangs on SPI{bus} CE{device}, "
            "which a Pi does not have; write one of {options}."
        )
        bus, device = address.line
        options = _either(f"{bus}.{device}" for bus, device in ENABLES)
        raise _wrong(name, text, place=place, bus=bus, device=device, options=options)
    return address


def _check_lines(wiring: Wiring) -> None:
    """Every reader can be chosen without choosing another."""
    name = wiring.name
    taken: dict[Address, int] = {}
    for place, address in wiring.readers.items():
        if address in taken:
            text = (
                "In wiring profile {name} the readers of places {numbers} have the same address "
                "{address}; give one of them another."
            )
            raise _wrong(name, text, numbers=[taken[address], place], address=str(address))
        taken[address] = place
    muxed = {a.line for a in taken if a.kind == "mux"}
    for a, place in taken.items():
        if a.kind == "spidev" and a.line in muxed:
            text = (
                "In wiring profile {name} the reader of place {place} uses spidev:{bus}.{device} "
                "without the 74HC138 that hangs on it; write mux:{bus}.{device}/CHANNEL."
            )
            raise _wrong(name, text, place=place, bus=a.bus, device=a.device)
    needed, found = 3 if muxed else 0, len(wiring.address_lines)
    if found != needed:
        text = (
            "In wiring profile {name} there are {found} address_lines where the readers need "
            "{needed}; write A0, A1 and A2 of the 74HC138, or none without one."
        )
        raise _wrong(name, text, found=found, needed=needed)
    if wiring.lines() and wiring.reset is None:
        text = "In wiring profile {name} the readers have no reset line; write reset = 25."
        raise _wrong(name, text)


def _check_pins(wiring: Wiring) -> None:
    """Every pin exists and has one use."""
    uses = {0: Use("eeprom"), 1: Use("eeprom")}
    for pin, use in wiring.uses():
        if pin not in HEADER:
            text = (
                "In wiring profile {name} BCM {bcm} ({use}) is not on the header; choose a pin "
                "from 2 to 27."
            )
            raise _wrong(wiring.name, text, bcm=quoted(pin), use=use.say)
        if pin in uses:
            text = (
                "In wiring profile {name} BCM {bcm} (header pin {place}) has two uses, {use} and "
                "{other_use}; give one of them another pin."
            )
            facts = {"bcm": pin, "place": HEADER[pin]}
            raise _wrong(wiring.name, text, **facts, use=uses[pin].say, other_use=use.say)
        uses[pin] = use
