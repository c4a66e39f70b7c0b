"""Faults on demand."""

import pytest

from hardware.simulator import faults
from hardware.simulator import registers as r
from hardware.simulator.frame import Frame
from hardware.simulator.world import World
from tests.hardware.simulator.probe import Probe

CARD, OTHER = "04a1b2c3d4e5f6", "04a1b2c3d4e5f7"


def answers(host: Probe) -> bool:
    """Whether anything answers to WUPA."""
    return host.send_frame(b"\x52", last_bits=7).answer.length > 0


def heard(host: Probe, times: int = 200) -> int:
    """How often a tag that is called afresh answers."""
    count = 0
    for _ in range(times):
        host.world.tags_on(0)[0].drop_selection()
        count += answers(host)
    return count


@pytest.mark.parametrize("byte", [0x00, 0xFF])
def test_a_dead_board_answers_one_byte_and_the_others_live(byte: int) -> None:
    world = World(2)
    undo = faults.silence_reader(world, 0, byte)
    read = [0x80 | r.VERSION << 1, 0]
    assert world.open_spi(0).xfer2(read) == [byte, byte]
    assert world.open_spi(1).xfer2(read)[1] == 0x92
    undo()
    assert world.open_spi(0).xfer2(read)[1] == 0x92


def test_a_brown_out_resets_the_registers_and_leaves_the_version() -> None:
    world = World(1)
    host = Probe(world)
    faults.brown_out(world, 0)
    assert host.read_registers(r.VERSION, r.T_MODE, r.TX_CONTROL, r.TX_ASK) == [
        0x92,
        0x00,
        0x80,
        0x00,
    ]
    assert world.fields_on() == []


def test_a_board_that_grips_miso_spoils_the_others() -> None:
    world = World(2)
    undo = faults.grips_miso(world, 0)
    read = [0x80 | r.VERSION << 1, 0]
    assert world.open_spi(1).xfer2(read)[1] == 0x00
    assert world.open_spi(0).xfer2(read)[1] == 0x92
    undo()
    assert world.open_spi(1).xfer2(read)[1] == 0x92


def test_a_cut_antenna_hears_nothing_and_says_nothing_about_it() -> None:
    world = World(1)
    world.put(CARD, 0)
    host = Probe(world)
    undo = faults.antenna_cut(world, 0)
    assert not answers(host)
    assert host.read_register(r.TX_CONTROL) == 0x83
    undo()
    world.sleep(0.005)
    assert answers(host)


def test_a_stuck_crypto_bit_shows_and_silences() -> None:
    world = World(1)
    world.put(CARD, 0)
    host = Probe(world)
    faults.crypto_stuck(world, 0)
    assert host.read_register(r.STATUS2) & r.CRYPTO_ON
    assert not answers(host)


def test_a_tag_at_the_edge_flickers_and_comes_back() -> None:
    world = World(1, seed=2)
    world.put(CARD, 0)
    host = Probe(world)
    undo = faults.slide_to_edge(world, CARD, 0.2)
    assert 90 < heard(host) < 180
    undo()
    assert heard(host) == 200


def test_twins_answer_as_one() -> None:
    world = World(1)
    world.put("11223344", 0)
    faults.add_twin(world, "11223344", 0)
    host = Probe(world)
    host.send_frame(b"\x26", last_bits=7)
    outcome = host.send_frame(b"\x93\x20")
    assert outcome.error == 0
    assert outcome.answer == Frame(0x4444332211, 40)


def test_a_fault_for_a_tag_that_is_not_there_says_so() -> None:
    with pytest.raises(LookupError, match=f"No tag {CARD} lies on the table"):
        faults.slide_to_edge(World(1), CARD)
