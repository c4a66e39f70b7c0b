"""Banque Fatale at the table, told rule by rule: how its stories are told, set-up, and auctions.

Ana leads the first round; red, yellow, green and blue lie in front of Ana, Ben, Cleo and Dario.
"""

from collections.abc import Mapping
from typing import Any, Self

import pytest

from companion.core.cards import standard_box
from companion.core.events import Opened, Passed, Value
from companion.games import make_rulebook
from companion.games.banque_fatale.rules import BanqueFataleBox
from companion.games.banque_fatale.state import CardChosen, CardDealt, CardTurned, ChipTaken
from tests.worlds.event_story import NONCE, Story

SOLD = standard_box(BanqueFataleBox)
NAMES = ("Ana", "Ben", "Cleo", "Dario")
OPEN = ("red-yellow", "green-blue", "red-red")
OTHER = "ab" * 16


class Salon(Story):
    """A story of Banque Fatale, with the table's usual motions in one word each."""

    def __init__(self, *players: str, **started: Any) -> None:
        super().__init__("banque_fatale", *players, **started)

    def laid(self) -> Self:
        """A card in front of everyone, three beside the board."""
        for seat in range(1, len(self.state.players) + 1):
            self.when(CardDealt(seat, SOLD.colours[seat - 1]))
        return self.when(*map(CardTurned, OPEN))

    def worth(self, **values: int) -> Self:
        """The markers stand here, the others where they were."""
        return self.given(values={**self.state.values, **values})

    def owning(self, seat: int, *cards: str) -> Self:
        """These cards lie in front of a seat."""
        owner = self.state.players[seat - 1]
        player = type(owner)(owner.name, owner.chips, owner.cash, cards)
        players = self.state.players
        return self.given(players=(*players[: seat - 1], player, *players[seat:]))

    def offer(self, card: str, turned: str | None = None) -> Self:
        """The start player picks a card; another is turned up while the pile lasts."""
        self.when(CardChosen(self.state.active, card))
        if self.state.phase == "refill":
            self.when(CardTurned(turned or self.state.unseen_cards()[-1]))
        return self

    def auction(self, card: str, *hands: Value) -> Self:
        """A whole auction, up to the chips in the middle."""
        return self.offer(card).hands(*hands)

    def take(self, *colours: str) -> Self:
        """Chips are taken back by one seat after the other."""
        for colour in colours:
            self.when(ChipTaken(self.state.active, colour))
        return self

    def take_all(self) -> Self:
        """The middle is emptied, whatever comes first."""
        while self.state.phase == "take":
            self.take(next(colour for colour, n in self.state.middle.items() if n))
        return self

    def round(self, card: str, *hands: Value) -> Self:
        """A round in which nothing is sold."""
        self.auction(card, *hands).take_all()
        return self.passed() if self.state.phase == "sell" else self

    def passed(self) -> Self:
        return self.when(Passed(self.state.active))

    @property
    def cash(self) -> list[int]:
        return [player.cash for player in self.state.players]

    def cards(self, seat: int) -> tuple[str, ...]:
        return tuple(self.state.players[seat - 1].cards)

    def chips(self) -> Mapping[str, int]:
        """Every chip on the table, behind screens and in the middle."""
        rows = [player.chips for player in self.state.players] + [self.state.middle]
        return {colour: sum(row.get(colour, 0) for row in rows) for colour in SOLD.colours}


def three(**started: Any) -> Salon:
    return Salon(*NAMES[:3], **started).laid()


def four(**started: Any) -> Salon:
    return Salon(*NAMES, **started).laid()


def refused_start(*players: str, **started: Any) -> str:
    """The code of the refusal; the game does not start."""
    rules = make_rulebook("banque_fatale")
    event = rules.start_event(id="story", players=len(players), **started)
    refused = rules.refuse(None, event)
    assert refused is not None
    assert refused.rule == "F.setup"
    assert rules.apply(None, event) is None
    return refused.code


# F.setup


@pytest.mark.parametrize(("players", "pile"), [(3, 13), (4, 12)])
def test_three_or_four_sit_down_with_two_chips_of_each_colour(players: int, pile: int) -> None:
    story = Salon(*NAMES[:players]).then(phase="deal", pile=pile, starter=1)
    assert story.state.values == dict.fromkeys(SOLD.colours, 6)
    for seat in range(1, players + 1):
        story.sees(seat, chips=dict.fromkeys(SOLD.colours, 2), cash=0)


@pytest.mark.parametrize("players", [["Ana", "Ben"], ["Ana", "Ben", "Cleo", "Dario", "Emma"]])
def test_two_are_too_few_and_five_are_too_many(players: list[str]) -> None:
    assert refused_start(*players) == "players"


def test_the_start_player_and_house_rules_are_checked() -> None:
    assert refused_start("Ana", "Ben", "Cleo", first=4) == "first"
    assert refused_start("Ana", "Ben", "Cleo", house_rules={"unplayed": "up"}) == "house_rule"
    assert refused_start("Ana", "Ben", "Cleo", house_rules={"shortfall": "stop"}) == "house_rule"


def test_everyone_is_dealt_one_card_of_a_single_colour() -> None:
    story = Salon(*NAMES[:3])
    singles = tuple(SOLD.colours)
    assert story.offered(2) == {"card_dealt": [{"card": singles}]}
    story.refused('card_dealt seat=1 card="red-yellow"', "no_such_card", "F.setup")
    story.refused('card_dealt seat=1 card="pink"', "no_such_card", "F.setup")
    story.refused('card_dealt seat=4 card="red"', "no_such_seat", "F.setup")
    story.when('card_dealt seat=2 card="green"')
    assert story.rules.awaited_seats(story.state) == (1, 3)
    story.refused('card_dealt seat=2 card="red"', "has_card", "F.setup")
    story.refused('card_dealt seat=1 card="green"', "no_such_card", "F.setup")
    assert story.offered(2) == {}
    assert story.offered(1) == {"card_dealt": [{"card": ("red", "yellow", "blue", "orange")}]}
    story.when('card_dealt seat=1 card="red"', 'card_dealt seat=3 card="blue"').then(phase="lay")
    assert [seat.cards for seat in story.public().seats] == [("red",), ("green",), ("blue",)]


def test_three_cards_are_turned_up_and_the_rest_is_the_pile() -> None:
    story = Salon(*NAMES[:3])
    for seat, colour in enumerate(SOLD.colours[:3], 1):
        story.when(CardDealt(seat, colour))
    assert list(story.offered(1)) == ["card_turned"]
    assert story.offered(2) == {}
    story.when('card_turned card="red-red"', 'card_turned card="orange"').then(phase="lay")
    story.refused('card_turned card="orange"', "no_such_card", "F.setup")
    story.refused('card_turned card="red"', "no_such_card", "F.setup")
    story.refused('card_chosen seat=1 card="orange"', "wrong_phase", "F.setup")
    story.when('card_turned card="blue"').then(phase="choose", pile=10)
    assert story.public().open_cards == ("red-red", "orange", "blue")
    lies = story.rules.expected_cards(story.state)
    assert [lies[place] for place in (1, 2, 3, 4)] == [("red-red",), ("orange",), ("blue",), ()]


def test_whoever_the_host_names_leads_the_first_round() -> None:
    three(first=3).then(phase="choose", starter=3, active=3)


# F.auction


def test_the_start_player_picks_one_of_the_open_cards() -> None:
    story = three()
    story.refused('card_chosen seat=2 card="red-red"', "not_your_turn", "F.auction")
    story.refused('card_chosen seat=1 card="orange"', "not_open", "F.auction")
    assert story.offered(1) == {"card_chosen": [{"card": card} for card in OPEN]}
    story.when('card_chosen seat=1 card="green-blue"').then(phase="refill", auctioned="green-blue")
    lies = story.rules.expected_cards(story.state)
    assert [lies[place] for place in (1, 2, 3, 4)] == [
        ("red-yellow",), (), ("red-red",), ("green-blue",),
    ]  # fmt: skip


def test_the_card_is_replaced_from_the_pile() -> None:
    story = three().when('card_chosen seat=1 card="green-blue"')
    story.refused('card_turned card="green-blue"', "no_such_card", "F.auction")
    story.refused('card_turned card="red-red"', "no_such_card", "F.auction")
    assert story.offered(1)["card_turned"] == [{"card": story.state.unseen_cards()}]
    story.when('card_turned card="orange"').then(phase="seal", pile=9)
    assert story.public().open_cards == ("red-yellow", "orange", "red-red")


def test_the_most_chips_win_and_all_of_them_stay_in_the_middle() -> None:
    story = three().auction("red-red", {"blue": 1}, {"red": 2, "green": 1}, {"orange": 2})
    story.then(phase="take", middle={"red": 2, "yellow": 0, "green": 1, "blue": 1, "orange": 2})
    assert (story.verdict.winner, story.verdict.chips_on_table) == ("Ben", 6)
    assert story.cards(2) == ("yellow", "red-red")
    assert story.public().seats[1].cards == ("yellow", "red-red")
    story.sees(2, chips={"red": 0, "yellow": 2, "green": 1, "blue": 2, "orange": 2})


# F.auction.tie


@pytest.mark.parametrize(
    ("first", "bids", "winner"),
    [
        (1, (2, 2, 0), "Ana"),
        (1, (0, 2, 2), "Ben"),
        (2, (2, 0, 2), "Cleo"),
        (2, (2, 2, 2), "Ben"),
        (3, (2, 2, 1), "Ana"),
        (3, (2, 2, 2), "Cleo"),
    ],
)
def test_a_tie_goes_to_the_start_player_or_the_nearest_clockwise(
    first: int, bids: tuple[int, ...], winner: str
) -> None:
    story = three(first=first).auction("red-red", *({"blue": bid} for bid in bids))
    assert story.verdict.winner == winner
    assert "F.auction.tie" in [step.rule for step in story.verdict.steps]


def test_if_every_hand_is_empty_the_start_player_takes_the_card() -> None:
    story = three(first=2).auction("red-red", {}, {}, {})
    assert (story.verdict.winner, story.verdict.chips_on_table) == ("Ben", 0)
    story.then(phase="sell", active=2, values=dict.fromkeys(SOLD.colours, 2))
    assert story.cards(2) == ("yellow", "red-red")


# Closed hands.


def test_a_hand_holds_chips_of_the_box_that_its_player_owns() -> None:
    story = three().offer("red-red").seal(1, {"red": 3}).seal(2, {"pink": 1}).seal(3, "red")
    story.refused(Opened(1, {"red": 3}, NONCE), "not_offered", "F.auction")
    story.refused(Opened(2, {"pink": 1}, NONCE), "no_such_colour", "F.auction")
    story.refused(Opened(3, "red", NONCE), "not_a_hand", "F.auction")
    story.refused("entered seat=3 value=2", "not_a_hand", "F.auction")
    story.refused('entered seat=3 value={"red":-1}', "not_a_hand", "F.auction")
    story.refused('entered seat=3 value={"pink":1}', "no_such_colour", "F.auction")


def test_a_seal_opens_to_the_same_chips_in_any_order() -> None:
    story = three().offer("red-red").seal(1, {"red": 1, "blue": 2}).seal(2, {}).seal(3, {})
    story.refused(Opened(1, {"red": 2, "blue": 1}, NONCE), "broken_seal", "S.open")
    story.refused(Opened(1, {"red": 1}, NONCE), "broken_seal", "S.open")
    story.refused(Opened(1, {"red": 1, "blue": 2}, OTHER), "broken_seal", "S.open")
    story.open(1, {"blue": 2, "green": 0, "red": 1})
    story.refused(Opened(1, {"red": 1, "blue": 2}, NONCE), "already_open", "S.open")


def test_what_is_entered_counts_as_far_as_its_player_owns_it() -> None:
    story = three().offer("red-red").seal(1, {"red": 9}).seal(2, {}).seal(3, {})
    story.when('entered seat=1 value={"red":9,"blue":1}').open(2, {}).open(3, {})
    assert story.state.middle == {"red": 2, "yellow": 0, "green": 0, "blue": 1, "orange": 0}
    assert story.chips() == dict.fromkeys(SOLD.colours, 6)


def test_what_belongs_to_another_phase_is_refused_with_its_rule() -> None:
    story = three()
    story.refused('card_turned card="orange"', "wrong_phase", "F.auction")
    story.refused('chip_taken seat=1 colour="red"', "wrong_phase", "F.auction")
    story.offer("red-red").refused('card_chosen seat=1 card="red"', "wrong_phase", "F.auction")
    story.refused(Opened(1, {}, NONCE), "wrong_phase", "F.auction")
    story.hands({"red": 1}, {}, {}).refused("passed seat=1", "wrong_phase", "F.chips")
    story.take("red").refused('chip_taken seat=1 colour="red"', "wrong_phase", "F.sell")
    story.refused('started id="x" players=3', "wrong_phase", "F.sell")
