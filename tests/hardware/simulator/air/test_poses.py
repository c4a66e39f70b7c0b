"""Slots and poses: spread evenly within each kind, the same for a seed, never further than 5 mm."""

import math
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.app.simulated.pieces import Pieces
from companion.games import find_game
from companion.tracking.picture import is_card
from hardware.simulator.air.poses import MOST_ASKEW, SLOTS, deal_slots, draw_pose, pose_card
from hardware.simulator.hands_on_table import SimulatedTabletop, StillClock
from tests.worlds.own_games import own_games


@given(st.lists(st.sampled_from(["1000", "2000", "x"]), max_size=60), st.integers())
def test_each_kind_is_spread_evenly_over_the_slots(kinds: list[str], seed: int) -> None:
    slots = deal_slots(kinds, Random(seed))
    assert slots == deal_slots(kinds, Random(seed))
    for kind in set(kinds):
        found = Counter(slot for slot, other in zip(slots, kinds, strict=True) if other == kind)
        counts = [found[slot] for slot in range(len(SLOTS))]
        assert max(counts) - min(counts) <= 1


@given(st.sampled_from([None, 0, 1, 2, 3]), st.integers())
def test_a_hand_lays_a_card_near_its_middle_one_way_or_the_other(
    slot: int | None, seed: int
) -> None:
    pose = draw_pose(slot, 15.5, Random(seed))
    rights = [pose_card(slot, 15.5, turned=turned) for turned in (False, True)]
    off = min(math.hypot(pose.x - right.x, pose.y - right.y) for right in rights)
    assert off <= MOST_ASKEW


def test_a_box_keeps_its_slots_when_its_table_is_restored() -> None:
    top, again = SimulatedTabletop("phones-only", StillClock()), None
    for game in map(find_game, own_games()):
        pieces = Pieces(game.pieces, game.make_rulebook(), top, Random(1))
        slots = dict(top._slots)
        assert set(slots) == {tag for tag, thing in pieces.things.items() if is_card(thing)}
        again = Pieces(game.pieces, game.make_rulebook(), top, Random(2))
        assert top._slots != slots
        again.restore(pieces.save())
        assert top._slots == slots
    top.close()
