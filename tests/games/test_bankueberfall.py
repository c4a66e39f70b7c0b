"""Banküberfall at the table, told rule by rule: how its stories are told, set-up, and turns.

Seats and banks are numbered clockwise; the seat at turn is always the one that the story is about.
"""

from typing import Any, Self

import msgspec
import pytest

from companion.core.cards import standard_box
from companion.core.commitment import replace_entry
from companion.core.events import Passed
from companion.core.i18n import get_language
from companion.games import make_rulebook
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.games.bankueberfall.state import BankCard, BankChosen, CardPlaced, TileTurned
from tests.worlds.event_story import Story

SOLD = standard_box(BankueberfallBox)
ALL_TILES = {"place": 4, "spy": 1, "reveal": 1, "rob": 1}


class Bankers(Story):
    """A story of Banküberfall, with the table's usual motions in one word each."""

    def __init__(self, *players: str, **started: Any) -> None:
        super().__init__("bankueberfall", *players, **started)

    def at(self, bank: int, *cards: str | None) -> Self:
        """Let these cards lie face down at a bank, None for one that nobody has named."""
        lying = tuple(BankCard(card) for card in cards)
        return self.given(banks=replace_entry(self.state.banks, bank, lying))

    def turn(self, *tiles: str) -> Self:
        """The seat at turn turns a tile, and the next seat the next."""
        for tile in tiles:
            self.when(TileTurned(self.state.active, tile))
        return self

    def place(self, bank: int, card: str | None = None) -> Self:
        """The seat at turn turns a Placement, and lays a card."""
        return self.turn("place").when(CardPlaced(self.state.active, bank, card))

    def attack(self, bank: int) -> Self:
        """The seat at turn turns the Robbery, and stands the figure there."""
        return self.turn("rob").when(BankChosen(self.state.active, bank))

    def rob(self, *bids: int, bank: int = 3) -> Self:
        """A whole robbery, up to the pay-out."""
        return self.attack(bank).hands(*bids)

    def cycle(self) -> Self:
        """Six of the seven tiles, all but the robbery, each done by whoever is at turn."""
        for bank in (1, 2, 4, 5):
            self.place(bank, "5")
        return self.turn("spy").passed().turn("reveal").passed()

    def passed(self) -> Self:
        return self.when(Passed(self.state.active))

    def now(self) -> str:
        """What is going on, in words."""
        words, skipped = get_language("en").with_names(self.names), self.public().skipped
        told = [] if skipped is None else [words(skipped)]
        return " ".join([*told, words(self.rules.describe_phase(self.state))])

    @property
    def coins(self) -> dict[str, int]:
        return dict(zip(self.names, (one.coins for one in self.state.players), strict=True))

    @property
    def bids(self) -> dict[str, int]:
        """What was in the hands that opened."""
        return next(s.facts["tally"] for s in self.verdict.steps if s.rule == "B.bid")

    def cited(self) -> list[str]:
        """The rules that the verdict went through."""
        return [step.rule for step in self.verdict.steps]


def two(**started: Any) -> Bankers:
    return Bankers("Ana", "Ben", **started)


def three(**started: Any) -> Bankers:
    return Bankers("Ana", "Ben", "Cleo", **started)


def small(hand: int = 1, **changes: Any) -> BankueberfallBox:
    """A box for two whose pile is empty once everything is dealt."""
    cards = {"5": SOLD.banks + 2 * hand}
    return msgspec.structs.replace(SOLD, hand=hand, **{"cards": cards, **changes})


# B.setup


@pytest.mark.parametrize(("players", "pile"), [(2, 30), (3, 25), (4, 20), (5, 15)])
def test_two_to_five_sit_down_with_ten_coins_and_five_cards_each(players: int, pile: int) -> None:
    story = Bankers(*["Ana", "Ben", "Cleo", "Dario", "Emma"][:players])
    story.then(phase="tile", active=1, pile=pile, tiles=ALL_TILES, banks=((BankCard(),),) * 5)
    assert [(p.coins, p.hand, p.credits) for p in story.state.players] == [(10, 5, 0)] * players


def test_house_rules_that_nobody_mentions_are_played_as_the_box_says() -> None:
    agreed = make_rulebook("bankueberfall").box.default_house_rules()
    two().then(house_rules=agreed)
    two(house_rules={"shortfall": "stop"}).then(house_rules={**agreed, "shortfall": "stop"})


def test_whoever_was_drawn_begins() -> None:
    three(first=3).then(active=3).place(1).then(active=1)


def test_everyone_sits_behind_the_bank_of_their_number_or_where_they_say() -> None:
    assert two().then(front=(1, 2)).public().front == (1, 2)
    assert two(front=(4, 2)).then(front=(4, 2)).public().front == (4, 2)


SHORTFALLS: list[dict[str, str]] = [
    {"shortfal": "stop"}, {"shortfall": "perhaps"}, {"shortfall": ""},
]  # fmt: skip
FRONTS = [(3, 3), (0, 1), (1, 6), (1,), (1, 2, 3)]


@pytest.mark.parametrize(
    ("code", "started"),
    [
        *(("players", {"players": n}) for n in (0, 1, 6)),
        *(("house_rule", {"house_rules": rules}) for rules in SHORTFALLS),
        *(("first", {"first": first}) for first in (0, 3, -1)),
        *(("front", {"front": front}) for front in FRONTS),
    ],
)
def test_a_game_cannot_start_like_this(code: str, started: dict[str, Any]) -> None:
    rules = make_rulebook("bankueberfall")
    event = rules.start_event(**{"id": "story", "players": 2, **started})
    refused = rules.refuse(None, event)
    assert refused is not None
    assert (refused.code, refused.rule) == (code, "B.setup")
    assert rules.apply(None, event) is None


def test_nothing_happens_before_the_start() -> None:
    rules = make_rulebook("bankueberfall")
    refused = rules.refuse(None, TileTurned(1, "place"))
    assert refused is not None
    assert (refused.code, refused.rule) == ("not_started", "B.setup")
    assert rules.apply(None, TileTurned(1, "place")) is None


# B.turn


def test_a_tile_that_is_used_up_is_neither_offered_nor_granted() -> None:
    story = two().at(1, "5", "2").turn("spy").passed()
    story.refused('tile_turned seat=2 tile="spy"', "no_such_tile", "B.turn")
    assert story.offered(2) == {"tile_turned": [{"tile": t} for t in ("place", "reveal", "rob")]}
    assert story.offered(1) == {}


def test_when_the_seventh_tile_is_done_all_seven_lie_face_down_again() -> None:
    story = two().at(3, "5").cycle().then(tiles={"place": 0, "spy": 0, "reveal": 0, "rob": 1})
    story.attack(3).then(tiles={"place": 0, "spy": 0, "reveal": 0, "rob": 0}).hands(0, 0)
    story.then(phase="refill", tiles={"place": 0, "spy": 0, "reveal": 0, "rob": 0})
    story.when("bank_refilled bank=3").then(phase="tile", tiles=ALL_TILES)


# B.place


def test_a_card_is_placed_face_down_at_any_bank_and_another_is_drawn() -> None:
    story = two().place(4, "x").then(pile=29, active=2)
    assert story.state.players[0].hand == 5
    assert story.state.banks[3] == (BankCard(), BankCard("x", known_to=(1,)))
    assert story.public().banks[3] == (None, None)


@pytest.mark.parametrize("bank", [0, 6, -1])
def test_a_card_is_placed_at_one_of_the_five_banks(bank: int) -> None:
    two().turn("place").refused(f"card_placed seat=1 bank={bank}", "no_such_bank", "B.place")


def test_nobody_places_a_card_for_another_or_one_that_the_box_does_not_hold() -> None:
    story = two().turn("place")
    story.refused("card_placed seat=2 bank=1", "not_your_turn", "B.place")
    story.refused('card_placed seat=1 bank=1 card="7"', "no_such_card", "B.place")
    assert story.offered(1) == {"card_placed": [{"bank": bank} for bank in range(1, 6)]}


def test_a_hand_shrinks_once_the_pile_is_empty() -> None:
    story = two(box=small(hand=5)).then(pile=0).place(1).place(1).then(pile=0)
    assert [player.hand for player in story.state.players] == [4, 4]
    assert [seat.hand for seat in story.public().seats] == [4, 4]


def test_the_last_card_of_the_pile_still_fills_a_hand() -> None:
    story = two(box=small(hand=5, cards={"5": 16})).then(pile=1).place(1).then(pile=0)
    assert [player.hand for player in story.state.players] == [5, 5]
    story.place(1)
    assert [player.hand for player in story.state.players] == [5, 4]


# B.spy


def test_a_spy_knows_the_card_afterwards_and_nobody_else_does() -> None:
    story = two().at(2, "thief", "5").turn("spy").when("card_spied seat=1 bank=2 slot=1")
    story.sees(1, cards=({"bank": 2, "slot": 1, "card": "thief"},)).sees(2, cards=())
    story.then(phase="tile", active=2)
    assert story.public().banks[1] == (None, None)


def test_a_spied_card_that_no_reader_knows_is_known_once_one_reads_it() -> None:
    story = two().turn("spy").when("card_spied seat=1 bank=2 slot=1").sees(1, cards=())
    story.when('card_named bank=2 slot=1 card="x"')
    story.sees(1, cards=({"bank": 2, "slot": 1, "card": "x"},)).sees(2, cards=())


def test_a_spy_may_do_without() -> None:
    story = two().turn("spy").refused("passed seat=2", "not_your_turn", "B.spy")
    story.passed().then(phase="tile", active=2)


@pytest.mark.parametrize(("bank", "slot"), [(1, 0), (1, 2), (1, -1), (6, 1), (0, 1)])
def test_there_must_be_a_card_to_spy(bank: int, slot: int) -> None:
    story = two().turn("spy")
    story.refused(f"card_spied seat=1 bank={bank} slot={slot}", "no_such_slot", "B.spy")


def test_only_the_spy_spies() -> None:
    story = two().turn("spy")
    story.refused("card_spied seat=2 bank=1 slot=1", "not_your_turn", "B.spy")
    slots = [{"bank": bank, "slot": 1} for bank in range(1, 6)]
    assert story.offered(1) == {"card_spied": slots, "passed": [{}]}


def test_a_card_that_lies_face_up_needs_no_spy() -> None:
    story = two().at(1, "5", "x").turn("reveal").when("card_revealed seat=1 bank=1 slot=1")
    story.turn("spy").refused("card_spied seat=2 bank=1 slot=1", "no_such_slot", "B.spy")
    assert {"bank": 1, "slot": 1} not in story.offered(2)["card_spied"]


def test_a_spy_with_nothing_to_look_at_is_done_at_once() -> None:
    story = two().given(banks=((),) * 5).turn("spy")
    story.then(phase="tile", active=2, tiles={**ALL_TILES, "spy": 0})
    assert story.now() == (
        "Spy: no card lies face down, so the turn passes. Ben turns over a tile."
    )


# B.reveal


def test_with_one_card_at_every_bank_revealing_does_nothing() -> None:
    story = two().turn("reveal").then(phase="tile", active=2, tiles={**ALL_TILES, "reveal": 0})
    assert story.now() == (
        "Reveal: no bank has two hidden cards, so the turn passes. Ben turns over a tile."
    )
    assert story.place(1, "5").now() == "Ana turns over a tile."


def test_a_revealed_card_stays_face_up_for_everyone() -> None:
    story = two().at(1, "5", "x", "2").turn("reveal").when("card_revealed seat=1 bank=1 slot=2")
    assert story.public().banks[0] == (None, "x", None)
    assert story.then(phase="tile", active=2).rules.expected_cards(story.state)[1] == (
        "5",
        "x",
        "2",
    )


def test_the_last_face_down_card_at_a_bank_stays_face_down() -> None:
    story = two().at(1, "5", "x").at(2, "2", "2").turn("reveal")
    story.refused("card_revealed seat=1 bank=3 slot=1", "last_card", "B.reveal")
    story.when("card_revealed seat=1 bank=1 slot=1").given(tiles=ALL_TILES).turn("reveal")
    story.refused("card_revealed seat=2 bank=1 slot=2", "last_card", "B.reveal")
    story.refused("card_revealed seat=2 bank=1 slot=1", "no_such_slot", "B.reveal")
    offered = [{"bank": 2, "slot": 1}, {"bank": 2, "slot": 2}]
    assert story.offered(2) == {"card_revealed": offered, "passed": [{}]}


def test_revealing_is_refused_out_of_turn_and_beyond_the_banks() -> None:
    story = two().at(1, "5", "x").turn("reveal")
    story.refused("card_revealed seat=2 bank=1 slot=1", "not_your_turn", "B.reveal")
    story.refused("card_revealed seat=1 bank=0 slot=1", "no_such_slot", "B.reveal")
    story.refused("card_revealed seat=1 bank=1 slot=3", "no_such_slot", "B.reveal")


def test_a_revealed_card_that_no_reader_knows_is_named_by_whoever_turns_it_up() -> None:
    story = two().at(1, None, None).turn("reveal")
    story.refused("card_revealed seat=1 bank=1 slot=1", "unnamed", "B.reveal")
    story.refused('card_revealed seat=1 bank=1 slot=1 card="7"', "not_its_name", "T.hidden")
    assert "thief" in story.offered(1)["card_revealed"][0]["card"]
    story.when('card_revealed seat=1 bank=1 slot=1 card="thief"')
    assert story.public().banks[0] == ("thief", None)


def test_what_a_reader_knows_nobody_names_otherwise() -> None:
    story = two().at(1, "5", "x").turn("reveal")
    assert "card" not in story.offered(1)["card_revealed"][0]
    story.refused('card_revealed seat=1 bank=1 slot=1 card="10"', "not_its_name", "T.hidden")
    story.when("card_revealed seat=1 bank=1 slot=1")
    assert story.public().banks[0] == ("5", None)


# Cards that are known later.


def test_a_reader_may_recognise_a_face_down_card_at_any_time_before_the_pay_out() -> None:
    story = two().when('card_named bank=1 slot=1 card="x"').turn("place")
    story.when('card_named bank=2 slot=1 card="5"', "card_placed seat=1 bank=2").turn("spy")
    story.when('card_named bank=2 slot=2 card="2"').passed().turn("rob")
    story.when('card_named bank=3 slot=1 card="3"', "bank_chosen seat=1 bank=3")
    story.when('card_named bank=4 slot=1 card="4"').seal(1, 0).seal(2, 0)
    story.when('card_named bank=5 slot=1 card="10"')
    assert [c for lying in story.rules.expected_cards(story.state).values() for c in lying] == [
        "x", "5", "2", "3", "4", "10",
    ]  # fmt: skip
    assert story.public().banks == ((None,), (None, None), (None,), (None,), (None,))
    story.sees(1, cards=({"bank": 2, "slot": 2, "card": "2"},)).sees(2, cards=())


def test_what_is_recognised_must_be_there_be_unknown_and_be_in_the_box() -> None:
    story = two().at(1, "5", None)
    for bank, slot, card in ((6, 1, 5), (1, 3, 5), (1, 0, 5), (1, 1, 5), (1, 2, 7)):
        said = f'card_named bank={bank} slot={slot} card="{card}"'
        story.refused(said, "not_its_name", "T.hidden")
