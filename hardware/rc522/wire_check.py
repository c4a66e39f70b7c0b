"""Measurements of the readers' wires, made by the Pi alone, for `wire_faults` to judge.

Laws: nothing is judged here. What is written to the chip at one address is looked for at all the
others, so that selects that touch and address lines that do not arrive show without a card.
"""

from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

import msgspec

from companion.core.i18n import Message
from hardware.clock import Clock
from hardware.doctor.report import explain_failure
from hardware.drivers import OpenedReaders
from hardware.rc522.chip import Chip, is_answering
from hardware.rc522.reader import Rc522Reader
from hardware.rc522.stock import OSCILLATOR
from hardware.wiring.joints import Joint, decoder_devices
from hardware.wiring.wires import SpiAddress, Wiring

MARKS = (0x5A, 0xA5)
KEPT = 0x3C
HIGH_AT_THE_END = 0xFF
OUTPUTS = range(8)
UNUSED = 100
"""Outputs of a decoder without a reader of the profile are numbered from here."""

Address = TypeVar("Address", bound=Hashable)


class ChipFacts(msgspec.Struct, frozen=True):
    """Answers of a reader."""

    version: int = 0xFF
    started: bool = False
    awake_after: float | None = None
    """Seconds from the end of a pull at the reset line to a sensible answer."""
    altered: tuple[int, ...] = ()
    """Registers that twice gave back the same value, and not the one written."""
    keeps_at_reset: bool = False
    """Whether a pull at the reset line left its registers alone."""
    loops: bool = False
    """Whether the Pi hears its own bytes."""
    trouble: Message | None = None

    @property
    def answers(self) -> bool:
        return self.trouble is None and not self.loops and is_answering(self.version)


class Lead(msgspec.Struct, frozen=True):
    """A loose lead between two joints, in place of the wire of a signal."""

    signal: str
    start: Joint
    end: Joint


class Points(NamedTuple):
    """Joints for the two tips of a multimeter."""

    high: Joint
    low: Joint


class BusFacts(msgspec.Struct, frozen=True):
    """All measurements; a person enters voltages and leads, and only if asked for."""

    chips: Mapping[int, ChipFacts]
    echoes: frozenset[tuple[SpiAddress, SpiAddress]] = frozenset()
    """Pairs of addresses: what is written at the first is read at the second."""
    reset_level: int = 1
    """The level of the reset line when nothing but a pull-up drives it."""
    gripping: int | None = None
    """The place of the reader whose last bit keeps the others from answering."""
    volts: Mapping[Points, float] = {}
    cures: Mapping[int, Lead | None] = {}
    """The lead that made a silent reader answer; None if none did."""
    loops: Mapping[int, tuple[int, ...]] = {}
    """Marks that came back while a lead joined MOSI and MISO at a silent reader."""


def with_all_outputs(wiring: Wiring) -> Wiring:
    """Return the wiring with an address for each output of its decoders that no reader uses."""
    used = set(wiring.spi_readers().values())
    outputs = [SpiAddress("mux", *d, n) for d in decoder_devices(wiring) for n in OUTPUTS]
    unused = enumerate((a for a in outputs if a not in used), start=UNUSED)
    return msgspec.structs.replace(wiring, readers={**wiring.readers, **dict(unused)})


def measure_bus(
    wiring: Wiring, opened: OpenedReaders[Rc522Reader], reset_level: int, clock: Clock
) -> BusFacts:
    """Measure everything of a wiring whose readers were opened `with_all_outputs`."""
    places = wiring.spi_readers()
    chips = {p: _measure_chip(opened.by_place[p], opened, clock) for p in places}
    links = {a: opened.by_place[p].chip for p, a in with_all_outputs(wiring).spi_readers().items()}
    alive = [p for p in places if chips[p].answers]
    facts = BusFacts(
        chips=chips,
        echoes=find_echoes(links) if alive else frozenset(),
        reset_level=reset_level,
        gripping=_find_gripping(opened.by_place, chips, alive),
    )
    for place in alive:
        answers_now(opened.by_place[place])  # the marks are gone, and the pulls at the reset line
    return facts


def answers_now(reader: Rc522Reader) -> bool:
    """Return whether a reader can be started now."""
    try:
        return reader.start(anew=True)
    except OSError:
        return False


def find_echoes(chips: Mapping[Address, Chip]) -> frozenset[tuple[Address, Address]]:
    """Return every pair of addresses that reach the same chip."""
    pairs = {(written, read) for written in chips for read in chips}
    for written in chips:
        for mark in MARKS:
            for other in chips.values():
                _write_mark(other, mark ^ 0xFF)
            _write_mark(chips[written], mark)
            pairs -= {(written, read) for read in chips if _read_mark(chips[read]) != mark}
    return frozenset(pairs)


def _measure_chip(
    reader: Rc522Reader, opened: OpenedReaders[Rc522Reader], clock: Clock
) -> ChipFacts:
    try:
        _pull_lines(opened)
        awake_after = _time_waking(reader, clock)
        started = reader.start(anew=True)
        version = reader.chip.read_vitals().version
        return ChipFacts(
            version=version,
            loops=send_marks(reader.chip) == MARKS,
            started=started,
            awake_after=awake_after,
            altered=tuple(reader.chip.altered),
            keeps_at_reset=is_answering(version) and _keeps_at_reset(reader.chip, opened),
        )
    except OSError as trouble:
        return ChipFacts(trouble=explain_failure(trouble))


def send_marks(chip: Chip) -> tuple[int, ...]:
    """Send marks; return the bytes that come back: the marks, if MOSI and MISO are joined."""
    ask_version = 0x80 | chip.link.stock.VersionReg << 1
    return tuple(chip.link.transfer_frame([ask_version, mark])[0] for mark in MARKS)


def _time_waking(reader: Rc522Reader, clock: Clock) -> float | None:
    begun = clock.monotonic() - OSCILLATOR
    reader.chip.forget_speed()
    reader.chip.link.select_chip()
    return None if reader.chip.wait_awake() is None else clock.monotonic() - begun


def _keeps_at_reset(chip: Chip, opened: OpenedReaders[Rc522Reader]) -> bool:
    """Return whether a register outlives a pull at the reset line; set the chip up again."""
    _write_mark(chip, KEPT)
    _pull_lines(opened)
    chip.wait_awake()
    kept = _read_mark(chip) == KEPT
    chip.start()
    return kept


def _pull_lines(opened: OpenedReaders[Rc522Reader]) -> None:
    for line in opened.reset_lines:
        line.pull()


def _find_gripping(
    readers: Mapping[int, Rc522Reader], chips: Mapping[int, ChipFacts], alive: list[int]
) -> int | None:
    """Return the only reader that answers if another one does, too, once the last bit of this one
    was high: it goes on driving MISO."""
    silent = [p for p, chip in chips.items() if p not in alive and chip.trouble is None]
    if len(alive) != 1 or not silent:
        return None
    only = readers[alive[0]].chip
    for place in silent:
        _write_mark(only, HIGH_AT_THE_END)
        _read_mark(only)
        readers[place].chip.link.select_chip()
        if is_answering(readers[place].chip.link.read_registers(only.link.stock.VersionReg)[0]):
            return alive[0]
    return None


def _write_mark(chip: Chip, mark: int) -> None:
    chip.link.select_chip()
    chip.link.write_register(chip.link.stock.TReloadRegL, mark)


def _read_mark(chip: Chip) -> int:
    chip.link.select_chip()
    return chip.link.read_registers(chip.link.stock.TReloadRegL)[0]
