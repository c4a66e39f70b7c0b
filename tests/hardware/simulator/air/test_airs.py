"""The physics air: who is powered and heard over a place, alone, in piles and beside."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulator.air.airs import (
    POWER_FIRST,
    HearingLimits,
    LaidTag,
    PhysicsAir,
    power_limits,
    solve,
)
from hardware.simulator.air.neumann import Coils
from hardware.simulator.air.poses import MIDDLE, SLEEVED, Pose, draw_pose, pose_card
from hardware.simulator.air.table import AirTable, load_table
from hardware.simulator.echo import Reception
from hardware.simulator.field import Field
from hardware.simulator.frame import Frame
from hardware.simulator.tag import Tag
from hardware.simulator.world import World

BARE = 0.3
PITCH = Coils().slot_pitch
UIDS = [f"04a1b2c3d4e5{n:02x}" for n in range(10)]


def laid(*poses: Pose, limits: HearingLimits = POWER_FIRST) -> World:
    """A world with one reader and a pile."""
    world = World(1, air=PhysicsAir(limits=limits))
    for uid, pose in zip(UIDS, poses, strict=False):
        world.lay(uid, 0, pose)
    return world


def answer(
    world: World, gain_db: int = 33, drive: float = 1.0, wait: float = 5
) -> Reception | None:
    """What is heard of REQA, so many ms after the field came."""
    antenna = world.field.antennas[0]
    antenna.set_drive(0.0)
    world.sleep(0.01)
    antenna.set_drive(drive)
    world.sleep(wait / 1000)
    now = world.clock.now
    world.sleep(0.001)
    return antenna.send_frame(Frame(0x26, 7), now, now + 94_000, gain_db)


def joined(field: Field, tag: Tag) -> float:
    """The coupling of a tag while all others lie there."""
    antenna = field.antennas[0]
    return field._supplies[tag].reach[antenna]


def at_height(mm: float) -> Pose:
    return Pose(thickness=mm - Coils().bed)


@pytest.mark.parametrize("reach", [8, 10, 12, 15])
def test_a_sticker_is_heard_as_far_as_the_power_reaches_and_not_in_the_corner_of_a_card(
    reach: float,
) -> None:
    limits = power_limits(reach)
    assert answer(laid(at_height(reach - 0.5), limits=limits))
    assert not answer(laid(at_height(reach + 0.5), limits=limits))
    assert not answer(laid(Pose(14, 26.5), limits=limits))


@pytest.mark.parametrize("reach", [8, 10, 12, 15])
def test_a_single_card_over_3_mm_of_wood_is_heard_whichever_way_it_lies(reach: float) -> None:
    chance, world = Random(1), World(1, air=PhysicsAir(limits=power_limits(reach)))
    for n in range(200):
        card = world.lay(UIDS[0], 0, draw_pose(n % 4, PITCH, chance))
        assert answer(world)
        world.lift(card)


def test_gain_hardly_changes_the_distance_and_power_does() -> None:
    edge = at_height(11.5)
    assert answer(laid(edge), gain_db=23)
    assert answer(laid(edge), gain_db=48)
    assert not answer(laid(edge), gain_db=48, drive=0.7)


def test_two_stickers_exactly_stacked_answer_never() -> None:
    assert not answer(laid(MIDDLE, MIDDLE))
    assert not answer(laid(pose_card(2, PITCH), pose_card(2, PITCH)))


def test_what_lay_above_a_lifted_card_comes_down() -> None:
    world = laid(pose_card(0, PITCH), pose_card(1, PITCH))
    below, above = world.tags_on(0)
    high = world.field.tag_couplings(above)[0]
    world.lift(below)
    assert world.field.tag_couplings(above)[0] > high


def test_sleeves_lift_a_card_and_part_two_stickers() -> None:
    """Six sleeved cards are as high as twelve bare ones."""
    bare, sleeved = (laid(*[pose_card(n % 4, PITCH, thickness=each) for n in range(6)])
                     for each in (BARE, SLEEVED))  # fmt: skip
    tops = [world.field.tag_couplings(world.tags_on(0)[5])[0] for world in (bare, sleeved)]
    assert tops[0] > tops[1]
    stacked = [laid(*[Pose(thickness=each)] * 2) for each in (BARE, SLEEVED)]
    levels = [joined(world.field, world.tags_on(0)[1]) for world in stacked]
    assert levels[0] < levels[1] < PhysicsAir().power_floor


def test_the_next_place_hears_nothing_and_one_much_closer_does() -> None:
    world = World(8, air=PhysicsAir())
    card = world.lay(UIDS[0], 1)
    assert world.field.tag_couplings(card).keys() == {1}
    close = World(8, air=PhysicsAir(close_places()))
    couplings = close.field.tag_couplings(close.lay(UIDS[0], 1))
    assert couplings[0] == couplings[2] == couplings[5] < couplings[4] < 0


def close_places() -> AirTable:
    """The stored table with the places closer than any table has them."""
    table = load_table()
    closer = msgspec.structs.replace(table.assumptions, place_pitch=40.0)
    return msgspec.structs.replace(table, assumptions=closer)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=8))
def test_the_currents_of_a_pile_solve_its_equations(places: list[tuple[float, float]]) -> None:
    air = PhysicsAir()
    poses = [Pose(x, y) for x, y in places]
    tags: list[LaidTag] = [met[0] for met in air.pile_couplings(0, poses, 1)]
    system = [[air._impedance(one, other) for other in tags] for one in tags]
    found = solve(system, [tag.coupling for tag in tags])
    for row, tag in zip(system, tags, strict=True):
        total = sum(z * current for z, current in zip(row, found, strict=True))
        assert abs(total - tag.coupling) < 1e-6
    assert air.join_couplings(tags) == pytest.approx([abs(current) for current in found])
