"""Whole boxes enrolled by a hand at the simulated table, through the real driver."""

from collections.abc import Iterator

import pytest

from companion.core.deck import Deck, count_missing
from companion.core.i18n import get_language
from companion.games import find_game
from companion.setup.box_check import BoxCheck
from companion.setup.walk import begin_stickers
from hardware.simulator import faults
from hardware.simulator.hands_on_table import SimulatedTabletop

SALT = "5a" * 16


class Enroller:
    """A person at the table, who lays what the last sentence asks for and remembers what it was."""

    def __init__(self, top: SimulatedTabletop, game: str) -> None:
        self.top, self.box = top, find_game(game).standard_box()
        self.laid: dict[str, str] = {}
        self.told: list[str] = []
        top.pass_time(1.0)
        self.walk = begin_stickers(self.box.tagged_pieces(), Deck({}, SALT), top.sense())

    def listen(self) -> str:
        """What was said last, else what is asked for."""
        for evidence in self.top.sense():
            self.walk = self.walk.take_evidence(evidence)
            self.told += [self.says()]
        return self.says()

    def says(self) -> str:
        return get_language("en")(self.walk.news or self.walk.instruction)

    def lays(self, tag: str, place: int = 1) -> str:
        self.top.lay_tag(tag, place)
        return self.listen()

    def lifts(self, *tags: str) -> str:
        for tag in tags:
            self.top.lift_tags(tag)
        return self.listen()

    def enrols_the_rest(self) -> None:
        n = 0
        while self.walk.asked is not None:
            n += 1
            thing = self.walk.asked
            tag = f"04{n:04x}c0ffee{n % 251:02x}"
            self.laid[tag] = thing
            assert self.lays(tag, 1 + n % 8).startswith("Enrolled: ")
            self.lifts(tag)


@pytest.fixture
def top() -> Iterator[SimulatedTabletop]:
    table = SimulatedTabletop()
    yield table
    table.close()


@pytest.mark.parametrize(("game", "total"), [("bankueberfall", 53), ("banque_fatale", 16),
                                             ("robby_solo", 61)])  # fmt: skip
def test_a_whole_box_is_enrolled_and_every_sticker_is_found_again(
    game: str, total: int, top: SimulatedTabletop
) -> None:
    person = Enroller(top, game)
    person.enrols_the_rest()
    assert person.walk.asked is None
    deck = person.walk.deck
    assert len(deck.things) == len(person.laid) == total
    assert {tag: deck[tag] for tag in person.laid} == person.laid
    assert count_missing(person.box.tagged_pieces(), deck.things.values()) == {}
    assert not any(tag in line for tag in person.laid for line in person.told)

    check, tags = BoxCheck(person.box, deck), list(person.laid)
    for first in range(0, total, 3):
        for place, tag in enumerate(tags[first : first + 3], 4):
            top.lay_tag(tag, place)
        for evidence in top.sense():
            check = check.take_evidence(evidence)
        left = set(tags[first + 3 :])
        assert sum(check.missing.values()) == len(left)
        for tag in tags[first : first + 3]:
            top.lift_tags(tag)
    assert check.progress().done


@pytest.mark.parametrize("places", [(2, 2), (1, 8), (8, 1)])
def test_two_at_once_are_both_refused(places: tuple[int, int], top: SimulatedTabletop) -> None:
    person = Enroller(top, "banque_fatale")
    one, other = "04a1b2c3d4e5f6", "04778899aabbcc"
    for tag, place in zip((one, other), places, strict=True):
        top.world.put(tag, place - 1)
    top.pass_time(2.0)
    assert "Several cards came at once" in person.listen()
    assert person.walk.deck.things == {}


def test_a_sticker_that_two_readers_hear_is_not_enrolled(top: SimulatedTabletop) -> None:
    person = Enroller(top, "banque_fatale")
    assert "Enrolled: red" in person.lays("04a1b2c3d4e5f6", 1)
    faults.add_twin(top.world, "04a1b2c3d4e5f6", 5)
    top.pass_time(3.0)
    assert "Reader 6 reads the same number as another reader" in person.listen()
    assert person.walk.deck.things == {}


def test_a_noisy_table_enrols_nothing_wrong(top: SimulatedTabletop) -> None:
    def noisy(world):  # type: ignore[no-untyped-def]
        for reader in range(8):
            faults.frame_loss(world, reader, 0.05)
            faults.bit_errors(world, reader, 0.005)
        return lambda: None

    noisy(top.world)
    person = Enroller(top, "banque_fatale")
    person.enrols_the_rest()
    assert {tag: person.walk.deck[tag] for tag in person.laid} == person.laid
