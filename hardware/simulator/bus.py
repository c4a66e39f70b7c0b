"""The SPI bus: wires, chip selects, the 74HC138, and the level of MISO.

Law: only the chip that is selected hears MOSI and drives MISO; with none selected MISO reads as the
Pi's pin is pulled. The first byte of a transfer says read or write and which register; in a
read every further byte names the next register, in a write it is data for the same one.
A transfer costs the host's time once and every bit its time on the wire; all are counted.
"""

import random
from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_

from hardware.simulator import registers as r
from hardware.simulator.chip import SimulatedChip
from hardware.simulator.clock import SECOND, SimulatedClock

FASTEST_HZ = 10_000_000
"""Fastest clock of the chip; long wires allow less."""


class ReaderBoard:
    """One reader module on the bus: its chip, and the faults of its wires."""

    __slots__ = ("chip", "dead", "grips", "hears_reset", "lacks", "last_level")

    def __init__(self, chip: SimulatedChip) -> None:
        self.chip = chip
        self.dead: int | None = None
        """The byte a dead board answers to everything."""
        self.grips = False
        """Whether the board goes on driving MISO when it is no longer selected."""
        self.last_level = 0x00
        self.lacks: frozenset[str] = frozenset()
        """Its pins without a wire that counts: 3.3V, SCK, MOSI, MISO."""
        self.hears_reset = True


class ChipSelect:
    """One chip select line. Its device may change between transfers."""

    __slots__ = ("board", "held", "looped")

    def __init__(self, board: ReaderBoard | None) -> None:
        self.board = board
        self.looped = False
        """Whether MOSI and MISO of its bus touch: the Pi drives harder than any chip."""
        self.held: int | None = None
        """The byte always read, if the MISO of its bus touches a supply."""

    def boards(self) -> Sequence[ReaderBoard]:
        """Return every board that is selected."""
        return () if self.board is None else (self.board,)


class Decoder:
    """A 74HC138 on a chip select: three address pins select one of eight boards."""

    def __init__(self, boards: Sequence[ReaderBoard], address: Callable[[], int]) -> None:
        self.select = ChipSelect(None)
        self._boards = boards
        self._address = address
        self.update_selection()

    def update_selection(self, _: int = 0) -> None:
        """Select the board of the address; called when an address pin changes."""
        at = self._address()
        self.select.board = self._boards[at] if at < len(self._boards) else None


class Bus:
    """Every chip select, the shared wires, and the time they take."""

    def __init__(
        self, clock: SimulatedClock, boards: Sequence[ReaderBoard], host_ns: int = 30_000
    ) -> None:
        self.clock = clock
        self.boards = boards
        self.host_ns = host_ns
        """Time that a transfer costs the Pi besides its bits."""
        self.clean_hz = FASTEST_HZ
        """Up to which speed the wires carry bits unharmed."""
        self.floating = 0x00
        """Level read while nothing drives MISO: low on a Pi 1 to 4, which pulls its pins 9 and 19
        down; SPI on a Pi 5 switches the pull off, and anything may be read."""
        self.selects: dict[tuple[int, int], ChipSelect] = {}
        self.transfers = 0
        self.bytes = 0
        self.on_transfer: Callable[[], None] | None = None
        """Called before every transfer, for events in its midst."""
        self._is_sound = True
        self._random = random.Random(0)

    def transfer(self, select: ChipSelect, out: Sequence[int], hz: int, mode: int = 0) -> list[int]:
        """Make one transfer, chip select low from the first byte to the last."""
        clock, board = self.clock, select.board
        self.transfers += 1
        self.bytes += len(out)
        if self.on_transfer is not None:
            self.on_transfer()
        byte_ns = 8 * SECOND // hz
        now = clock.now + self.host_ns + byte_ns
        if now >= clock.due:
            clock.advance_to(now)
        else:
            clock.now = now
        if self._is_sound and hz <= self.clean_hz and mode in (0, 3) and board is not None:
            return _transfer_bytes(clock, board.chip, out, byte_ns)
        clean = hz <= self.clean_hz and mode in (0, 3)
        return self._transfer_with_faults(select, out, byte_ns, clean)

    def update_faults(self) -> None:
        """Note that a board's wires have become bad, or good again."""
        self._is_sound = all(b.dead is None and not b.grips for b in self.boards)

    def _transfer_with_faults(
        self, select: ChipSelect, out: Sequence[int], byte_ns: int, clean: bool
    ) -> list[int]:
        """Make a transfer over wires that have a fault; of several boards on MISO low wins."""
        boards = select.boards()
        if not clean:
            out = [byte ^ self._random.getrandbits(8) for byte in out]
        start, driven = self.clock.now, []
        for board in boards:
            self.clock.now = start
            driven.append(self._read_miso(board, out, byte_ns))
        self.clock.advance_to(start + byte_ns * (len(out) - 1))
        if select.held is not None:
            return [select.held] * len(out)
        if select.looped:
            return list(out)
        gripping = (b.last_level for b in self.boards if b.grips and b not in boards)
        driven += ([level] * len(out) for level in gripping)
        heard = [answer for answer in driven if answer is not None]
        answer = [reduce(and_, bytes_) for bytes_ in zip(*heard, strict=True)]
        if not heard:
            answer = [self.floating] * len(out)
        elif not clean:
            answer = [byte ^ self._random.getrandbits(8) for byte in answer]
        for board in boards:
            board.last_level = 0xFF if answer[-1] & 1 else 0x00
        return answer

    def _read_miso(self, board: ReaderBoard, out: Sequence[int], byte_ns: int) -> list[int] | None:
        """Return a board's level on MISO, None if it does not drive it. Without MOSI it reads
        zeros; without a supply it pulls MISO low; a board that is never clocked is mute."""
        if board.dead is not None:
            return [board.dead] * len(out)
        if "SCK" in board.lacks:
            return None
        answer = [0] * len(out)
        if "3.3V" not in board.lacks:
            heard = answer if "MOSI" in board.lacks else out
            answer = _transfer_bytes(self.clock, board.chip, heard, byte_ns)
        return None if "MISO" in board.lacks else answer


def _transfer_bytes(
    clock: SimulatedClock, chip: SimulatedChip, out: Sequence[int], byte_ns: int
) -> list[int]:
    """Return the chip's answer to the bytes, each at the moment it is complete."""
    first, rest = out[0], len(out) - 1
    if clock.now >= chip.due:
        chip.settle()
    if chip.asleep:
        clock.advance_to(clock.now + byte_ns * rest)
        return [0] * len(out)
    address, answer = first >> 1 & 0x3F, [0]
    if first & 0x80:
        on_read, regs = chip.on_read, chip.regs
        for byte in out[1:]:
            if clock.now >= chip.due:
                chip.settle()
            act = on_read[address]
            answer.append(regs[address] if act is None else act())
            clock.now += byte_ns
            address = byte >> 1 & 0x3F
        if address == r.FIFO_DATA:
            chip.read_register(address)
        return answer
    for byte in out[1:]:
        clock.now += byte_ns
        chip.write_register(address, byte & 0xFF)
        answer.append(0)
    return answer
