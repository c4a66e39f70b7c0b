"""Parsing, checking and writing of wiring profiles.

Law: a profile that loads can be soldered. No pin has two uses, none belongs to the SPI bus, all
exist; whatever is wrong is said in one sentence that names both uses and what to change. A profile
that is written is read again as the same wiring.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import msgspec

from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import PlaceMode
from hardware.drivers import address_syntax, parse_address, split_by_driver
from hardware.errors import WiringError, quote_text
from hardware.rc522.chip import GAINS, SPEEDS
from hardware.wiring.wires import HEADER, Address, PinUse, Wiring

DEFAULT = "eight-readers"
MODES: tuple[PlaceMode, ...] = get_args(PlaceMode)
SEATS, PLACES = tuple("123456"), tuple("12345678")
TITLES = (
    N_("Eight readers behind one 74HC138, six seats"),
    N_("Five readers without an extra chip, six seats"),
    N_("No wires: phones only"),
    N_("One RC522 reader on seven wires, at which cards are tapped"),
    N_("One USB reader, at which cards are tapped; no soldering"),
)
"""Of the profiles that come with the companion."""


class WrittenProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a profile file before they are checked."""

    title: str
    readers: dict[str, str] = {}
    buttons: dict[str, int] = {}
    lamps: dict[str, int] = {}
    reset: int | None = None
    address_lines: list[int] = []
    hertz: int = SPEEDS[0]
    gain: int = 33
    modes: dict[str, str] = {}
    gates: bool = False
    by_turns: bool = False
    learnt_from: str = ""
    found: dict[str, tuple[int, ...]] = {}


def profile_names() -> list[str]:
    """Return the names of the profiles that come with the companion."""
    folder = resources.files("hardware.wiring")
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def load_profile(profile: str = DEFAULT) -> Wiring:
    """Load a profile by its name, or from the path of a .toml file."""
    if profile.endswith(".toml"):
        return parse_profile(Path(profile).stem, _read_text(Path(profile)))
    if profile not in profile_names():
        text = (
            "There is no wiring profile '{profile}'; type one of {options}, or the path of a "
            ".toml file."
        )
        raise WiringError(
            message(text, profile=quote_text(profile), options=", ".join(profile_names()))
        )
    folder = resources.files("hardware.wiring")
    return parse_profile(profile, folder.joinpath(f"{profile}.toml").read_text(encoding="utf-8"))


def parse_profile(name: str, text: str) -> Wiring:
    """Parse a profile from its text."""
    try:
        keys = tomllib.loads(text)
        _check_keys(quote_text(name), keys)
        written = msgspec.convert(keys, WrittenProfile)
    except (ValueError, msgspec.MsgspecError, RecursionError) as wrong:
        unread = N_("{field} cannot be understood: {reason}.")
        facts = {"field": quote_text(name), "reason": quote_text(wrong).rstrip(".")}
        raise WiringError(Message(unread, facts)) from wrong
    wiring = _build_wiring(quote_text(name), written)
    _check_readers(wiring)
    _check_pins(wiring)
    return wiring


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        text = "{field} is not UTF-8 text."
        raise WiringError(message(text, field=quote_text(path))) from wrong
    except (OSError, ValueError) as wrong:  # No file has a name with a null byte in it.
        reason = getattr(wrong, "strerror", None) or quote_text(wrong)
        text = "{field} cannot be read: {reason}."
        raise WiringError(message(text, field=quote_text(path), reason=reason)) from wrong


def _wiring_error(name: str, text: str, /, **facts: object) -> WiringError:
    return WiringError(Message(text, {"name": name, **facts}))


def _build_wiring(name: str, written: WrittenProfile) -> Wiring:
    """Return the wiring of a written profile; raise WiringError for a word that makes no sense."""
    _check_numbers(name, written)
    return Wiring(
        name=name,
        title=" ".join(written.title.split()),
        readers={
            int(place): _parse_address(name, place, a) for place, a in written.readers.items()
        },
        buttons={int(seat): pin for seat, pin in written.buttons.items()},
        lamps={int(seat): pin for seat, pin in written.lamps.items()},
        reset=written.reset,
        address_lines=tuple(written.address_lines),
        hertz=written.hertz,
        gain=written.gain,
        modes=_parse_modes(name, written),
        gates=written.gates,
        by_turns=written.by_turns,
        learnt_from=written.learnt_from,
        found=written.found,
    )


def _check_keys(name: str, keys: Iterable[str]) -> None:
    """Raise WiringError for a key that no profile has."""
    known = WrittenProfile.__struct_fields__
    for key in keys:
        if key not in known:
            raise _unknown_key(name, key, known)


def _check_numbers(name: str, written: WrittenProfile) -> None:
    """Raise WiringError for a number outside its few allowed values."""
    if written.hertz not in SPEEDS:
        raise _wrong_value(name, "hertz", written.hertz, SPEEDS)
    if written.gain not in GAINS:
        raise _wrong_value(name, "gain", written.gain, GAINS)
    for section, keys, known in (
        ("readers", written.readers, PLACES), ("modes", written.modes, PLACES),
        ("buttons", written.buttons, SEATS), ("lamps", written.lamps, SEATS),
    ):  # fmt: skip
        for key in keys:
            if key not in known:
                raise _unknown_key(name, f"{section}.{key}", known)


def _parse_modes(name: str, written: WrittenProfile) -> dict[int, PlaceMode]:
    """Parse the mode of each place with a reader: beside it or under it."""
    found: dict[int, PlaceMode] = {}
    for place, said in written.modes.items():
        mode = next((one for one in MODES if one == said), None)
        if mode is None:
            raise _wrong_value(name, f"modes.{place}", said, MODES)
        if written.by_turns or place not in written.readers:
            text = "In wiring profile {name} place {place} has a mode and no reader of its own."
            raise _wiring_error(name, text, place=place)
        found[int(place)] = mode
    return found


def _unknown_key(name: str, key: str, known: Iterable[object]) -> WiringError:
    text = "Wiring profile {name} has an unknown key, {key}; write one of {options}."
    return _wiring_error(name, text, key=quote_text(key), options=", ".join(map(str, known)))


def _wrong_value(name: str, key: str, value: object, known: Iterable[object]) -> WiringError:
    text = "In wiring profile {name} {key} is {value}; write one of {options}."
    options = ", ".join(map(str, known))
    return _wiring_error(name, text, key=key, value=quote_text(value), options=options)


def _parse_address(name: str, place: str, written: str) -> Address:
    try:
        return parse_address(written)
    except ValueError:
        raise _wrong_value(name, f"readers.{place}", written, address_syntax()) from None


def _check_readers(wiring: Wiring) -> None:
    """Check that every reader can be reached, and by one place only."""
    name = wiring.name
    taken: dict[Address, int] = {}
    for place, address in wiring.readers.items():
        if address in taken:
            text = (
                "In wiring profile {name} the readers of places {numbers} have the same address "
                "{address}; give one of them another."
            )
            raise _wiring_error(name, text, numbers=[taken[address], place], address=str(address))
        taken[address] = place
    if wiring.by_turns and len(wiring.readers) != 1:
        text = (
            "In wiring profile {name} one reader serves all places by turns, but {found} are named;"
            " name one of them, or write by_turns = false."
        )
        raise _wiring_error(name, text, found=len(wiring.readers))
    for driver, own in split_by_driver(wiring):
        fault = driver.find_fault(own)
        if fault is not None:
            raise WiringError(fault)
    muxed = any(address.kind == "mux" for address in wiring.spi_readers().values())
    needed, found = 3 if muxed else 0, len(wiring.address_lines)
    if found != needed:
        text = (
            "In wiring profile {name} there are {found} address_lines where the readers need "
            "{needed}; write A0, A1 and A2 of the 74HC138, or none without one."
        )
        raise _wiring_error(name, text, found=found, needed=needed)


def _check_pins(wiring: Wiring) -> None:
    """Check that every pin exists and has one use."""
    uses = {0: PinUse("eeprom"), 1: PinUse("eeprom")}
    for pin, use in wiring.pin_uses():
        if pin not in HEADER:
            text = (
                "In wiring profile {name} BCM {bcm} ({use}) is not on the header; choose a pin "
                "from 2 to 27."
            )
            raise _wiring_error(wiring.name, text, bcm=quote_text(pin), use=use.say)
        if pin in uses:
            text = (
                "In wiring profile {name} BCM {bcm} (header pin {place}) has two uses, {use} and "
                "{other_use}; give one of them another pin."
            )
            facts = {"bcm": pin, "place": HEADER[pin]}
            raise _wiring_error(wiring.name, text, **facts, use=uses[pin].say, other_use=use.say)
        uses[pin] = use


TOP = """\
# Which wire goes where, as it was learnt at this table: at the first start, in the browser.
# Its wires are those of the profile {base}; `companion wiring FILE` prints them.
"""


def format_profile(wiring: Wiring) -> str:
    """Return the TOML text of the profile."""
    return (
        "\n".join([TOP.format(base=json.dumps(wiring.learnt_from)), *_profile_lines(wiring)]) + "\n"
    )


def _profile_lines(wiring: Wiring) -> Iterator[str]:
    yield f"title = {_toml_string(wiring.title)}"
    yield f"learnt_from = {_toml_string(wiring.learnt_from)}"
    if wiring.reset is not None:
        yield f"reset = {wiring.reset}"
    if wiring.address_lines:
        yield f"address_lines = {list(wiring.address_lines)}"
    yield f"hertz = {wiring.hertz}"
    yield f"gain = {wiring.gain}"
    for name, is_so in (("gates", wiring.gates), ("by_turns", wiring.by_turns)):
        if is_so:
            yield f"{name} = true"
    addresses = {place: _toml_string(str(address)) for place, address in wiring.readers.items()}
    for name, wires in (
        ("readers", addresses), ("buttons", wiring.buttons), ("lamps", wiring.lamps),
        ("modes", {place: _toml_string(mode) for place, mode in wiring.modes.items()}),
        ("found", {kind: list(numbers) for kind, numbers in wiring.found.items()}),
    ):  # fmt: skip
        yield from _section_lines(name, wires)


def _section_lines(name: str, wires: Mapping[Any, object]) -> Iterator[str]:
    if wires:
        yield f"\n[{name}]"
        yield from (f"{key} = {wires[key]}" for key in sorted(wires))


def _toml_string(text: str) -> str:
    """Return a TOML string: as in JSON, except DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
