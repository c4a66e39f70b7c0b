"""What goes wrong on purpose at a simulated table, what the table says of it, and that it ends."""

import time

import pytest

from tests.worlds.simulated_hands import does, faces, lay, looks, spots
from web.simulation import Faults


def breaks(visitor, evening, fault, at=0, on=True):
    """Break something on purpose, or mend it."""
    asked = {"key": f"{fault}-{at}-{on}", "fault": fault, "at": at, "on": on}
    assert visitor.tells(f"/api/play/{visitor.seat}/faults", asked).status_code == 204
    looks(evening, 4)


def conditions(evening):
    return {condition.place: condition.word for condition in evening.source.reader_conditions()}


def test_a_pulled_cable_makes_a_place_to_be_tapped_until_it_is_back(visit, evening):
    ana = visit(1)
    breaks(ana, evening, "cable", 3)
    assert conditions(evening)[3] == "offline"
    assert evening.faults.faults == Faults(cable=(3,))
    assert "Bank 3: enter cards on a phone." in ana.reads("/phone")
    breaks(ana, evening, "cable", 3, on=False)
    assert conditions(evening)[3] == "well"
    assert evening.faults.faults == Faults()
    assert "enter cards on a phone" not in ana.reads("/phone")


def test_a_card_laid_at_a_pulled_cable_is_tapped_and_stays_right(visit, evening):
    ana = visit(1)
    does(evening, 1, do="tile_turned")
    breaks(ana, evening, "cable", 3)
    card = evening.source.pieces.hand_cards(1)[0]
    lay(evening, 1, "hand", "place-3", 1)
    assert len(evening.host.table.view().public.banks[2]) == 1
    assert ana.asks("card_placed", bank=3).status_code == 204
    looks(evening)
    assert faces(evening, 1, "place-3") == [None, card]
    breaks(ana, evening, "cable", 3, on=False)
    assert not evening.host.table.view().table.todos
    assert not evening.source.pieces.misplaced_tags()


def test_the_plug_is_pulled_once_the_answer_is_out(visit, evening):
    pulled = []
    evening.faults._restart = lambda: pulled.append(1)
    evening.host.clock = lambda: now
    ana, now = visit(1), time.monotonic()
    breaks(ana, evening, "plug", on=False)
    now += 1
    looks(evening)
    evening.faults.restart_if_due()
    assert not pulled
    breaks(ana, evening, "plug")
    assert not pulled
    now += 1
    evening.faults.restart_if_due()
    evening.faults.restart_if_due()
    assert pulled == [1]


@pytest.mark.wide
def test_a_game_with_every_fault_ends(visit, evening):
    ana = visit(2)
    evening.bots.persons_seat = 0
    for fault, at in (("cable", 1), ("frames", 5), ("stack", 4), ("bounce", 1)):
        breaks(ana, evening, fault, at)
    evening.bots.leave_seat(2)
    for _ in range(2_000):
        if evening.host.table.view().public.phase == "over":
            break
        if not evening.bots.play_one():
            looks(evening)
    assert evening.host.table.view().public.phase == "over"
    assert spots(evening, 1)["fingers"].lies == ()
