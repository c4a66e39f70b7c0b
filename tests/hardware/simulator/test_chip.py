"""The MFRC522, register by register, as its data sheet describes it."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulator import registers as r
from hardware.simulator.commands import CALC_CRC, TRANSCEIVE
from hardware.simulator.frame import Frame
from hardware.simulator.world import Make, World


class ProbeResult(NamedTuple):
    """The registers after an exchange."""

    irq: int
    error: int
    coll: int
    answer: Frame


class Probe:
    """Talks to one reader of a table, its chip set up and its field on."""

    def __init__(self, world: World, reader: int = 0, timeout_us: int = 1000) -> None:
        self.world = world
        self.spi = world.open_spi(reader)
        self.set_up(timeout_us)

    def set_up(self, timeout_us: int) -> None:
        """Set the timer to 25 µs steps, full modulation, values after a collision cleared, field
        on."""
        steps = timeout_us // 25
        for register, value in (
            (r.T_MODE, 0x80),
            (r.T_PRESCALER, 0xA9),
            (r.T_RELOAD_HIGH, steps >> 8),
            (r.T_RELOAD_LOW, steps & 0xFF),
            (r.TX_ASK, 0x40),
            (r.COLL, 0x00),
            (r.TX_CONTROL, 0x83),
        ):
            self.write_register(register, value)
        self.world.sleep(0.005)

    def read_registers(self, *registers: int) -> list[int]:
        """Return several registers, read in one transfer."""
        return self.spi.xfer2([*(0x80 | register << 1 for register in registers), 0])[1:]

    def read_register(self, register: int) -> int:
        return self.read_registers(register)[0]

    def write_register(self, register: int, *values: int) -> None:
        """Write one value, or a burst to the same register."""
        self.spi.xfer2([register << 1, *values])

    def send_frame(self, data: bytes, last_bits: int = 0, align: int = 0) -> ProbeResult:
        """Send a frame, wait for the answer or the timer, and read everything."""
        self.write_register(r.COMMAND, 0)
        self.write_register(r.COM_IRQ, 0x7F)
        self.write_register(r.FIFO_LEVEL, r.FLUSH_BUFFER)
        self.write_register(r.FIFO_DATA, *data)
        self.write_register(r.COMMAND, TRANSCEIVE)
        self.write_register(r.BIT_FRAMING, r.START_SEND | align << 4 | last_bits)
        while not self.read_register(r.COM_IRQ) & (r.RX_IRQ | r.TIMER_IRQ):
            pass
        if self._is_receiving():
            self.world.sleep(0.02)
        return self._read_result(align)

    def _is_receiving(self) -> bool:
        irq, state = self.read_registers(r.COM_IRQ, r.STATUS2)
        return not irq & r.RX_IRQ and state & 7 == 6

    def _read_result(self, align: int) -> ProbeResult:
        irq, error, level, control, coll = self.read_registers(
            r.COM_IRQ, r.ERROR, r.FIFO_LEVEL, r.CONTROL, r.COLL
        )
        data = bytes(self.read_registers(*[r.FIFO_DATA] * level)) if level else b""
        bits = 8 * level - (8 - (control & 7) if control & 7 else 0) - align
        frame = Frame(int.from_bytes(data, "little") >> align, max(bits, 0))
        return ProbeResult(irq, error, coll, frame)


# The tests.

STICKER = "04a1b2c3d4e5f6"


def probe(*uids: str, make: Make | None = None, timeout_us: int = 1000) -> Probe:
    world = World(1, make=make)
    for uid in uids:
        world.put(uid, 0)
    return Probe(world, timeout_us=timeout_us)


def fresh() -> Probe:
    """A chip nobody has set up."""
    bare = Probe.__new__(Probe)
    bare.world = World(1)
    bare.spi = bare.world.open_spi(0)
    return bare


@pytest.mark.parametrize(
    ("register", "value"),
    [
        (r.COMMAND, 0x20), (r.COM_IEN, 0x80), (r.DIV_IEN, 0x00), (r.COM_IRQ, 0x14),
        (r.ERROR, 0x00), (r.STATUS1, 0x21), (r.STATUS2, 0x00), (r.FIFO_LEVEL, 0x00),
        (r.WATER_LEVEL, 0x08), (r.CONTROL, 0x10), (r.BIT_FRAMING, 0x00), (r.MODE, 0x3F),
        (r.TX_MODE, 0x00), (r.RX_MODE, 0x00), (r.TX_CONTROL, 0x80), (r.TX_ASK, 0x00),
        (r.RX_SEL, 0x84), (r.RX_THRESHOLD, 0x84), (r.DEMOD, 0x4D), (r.MF_TX, 0x62),
        (r.SERIAL_SPEED, 0xEB), (r.CRC_RESULT_HIGH, 0xFF), (r.MOD_WIDTH, 0x26),
        (r.RF_CFG, 0x48), (r.GS_N, 0x88), (r.T_MODE, 0x00), (r.AUTO_TEST, 0x40),
    ],
)  # fmt: skip
def test_reset_values(register: int, value: int) -> None:
    assert fresh().read_register(register) == value


@given(register=st.integers(0, 63), value=st.integers(0, 255))
def test_only_writable_bits_change(register: int, value: int) -> None:
    if register in (r.COMMAND, r.COM_IRQ, r.DIV_IRQ, r.FIFO_DATA, r.FIFO_LEVEL, r.CONTROL):
        return
    bare = fresh()
    before = bare.read_register(register)
    bare.write_register(register, value)
    mask = r.WRITABLE[register]
    assert bare.read_register(register) == before & ~mask | value & mask


@pytest.mark.parametrize("even", [False, True])
def test_the_timer_rings_after_reload_plus_one_steps(even: bool) -> None:
    bare = fresh()
    bare.write_register(r.T_PRESCALER, 0xA9)
    bare.write_register(r.T_RELOAD_LOW, 39)
    bare.write_register(r.DEMOD, 0x4D | 0x10 * even)
    bare.write_register(r.COM_IRQ, 0x7F)
    bare.write_register(r.CONTROL, 0x40)
    started, step = bare.world.clock.now, (339 + even) / 13.56e6
    assert bare.world.chips[0].due - started == pytest.approx(40 * step * 1e9, abs=1)
    bare.world.clock.advance_to(started + round(39.9 * step * 1e9) - 60_000)
    assert bare.read_register(r.COM_IRQ) == 0
    bare.world.sleep(0.001)
    assert bare.read_register(r.COM_IRQ) == r.TIMER_IRQ
    assert bare.read_register(r.STATUS1) & 8 == 0


def test_the_crc_unit_follows_its_preset_and_goes_on_with_later_bytes() -> None:
    bare = fresh()
    bare.write_register(r.MODE, 0x3D)
    bare.write_register(r.FIFO_DATA, 0x50)
    bare.write_register(r.COMMAND, CALC_CRC)
    assert bare.read_register(r.DIV_IRQ) == r.CRC_IRQ
    bare.write_register(r.DIV_IRQ, 0x04)
    bare.write_register(r.FIFO_DATA, 0x00)
    assert bare.read_registers(r.DIV_IRQ, r.CRC_RESULT_LOW, r.CRC_RESULT_HIGH) == [0x04, 0x57, 0xCD]


def test_a_soft_reset_ends_everything_and_takes_a_moment() -> None:
    host = probe(STICKER)
    host.write_register(r.COMMAND, 0x0F)
    assert host.world.fields_on() == []
    assert host.world.chips[0].regs[r.COMMAND] == 0x30
    host.world.sleep(0.0001)
    assert host.read_registers(r.COMMAND, r.TX_CONTROL, r.T_MODE) == [0x20, 0x80, 0x00]


def test_a_request_brings_the_answer_of_the_tag() -> None:
    outcome = probe(STICKER).send_frame(b"\x26", last_bits=7)
    assert outcome.answer == Frame(0x0044, 16)
    assert outcome.irq & (r.RX_IRQ | r.TX_IRQ | r.TIMER_IRQ | r.ERR_IRQ) == 0x60
    assert outcome.error == 0


def test_silence_is_only_the_timer() -> None:
    host = probe()
    outcome = host.send_frame(b"\x26", last_bits=7)
    assert outcome.irq & 0x63 == r.TX_IRQ | r.TIMER_IRQ
    assert host.read_registers(r.COMMAND, r.FIFO_LEVEL) == [TRANSCEIVE, 0]


@pytest.mark.parametrize(
    ("register", "value"),
    [(r.TX_ASK, 0x00), (r.TX_MODE, 0x10), (r.RX_MODE, 0x10), (r.TX_CONTROL, 0x80)],
)
def test_without_full_modulation_106_kbit_and_a_field_nobody_answers(
    register: int, value: int
) -> None:
    host = probe(STICKER)
    host.write_register(register, value)
    assert host.send_frame(b"\x26", last_bits=7).answer == Frame(0, 0)


def test_the_chip_adds_and_checks_the_crc_when_asked() -> None:
    host = probe("11223344")
    host.send_frame(b"\x26", last_bits=7)
    host.write_register(r.TX_MODE, 0x80)
    host.write_register(r.RX_MODE, 0x80)
    outcome = host.send_frame(bytes.fromhex("93701122334444"))
    assert (outcome.error, outcome.answer.to_bytes()) == (0, b"\x08")


def colliding(make: Make | None = None, after: int = 0x00) -> Probe:
    """Two Classic cards that differ in their 11th and 13th bit, called and ready."""
    host = probe("11023344", "11163344", make=make)
    host.write_register(r.COLL, after)
    host.send_frame(b"\x26", last_bits=7)
    return host


def test_a_collision_is_noted_with_its_place_and_clears_what_follows() -> None:
    outcome = colliding().send_frame(b"\x93\x20")
    assert outcome.error == r.COLL_ERR
    assert outcome.coll == 11
    assert outcome.answer.length == 40
    assert outcome.answer.bits == 0x0611


@pytest.mark.parametrize(("reading", "position"), [("fifo", 5), ("absolute", 13)])
def test_the_place_of_a_collision_counts_in_one_of_two_ways(reading: str, position: int) -> None:
    make = Make(coll_pos="fifo" if reading == "fifo" else "absolute")
    host = probe("11063344", "11163344", make=make)
    host.send_frame(b"\x26", last_bits=7)
    outcome = host.send_frame(b"\x93\x33\x11\x06", last_bits=3, align=3)
    assert outcome.coll == position


def test_a_collision_in_the_last_bit_reads_as_place_zero() -> None:
    host = probe("11223344", "112233c4")
    host.send_frame(b"\x26", last_bits=7)
    assert host.send_frame(b"\x93\x20").coll == 0
