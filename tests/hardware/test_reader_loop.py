"""Rounds over eight readers: what is told, how soon, and what no fault can make them tell."""

import random
from collections.abc import Callable

import pytest

from companion.core.sensor_events import Arrived, FellSilent, Left, Odd, ReaderFound, ReaderLost
from hardware.simulator import faults, registers
from hardware.simulator.air.airs import PhysicsAir
from hardware.simulator.air.poses import pose_card
from hardware.simulator.faults import Undo
from hardware.simulator.transceiver import Make
from hardware.simulator.world import World
from tests.hardware.driver_stage import Stage, staged, sticker
from tests.worlds.campaign import pick

CARD = "04a1b2c3d4e5f6"


def laid(stage: Stage, cards: int = 2) -> list[str]:
    """So many cards at every place, lying there for a while."""
    chance, tags = random.Random(3), list[str]()
    for place in stage.by_place:
        for _ in range(cards):
            tags.append(sticker(chance))
            stage.put(tags[-1], place)
    assert len(stage.rounds(30)) == len(tags)
    return tags


def test_a_card_lifted_and_put_back_is_told_and_a_flicker_is_not() -> None:
    with staged() as stage:
        card = stage.put(CARD, 3)
        stage.run(5)
        for away, told in ((0.1, []), (0.25, []), (1.0, [FellSilent, Arrived])):
            stage.world.lift(card)
            news = stage.run(away)
            stage.world.put(card, 2)
            assert [type(e) for e in news + stage.run(2)] == told


@pytest.mark.parametrize("byte", [0x00, 0xFF])
def test_a_dead_reader_is_offline_within_2_s_and_back_within_5(byte: int) -> None:
    with staged() as stage:
        laid(stage)
        died = stage.world.now
        revive = faults.silence_reader(stage.world, 2, byte)
        (lost,) = stage.run(4)
        assert isinstance(lost, ReaderLost)
        assert lost.place == 3
        assert lost.at - died <= 2
        assert stage.words() == ["well"] * 2 + ["offline"] + ["well"] * 5
        revive()
        revived = stage.world.now
        (found,) = stage.run(6)
        assert isinstance(found, ReaderFound)
        assert found.at - revived <= 5
        assert set(stage.words()) == {"well"}
        healed = [condition.healings for condition in stage.readers.conditions()]
        assert healed == [0, 0, 1, 0, 0, 0, 0, 0]
        tried = stage.readers.conditions()[2].retries
        stage.run(2)
        assert stage.readers.conditions()[2].retries == tried >= 3


def test_a_dead_reader_does_not_stop_the_others() -> None:
    with staged() as stage:
        faults.silence_reader(stage.world, 2)
        stage.run(3)
        stage.put(CARD, 1)
        begun = stage.world.now
        assert [type(e) for e in stage.run(0.4)] == [Arrived]
        stage.rounds(5)
        assert (stage.world.now - begun) / 5 <= 0.2


@pytest.mark.parametrize("fault", [faults.brown_out, faults.crypto_stuck])
def test_a_chip_that_forgets_is_set_up_again_and_nobody_notices(
    fault: Callable[[World, int], Undo],
) -> None:
    with staged() as stage:
        laid(stage)
        for _ in range(5):
            fault(stage.world, 4)
            assert stage.run(1) == []
        assert set(stage.words()) == {"well"}


def test_a_board_that_keeps_miso_takes_the_others_with_it_and_gives_them_back() -> None:
    with staged() as stage:
        laid(stage)
        let_go = faults.grips_miso(stage.world, 2)
        assert {type(e) for e in stage.run(3)} == {ReaderLost}
        let_go()
        assert {type(e) for e in stage.run(5)} == {ReaderFound}
        assert stage.run(3) == []


def test_a_card_moved_away_from_a_dead_reader_is_believed() -> None:
    with staged() as stage:
        card = stage.put(CARD, 3)
        stage.run(2)
        faults.silence_reader(stage.world, 2)
        stage.run(3)
        stage.world.put(card, 0)
        news = stage.run(1)
        assert [(type(e), e.place) for e in news] == [(Left, 3), (Arrived, 1)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("coupling", [0.06, 0.13, 0.2])
def test_a_card_that_slides_to_the_edge_stays(coupling: float) -> None:
    with staged() as stage:
        tags = laid(stage)
        faults.slide_to_edge(stage.world, tags[4], coupling)
        assert stage.run(20) == []


@pytest.mark.parametrize("seed", range(pick(1, 2, 10)))
@pytest.mark.parametrize("card", pick([4], [0, 4, 9], range(10)))
def test_twins_do_not_make_a_card_jump(seed: int, card: int) -> None:
    with staged(seed=seed) as stage:
        tags = laid(stage)
        faults.add_twin(stage.world, tags[card], 6)
        assert {(type(news), news.what) for news in stage.run(30)} <= {(Odd, "twin")}  # type: ignore[attr-defined]


@pytest.mark.parametrize("version", [0x91, 0x88, 0x89, 0xB2, 0x12, 0x82])
def test_clones_and_unknown_makes_run_the_table_too(version: int) -> None:
    with staged(make=Make(version=version)) as stage:
        stage.put(CARD, 8)
        assert [type(e) for e in stage.run(1)] == [Arrived]
        revive = faults.silence_reader(stage.world, 2)
        assert [type(e) for e in stage.run(3)] == [ReaderLost]
        revive()
        assert [type(e) for e in stage.run(5)] == [ReaderFound]


REGISTERS = {
    registers.TX_ASK: 0x00,
    registers.RF_CFG: 0x08,
    registers.T_PRESCALER: 0x00,
    registers.T_RELOAD_LOW: 0x00,
    registers.T_RELOAD_HIGH: 0x40,
    registers.TX_MODE: 0x10,
    registers.RX_MODE: 0x80,
    registers.MODE: 0x3F,
}


@pytest.mark.parametrize("register", REGISTERS)
def test_a_single_setting_that_is_lost_is_set_again(register: int) -> None:
    with staged() as stage:
        stage.put(CARD, 3, 0.6)
        stage.run(2)
        stage.world.chips[2].regs[register] = REGISTERS[register]
        assert stage.run(10) == []
        assert stage.world.chips[2].regs[register] == stage.world.chips[1].regs[register]
        assert set(stage.words()) == {"well"}


@pytest.mark.parametrize("failures", [1, 3])
def test_wires_that_fail_in_the_midst_of_a_visit_leave_no_field_on(failures: int) -> None:
    with staged() as stage:
        stage.put(CARD, 3)
        stage.run(2)
        spi, count, most = stage.devices.open_stock_driver(0, 0).spi, [0], [0]
        transfer = spi.xfer2

        def failing(values: list[int]) -> list[int]:
            count[0] += stage.world.fields_on() == [2]
            if 6 <= count[0] < 6 + failures:
                count[0] += stage.world.fields_on() != [2]
                raise OSError(5, "Input/output error")
            answer: list[int] = transfer(values)
            most[0] = max(most[0], len(stage.world.fields_on()))
            return answer

        spi.xfer2 = failing
        assert stage.run(3) == []
        spi.xfer2 = transfer
        assert most == [1]


def test_wires_that_grow_bad_in_the_middle_of_a_game_are_spoken_to_more_slowly() -> None:
    with staged() as stage:
        laid(stage)
        faults.slow_wires(stage.world, 400_000)
        assert {type(e) for e in stage.run(5)} <= {ReaderLost, ReaderFound}
        assert set(stage.words()) == {"well"}
        assert {r.chip.link.hertz for r in stage.by_place.values()} == {250_000}


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(pick(1, 2, 10)))
def test_noise_makes_no_card_and_takes_none(seed: int) -> None:
    """Two cards lie at every place in the physical air, their stickers side by side."""
    chance = random.Random(seed)
    with staged(seed=seed, air=PhysicsAir()) as stage:
        for reader in range(8):
            for slot in range(2):
                pose = pose_card(slot, stage.world.air.slot_pitch)
                stage.world.lay(sticker(chance), reader, pose)
        assert len(stage.rounds(30)) == 16
        for reader in range(8):
            faults.frame_loss(stage.world, reader, 0.05)
            faults.bit_errors(stage.world, reader, 0.01)
        assert stage.rounds(pick(150, 300, 10_000)) == []


@pytest.mark.wide
def test_every_fault_at_once_for_a_while() -> None:
    """Whatever happens, a card that lies still is never said to leave, and none comes from
    nowhere; readers may be lost, and are found again."""
    chance = random.Random(11)
    with staged(seed=4) as stage:
        laid(stage)
        for reader in range(8):
            faults.frame_loss(stage.world, reader, 0.03)
            faults.bit_errors(stage.world, reader, 0.003)
        news = []
        for _ in range(12):
            reader = chance.randrange(8)
            fault = chance.choice(
                [faults.silence_reader, faults.brown_out, faults.crypto_stuck, faults.grips_miso]
            )
            undo = fault(stage.world, reader)
            news += stage.run(chance.uniform(0.1, 3))
            undo()
            news += stage.run(chance.uniform(0.1, 3))
        news += stage.run(5)
        assert {type(e) for e in news} <= {ReaderLost, ReaderFound}
        assert set(stage.words()) == {"well"}
