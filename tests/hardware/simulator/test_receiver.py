"""The chip on the air: what the receiver makes of bad, late, short and half-heard answers."""

from collections.abc import Iterator

from hardware.simulator import registers as r
from hardware.simulator.commands import CALC_CRC, MEM, TRANSCEIVE, TRANSMIT
from hardware.simulator.echo import Noise
from hardware.simulator.frame import Frame, with_crc
from hardware.simulator.world import World
from tests.hardware.simulator.probe import Probe

CLASSIC = "11223344"
SELECT = with_crc(bytes.fromhex("93701122334444"))


class Strikes(Noise):
    """Noise that hits chosen places: 0 is the start, then bits, each byte's parity after it."""

    def __init__(self, *places: int, phantom: bool = False) -> None:
        super().__init__()
        self.places = places
        self.phantom_collisions = float(phantom)
        self.quiet = False

    def wrong_bits(self, length: int) -> Iterator[int]:
        return iter(self.places)


def ready(*uids: str) -> Probe:
    """A probe whose tags have been called."""
    world = World(1)
    for uid in uids or (CLASSIC,):
        world.put(uid, 0)
    host = Probe(world)
    host.send_frame(b"\x26", last_bits=7)
    return host


def struck(host: Probe, *places: int, phantom: bool = False) -> Probe:
    host.world.field.antennas[0].noise = Strikes(*places, phantom=phantom)
    return host


def test_a_wrong_parity_bit_is_a_parity_error_and_the_bytes_are_there() -> None:
    outcome = struck(ready(), 9).send_frame(b"\x93\x20")
    assert outcome.error == r.PARITY_ERR
    assert outcome.irq & (r.RX_IRQ | r.ERR_IRQ) == r.RX_IRQ | r.ERR_IRQ
    assert outcome.answer == Frame(0x4444332211, 40)


def test_the_parity_of_a_part_of_a_byte_is_not_checked() -> None:
    host = struck(ready(), 6)  # five bits are missing from the first byte, then its parity
    assert host.send_frame(b"\x93\x23\x01", last_bits=3, align=3).error == 0
    host = struck(ready(), 15)
    assert host.send_frame(b"\x93\x23\x01", last_bits=3, align=3).error == r.PARITY_ERR


def test_after_a_collision_parity_is_not_checked() -> None:
    outcome = struck(ready("11223344", "91223344"), 18).send_frame(b"\x93\x20")
    assert outcome.error == r.COLL_ERR
    assert outcome.coll == 8


def test_two_wrong_bits_in_a_byte_pass_the_parity_and_not_the_crc() -> None:
    host = ready()
    host.write_register(r.RX_MODE, 0x80)
    outcome = struck(host, 1, 2).send_frame(SELECT)
    assert outcome.error == r.CRC_ERR
    assert outcome.answer.length == 24


def test_a_spoiled_start_is_a_protocol_error_without_bytes() -> None:
    outcome = struck(ready(), 0).send_frame(b"\x93\x20")
    assert outcome.error == r.PROTOCOL_ERR
    assert outcome.answer.length == 0


def test_what_looks_like_a_collision_beyond_the_uid_has_no_valid_place() -> None:
    outcome = struck(ready(), 40, phantom=True).send_frame(b"\x93\x20")
    assert outcome.error == r.COLL_ERR
    assert outcome.coll == r.COLL_POS_NOT_VALID


def test_a_new_reception_forgets_the_errors_of_the_last() -> None:
    host = struck(ready(), 9)
    assert host.send_frame(b"\x93\x20").error == r.PARITY_ERR
    struck(host)
    host.write_register(r.COM_IRQ, 0x7F)
    host.write_register(r.FIFO_DATA, 0x93, 0x20)
    host.write_register(r.BIT_FRAMING, 0x80)
    host.world.sleep(0.002)
    assert host.read_registers(r.ERROR, r.FIFO_LEVEL) == [0, 5]


def test_with_the_receiver_off_nothing_arrives() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_DATA, 0x93, 0x20)
    host.write_register(r.COMMAND, r.RCV_OFF | TRANSCEIVE)
    host.write_register(r.BIT_FRAMING, 0x80)
    host.world.sleep(0.005)
    assert host.read_register(r.FIFO_LEVEL) == 0


def test_start_send_without_anything_to_send_does_nothing() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.COM_IRQ, 0x7F)
    host.write_register(r.COMMAND, TRANSCEIVE)
    host.write_register(r.BIT_FRAMING, 0x80)
    host.world.sleep(0.005)
    assert host.read_register(r.COM_IRQ) == 0


def test_transmit_sends_what_comes_and_ends_by_itself() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.COM_IRQ, 0x7F)
    host.write_register(r.COMMAND, TRANSMIT)
    host.write_register(r.FIFO_DATA, 0x93)
    host.world.sleep(0.002)
    assert host.read_register(r.COMMAND) == 0
    assert host.read_register(r.COM_IRQ) & (r.TX_IRQ | r.IDLE_IRQ) == r.TX_IRQ | r.IDLE_IRQ


def test_mem_waits_for_all_its_bytes() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_DATA, 1)
    host.write_register(r.COMMAND, MEM)
    host.write_register(r.FIFO_DATA, *range(2, 25))
    assert host.read_registers(r.COMMAND, r.FIFO_LEVEL) == [MEM, 24]
    host.write_register(r.FIFO_DATA, 25)
    assert host.read_registers(r.COMMAND, r.FIFO_LEVEL) == [0, 0]


def test_status_shows_a_crc_of_zero_and_a_wanted_interrupt() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.MODE, 0x3D)
    host.write_register(r.COM_IRQ, 0x7F)
    assert host.read_register(r.STATUS1) & 0x50 == 0
    host.write_register(r.FIFO_DATA, *with_crc(b"\x50\x00"))
    host.write_register(r.COMMAND, CALC_CRC)
    host.world.sleep(0.001)
    host.write_register(r.DIV_IEN, 0x04)
    assert host.read_register(r.STATUS1) & 0x70 == 0x70
    host.write_register(r.DIV_IRQ, 0x04)
    host.write_register(r.COM_IEN, 0x20)
    host.write_register(r.COM_IRQ, 0x80 | r.RX_IRQ)
    assert host.read_register(r.STATUS1) & 0x10


def test_reading_down_to_the_water_level_is_noted() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_LEVEL, 0x80)
    host.write_register(r.FIFO_DATA, *range(10))
    host.write_register(r.COM_IRQ, 0x7F)
    host.read_registers(r.FIFO_DATA)
    assert host.read_register(r.COM_IRQ) == 0
    host.read_registers(r.FIFO_DATA)
    assert host.read_register(r.COM_IRQ) == r.LO_ALERT_IRQ


def test_emptying_the_fifo_at_once_is_noted_too() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_DATA, *range(10))
    host.write_register(r.COM_IRQ, 0x7F)
    host.write_register(r.FIFO_LEVEL, 0x80)
    assert host.read_register(r.COM_IRQ) == r.LO_ALERT_IRQ


def test_after_power_down_the_chip_takes_a_moment() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0x10)
    host.write_register(r.COMMAND, 0x00)
    assert host.world.chips[0].regs[r.COMMAND] == 0x10
    host.world.sleep(0.0001)
    assert host.read_register(r.COMMAND) == 0x00
    assert host.world.fields_on() == [0]


def test_a_command_right_after_a_soft_reset_does_not_lose_the_wake_up() -> None:
    host = ready()
    host.world.bus.host_ns = 0
    host.write_register(r.COMMAND, 0x0F)
    host.write_register(r.COMMAND, TRANSCEIVE)
    host.world.sleep(0.001)
    assert host.read_register(r.COMMAND) == TRANSCEIVE


def test_what_was_sent_before_a_tag_moved_reached_it() -> None:
    host = ready()
    card = host.world.tags_on(0)[0]
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_DATA, *SELECT)
    host.write_register(r.COMMAND, TRANSCEIVE)
    host.write_register(r.BIT_FRAMING, 0x80)
    host.world.clock.advance_to(host.world.clock.now + 5_000_000)
    host.world.lift(card)
    assert host.read_register(r.FIFO_LEVEL) == 3
    assert card.state.value == "active"


def test_what_is_sent_before_a_tag_arrives_does_not_reach_it() -> None:
    host = ready()
    host.write_register(r.COMMAND, 0)
    host.write_register(r.FIFO_DATA, 0x52)
    host.write_register(r.COMMAND, TRANSCEIVE)
    host.write_register(r.BIT_FRAMING, 0x87)
    host.world.clock.advance_to(host.world.clock.now + 5_000_000)
    late = host.world.put("55667788", 0)
    host.world.sleep(0.01)
    assert late.state.value == "off"
