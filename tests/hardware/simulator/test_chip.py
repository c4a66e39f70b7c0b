"""The MFRC522, register by register, as its data sheet describes it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.simulator import registers as r
from hardware.simulator.commands import CALC_CRC, MEM, PUBLISHED, TRANSCEIVE
from hardware.simulator.frame import Frame, with_crc
from hardware.simulator.world import Make, World
from tests.hardware.simulator.probe import Probe
from tests.worlds.campaign import pick

STICKER = "04a1b2c3d4e5f6"


def probe(*uids: str, make: Make | None = None, timeout_us: int = 1000) -> Probe:
    world = World(1, make=make)
    for uid in uids:
        world.put(uid, 0)
    return Probe(world, timeout_us=timeout_us)


def fresh(make: Make | None = None) -> Probe:
    """A chip nobody has set up."""
    bare = Probe.__new__(Probe)
    bare.world = World(1, make=make)
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


@pytest.mark.parametrize("version", [0x91, 0x92, 0x88, 0x12, 0xB2])
def test_the_version_is_what_the_chip_is(version: int) -> None:
    bare = fresh(Make(version=version))
    bare.write_register(r.VERSION, 0x00)
    assert bare.read_register(r.VERSION) == version


@given(register=st.integers(0, 63), value=st.integers(0, 255))
def test_only_writable_bits_change(register: int, value: int) -> None:
    if register in (r.COMMAND, r.COM_IRQ, r.DIV_IRQ, r.FIFO_DATA, r.FIFO_LEVEL, r.CONTROL):
        return
    bare = fresh()
    before = bare.read_register(register)
    bare.write_register(register, value)
    mask = r.WRITABLE[register]
    assert bare.read_register(register) == before & ~mask | value & mask


def test_one_transfer_reads_several_registers() -> None:
    bare = fresh()
    assert bare.read_registers(r.VERSION, r.MODE, r.RF_CFG) == [0x92, 0x3F, 0x48]


def test_a_burst_fills_the_fifo_and_comes_out_in_order() -> None:
    bare = fresh()
    bare.write_register(r.FIFO_DATA, 1, 2, 3)
    assert bare.read_registers(r.FIFO_LEVEL, r.FIFO_DATA, r.FIFO_DATA, r.FIFO_LEVEL) == [3, 1, 2, 1]
    bare.write_register(r.FIFO_LEVEL, 0x80)
    assert bare.read_registers(r.FIFO_LEVEL, r.FIFO_DATA) == [0, 0]


def test_naming_the_fifo_in_the_last_byte_costs_a_byte() -> None:
    bare = fresh()
    bare.write_register(r.FIFO_DATA, 1, 2, 3)
    bare.spi.xfer2([0x80 | r.FIFO_DATA << 1, 0x80 | r.FIFO_DATA << 1])
    assert bare.read_register(r.FIFO_LEVEL) == 1


def test_the_sixty_fifth_byte_is_lost_and_noticed() -> None:
    bare = fresh()
    bare.write_register(r.COM_IRQ, 0x7F)
    bare.write_register(r.FIFO_DATA, *range(65))
    assert bare.read_registers(r.FIFO_LEVEL, r.ERROR) == [64, r.BUFFER_OVFL]
    assert bare.read_register(r.COM_IRQ) == r.ERR_IRQ | r.HI_ALERT_IRQ
    bare.write_register(r.FIFO_LEVEL, r.FLUSH_BUFFER)
    assert bare.read_register(r.ERROR) == 0


@pytest.mark.parametrize(("stored", "alerts"), [(4, 1), (5, 0), (59, 0), (60, 2)])
def test_the_water_level_warns_at_both_ends(stored: int, alerts: int) -> None:
    bare = fresh()
    bare.write_register(r.WATER_LEVEL, 4)
    bare.write_register(r.FIFO_DATA, *range(stored))
    assert bare.read_register(r.STATUS1) & 3 == alerts


def test_irq_bits_are_set_with_bit_7_and_cleared_without() -> None:
    bare = fresh()
    bare.write_register(r.COM_IRQ, 0x7F)
    assert bare.read_register(r.COM_IRQ) == 0
    bare.write_register(r.COM_IRQ, 0x80 | 0x21)
    assert bare.read_register(r.COM_IRQ) == 0x21
    bare.write_register(r.COM_IRQ, 0x01)
    assert bare.read_register(r.COM_IRQ) == 0x20


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


def test_a_stopped_timer_keeps_its_value_and_an_automatic_one_goes_round() -> None:
    bare = fresh()
    bare.write_register(r.T_MODE, 0x10)
    bare.write_register(r.T_PRESCALER, 0xA9)
    bare.write_register(r.T_RELOAD_LOW, 9)
    bare.write_register(r.CONTROL, 0x40)
    bare.world.sleep(0.01)
    assert bare.read_register(r.STATUS1) & 8
    bare.write_register(r.CONTROL, 0x80)
    value = bare.read_register(r.T_COUNTER_LOW)
    bare.world.sleep(0.01)
    assert bare.read_register(r.T_COUNTER_LOW) == value < 10


def test_the_crc_unit_follows_its_preset_and_goes_on_with_later_bytes() -> None:
    bare = fresh()
    bare.write_register(r.MODE, 0x3D)
    bare.write_register(r.FIFO_DATA, 0x50)
    bare.write_register(r.COMMAND, CALC_CRC)
    assert bare.read_register(r.DIV_IRQ) == r.CRC_IRQ
    bare.write_register(r.DIV_IRQ, 0x04)
    bare.write_register(r.FIFO_DATA, 0x00)
    assert bare.read_registers(r.DIV_IRQ, r.CRC_RESULT_LOW, r.CRC_RESULT_HIGH) == [0x04, 0x57, 0xCD]


@pytest.mark.parametrize("version", [0x91, 0x92])
def test_the_self_test_leaves_the_published_bytes(version: int) -> None:
    bare = fresh(Make(version=version))
    bare.write_register(r.COMMAND, 0x0F)
    bare.world.sleep(0.001)
    bare.write_register(r.FIFO_DATA, *bytes(25))
    bare.write_register(r.COMMAND, MEM)
    bare.write_register(r.AUTO_TEST, 0x09)
    bare.write_register(r.FIFO_DATA, 0x00)
    bare.write_register(r.COMMAND, CALC_CRC)
    bare.world.sleep(0.01)
    assert bare.read_register(r.FIFO_LEVEL) == 64
    assert bytes(bare.read_registers(*[r.FIFO_DATA] * 64)) == PUBLISHED[version]


def test_the_self_test_without_its_preparation_gives_other_bytes() -> None:
    bare = fresh()
    bare.write_register(r.FIFO_DATA, *range(25))
    bare.write_register(r.COMMAND, MEM)
    bare.write_register(r.AUTO_TEST, 0x09)
    bare.write_register(r.FIFO_DATA, 0x00)
    bare.write_register(r.COMMAND, CALC_CRC)
    bare.world.sleep(0.01)
    assert bytes(bare.read_registers(*[r.FIFO_DATA] * 64)) != PUBLISHED[0x92]


def test_the_internal_buffer_keeps_twenty_five_bytes_through_a_reset() -> None:
    bare = fresh()
    bare.write_register(r.FIFO_DATA, *range(25))
    bare.write_register(r.COMMAND, MEM)
    assert bare.read_registers(r.FIFO_LEVEL, r.COMMAND) == [0, 0x00]
    bare.write_register(r.COMMAND, 0x0F)
    bare.world.sleep(0.001)
    bare.write_register(r.COMMAND, MEM)
    assert bare.read_registers(*[r.FIFO_DATA] * 25) == list(range(25))


def test_a_soft_reset_ends_everything_and_takes_a_moment() -> None:
    host = probe(STICKER)
    host.write_register(r.COMMAND, 0x0F)
    assert host.world.fields_on() == []
    assert host.world.chips[0].regs[r.COMMAND] == 0x30
    host.world.sleep(0.0001)
    assert host.read_registers(r.COMMAND, r.TX_CONTROL, r.T_MODE) == [0x20, 0x80, 0x00]


def test_an_unknown_command_ends_at_once_with_idle_irq() -> None:
    bare = fresh()
    bare.write_register(r.COM_IRQ, 0x7F)
    bare.write_register(r.COMMAND, 0x0B)
    assert bare.read_registers(r.COMMAND, r.COM_IRQ) == [0x00, r.IDLE_IRQ]
    bare.write_register(r.COM_IRQ, 0x7F)
    bare.write_register(r.COMMAND, 0x00)
    assert bare.read_register(r.COM_IRQ) == 0


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


def test_after_the_answer_the_chip_stays_in_transceive() -> None:
    host = probe(STICKER)
    assert host.send_frame(b"\x26", last_bits=7).irq & r.IDLE_IRQ == 0
    assert host.read_register(r.COMMAND) == TRANSCEIVE
    assert host.read_register(r.STATUS2) & 7 == 1


def test_a_short_timer_rings_although_the_answer_still_comes() -> None:
    host = probe(STICKER)
    host.write_register(r.T_RELOAD_LOW, 1)
    outcome = host.send_frame(b"\x26", last_bits=7)
    assert outcome.irq & (r.RX_IRQ | r.TIMER_IRQ) == r.RX_IRQ | r.TIMER_IRQ
    assert outcome.answer == Frame(0x0044, 16)


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


def test_an_answer_without_crc_is_a_crc_error_when_one_is_asked_for() -> None:
    host = probe(STICKER)
    host.write_register(r.RX_MODE, 0x80)
    outcome = host.send_frame(b"\x26", last_bits=7)
    assert outcome.error == r.CRC_ERR
    assert outcome.irq & r.ERR_IRQ


def test_writing_the_fifo_while_waiting_for_an_answer_is_an_error() -> None:
    host = probe()
    host.send_frame(b"\x26", last_bits=7)
    host.write_register(r.FIFO_DATA, 0x00)
    assert host.read_register(r.ERROR) == r.WR_ERR


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


def test_bits_after_a_collision_can_be_kept() -> None:
    outcome = colliding(after=0x80).send_frame(b"\x93\x20")
    assert outcome.coll == 0x80 | 11
    assert outcome.answer.bits & 0xFFFFFFFF == 0x44331611


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


def test_without_a_collision_its_place_is_not_valid() -> None:
    host = probe("11223344")
    host.send_frame(b"\x26", last_bits=7)
    outcome = host.send_frame(b"\x93\x20")
    assert outcome.coll & r.COLL_POS_NOT_VALID
    assert outcome.answer.to_bytes() == bytes.fromhex("1122334444")


@settings(max_examples=pick(50, 150, 1000))
@given(st.binary(min_size=4, max_size=4), st.integers(0, 39))
def test_any_split_of_the_uid_brings_the_rest_of_it(uid: bytes, known: int) -> None:
    host = probe(uid.hex())
    host.send_frame(b"\x26", last_bits=7)
    own = uid + bytes([uid[0] ^ uid[1] ^ uid[2] ^ uid[3]])
    bits = int.from_bytes(own, "little")
    whole, part = divmod(known, 8)
    told = (bits & ((1 << known) - 1)).to_bytes(5, "little")[: whole + (part > 0)]
    outcome = host.send_frame(
        bytes([0x93, 2 + whole << 4 | part]) + told, last_bits=part, align=part
    )
    assert outcome.error == 0
    assert outcome.answer == Frame(bits >> known, 40 - known)


def test_four_bits_arrive_as_four_bits() -> None:
    host = probe(STICKER)
    host.send_frame(b"\x26", last_bits=7)
    for select in ("93708804a1b2" + "9f", "9570c3d4e5f604"):
        host.send_frame(with_crc(bytes.fromhex(select)))
    refused = host.send_frame(b"\x30\x04\x00\x00")
    assert (refused.answer, refused.error) == (Frame(0x1, 4), 0)


def test_bytes_reach_the_fifo_one_by_one() -> None:
    host = probe("11223344")
    host.send_frame(b"\x26", last_bits=7)
    host.write_register(r.FIFO_LEVEL, 0x80)
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_DATA, 0x93, 0x20)
    host.write_register(r.COMMAND, TRANSCEIVE)
    host.write_register(r.BIT_FRAMING, 0x80)
    levels = [host.read_register(r.FIFO_LEVEL) for _ in range(40)]
    assert levels == sorted(levels)
    assert set(levels) == {0, 1, 2, 3, 4, 5}


def test_an_idle_command_before_the_frame_is_out_keeps_it_from_the_tag() -> None:
    host = probe(STICKER)
    host.write_register(r.FIFO_DATA, 0x26)
    host.write_register(r.COMMAND, TRANSCEIVE)
    host.write_register(r.BIT_FRAMING, 0x87)
    host.write_register(r.COMMAND, 0)
    host.world.sleep(0.01)
    assert host.world.tags_on(0)[0].state.value == "off"


def test_a_hard_reset_holds_the_chip_until_its_oscillator_runs() -> None:
    host = probe(STICKER)
    host.world.pins.drive(25, 0)
    assert host.read_register(r.VERSION) == 0x00
    host.world.pins.drive(25, 1)
    assert host.read_register(r.VERSION) == 0x00
    host.world.sleep(0.005)
    assert host.read_registers(r.VERSION, r.T_MODE, r.COMMAND) == [0x92, 0x00, 0x20]


def test_power_down_switches_the_field_off() -> None:
    host = probe(STICKER)
    host.write_register(r.COMMAND, 0x17)
    assert host.world.fields_on() == []
    host.write_register(r.COMMAND, 0x07)
    host.world.sleep(0.001)
    assert host.world.fields_on() == [0]
