"""Who gets a tag that two readers hear: in noise, among twins, and while a chip forgets."""

from collections.abc import Callable
from random import Random

import pytest

from companion.core.sensor_events import Arrived, Evidence, Odd
from hardware.interference import MANY, Duel, has_moved
from hardware.rc522.reader import Rc522Reader
from hardware.simulator import faults
from hardware.simulator.air.airs import (
    HEARING_FIRST,
    POWER_FIRST,
    Air,
    HearingLimits,
    IdealAir,
    PhysicsAir,
)
from tests.worlds.campaign import pick
from tests.worlds.driver_stage import Stage, staged

CARD = "04a1b2c3d4e5f6"
UID = bytes.fromhex(CARD)


def noisy(stage: Stage) -> None:
    for reader in range(len(stage.by_place)):
        faults.frame_loss(stage.world, reader, 0.05)
        faults.bit_errors(stage.world, reader, 0.01)


def duels(stage: Stage) -> list[bool]:
    """Told of every duel from now on."""
    contest, fought = stage.readers._arbiter._contest, list[bool]()
    duel = contest.compare_strength

    def counted(tag: str, home: int, rival: int) -> Duel | None:
        fought.append(True)
        return duel(tag, home, rival)

    contest.compare_strength = counted  # type: ignore[method-assign]
    return fought


def at_transfer(stage: Stage, number: int, act: Callable[[], object]) -> None:
    """Let something happen so many transfers from now."""
    end = stage.world.bus.transfers + number

    def look() -> None:
        if stage.world.bus.transfers >= end:
            stage.world.bus.on_transfer = None
            act()

    stage.world.bus.on_transfer = look


def told(stage: Stage, seconds: float) -> list[Evidence]:
    """What is said of cards; that there are twins is said besides."""
    return [news for news in stage.run(seconds) if not isinstance(news, Odd)]


@pytest.mark.parametrize("seed", range(pick(1, 2, 15)))
def test_noise_does_not_give_a_card_to_a_neighbour_that_hears_it(seed: int) -> None:
    """The neighbour is visited first, so the card is awake to it, and duels do happen."""
    with staged(seed=seed) as stage:
        stage.put(CARD, 3)
        stage.run(2)
        noisy(stage)
        faults.heard_by(stage.world, CARD, 1, 0.3)
        fought = duels(stage)
        assert told(stage, 120) == []
        assert len(fought) > 10


@pytest.mark.parametrize("coupling", [0.3, 0.6, 1.0])
def test_a_quiet_room_does_not_either(coupling: float) -> None:
    with staged() as stage:
        stage.put(CARD, 3)
        stage.run(2)
        faults.heard_by(stage.world, CARD, 1, coupling)
        fought = duels(stage)
        assert told(stage, 30) == []
        assert fought


@pytest.mark.parametrize("noise", pick([True], [False, True], [False, True]))
@pytest.mark.parametrize("seed", range(pick(1, 2, 15)))
def test_of_twins_the_first_keeps_its_place(seed: int, noise: bool) -> None:
    with staged(seed=seed) as stage:
        stage.put(CARD, 3)
        stage.run(2)
        if noise:
            noisy(stage)
        faults.add_twin(stage.world, CARD, 6)
        fought = duels(stage)
        assert told(stage, 60) == []
        assert fought


def test_a_card_that_lies_elsewhere_after_all_is_found_out_within_two_seconds() -> None:
    with staged() as stage:
        card = stage.put(CARD, 3, 0.4)
        stage.run(2)
        stage.world.field.place_tag(card, 1, 1.0)
        stage.world.field.remove_tag(card, 2)
        stage.world.field.place_tag(card, 2, 0.4)
        assert [event.place for event in told(stage, 2)] == [3, 2]  # type: ignore[attr-defined]


LAWS: list[Callable[[], Air]] = [
    lambda: PhysicsAir(limits=POWER_FIRST),
    lambda: PhysicsAir(limits=HEARING_FIRST),
    lambda: PhysicsAir(
        limits=HearingLimits(power=0.05, hearing_db=-60)
    ),  # the gain changes nothing
    IdealAir,
]


@pytest.mark.parametrize("law", LAWS)
def test_whichever_fails_first_a_new_card_is_told_where_it_lies(law: Callable[[], Air]) -> None:
    """At home it couples at 0.6 or better, at a neighbour at 0.35 or worse, heard there or not."""
    air, wrong = law(), []
    for seed in range(pick(2, 16, 120)):
        chance = Random(seed)
        home, rival = chance.uniform(0.6, 1), chance.uniform(0.05, 0.35)
        place = chance.choice((1, 2))
        with staged(2, seed=seed, air=air) as stage:
            card = stage.put(CARD, place, home)
            stage.world.field.place_tag(card, 2 - place, rival)
            arrived = [(type(news), news.place) for news in stage.rounds(3)]  # type: ignore[attr-defined]
        if arrived != [(Arrived, place)]:
            wrong.append((seed, home, rival, place, arrived))
    assert wrong == []


@pytest.mark.parametrize("law", LAWS)
def test_after_a_measurement_power_and_gain_are_the_usual_ones(law: Callable[[], Air]) -> None:
    with staged(1, air=law()) as stage:
        stage.put(CARD, 1)
        reader, regs = stage.by_place[1], stage.world.chips[0].regs
        before = bytes(regs[0x26:0x29])
        found = reader.strength(UID)
        assert found is not None
        assert found > 3
        assert bytes(regs[0x26:0x29]) == before
        assert stage.world.fields_on() == []
        assert reader.strength(bytes.fromhex("04778899aabbcc")) == 0


def test_one_duel_moves_nothing_nor_do_many_that_home_does_not_lose() -> None:
    assert not has_moved([Duel(0, 6)] * (MANY - 1))
    assert has_moved([Duel(0, 6)] * MANY)
    assert not has_moved([Duel(6, 6)] * MANY)
    assert not has_moved([Duel(4, 6)] * MANY)
    assert not has_moved([Duel(3, 4)] * MANY)


@pytest.mark.parametrize("transfer", range(1, 100, 9))
def test_a_chip_that_forgets_while_it_listens_has_heard_nothing(transfer: int) -> None:
    listening: list[Callable[[Rc522Reader], object]] = [
        lambda reader: reader.strength(UID),
        lambda reader: reader.hears_neighbour([UID, bytes.fromhex("04778899aabbcc")]),
    ]
    for listen in listening:
        with staged(1) as stage:
            stage.put(CARD, 1)
            stage.run(1)
            forgets = []

            def forget(stage: Stage = stage, forgets: list[bool] = forgets) -> None:
                faults.brown_out(stage.world, 0)
                forgets.append(True)

            at_transfer(stage, transfer, forget)
            assert listen(stage.by_place[1]) is None or not forgets
            assert stage.world.fields_on() == []
