"""How bots play: what a newcomer sees them do, and what they know better than to do."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from companion.bots import PieceMove
from companion.bots.bot import Bot
from companion.core.commitment import canonical_text, fresh_hands, make_seal
from companion.core.events import Passed
from companion.games import make_rulebook
from companion.games.bankueberfall.state import BankCard
from companion.games.banque_fatale.state import ChipTaken
from companion.games.robby_solo.state import Declaration, Kept
from companion.table.view import make_view

LUCK = 40


def game(name: str, **changes: Any) -> Any:
    """A game of four just begun, but for what is changed."""
    rules = make_rulebook(name)
    state = rules.apply(None, rules.start_event(id="g", players=4))
    return msgspec.structs.replace(state, **changes)


def wishes(state: Any, seat: int = 1, hand: Sequence[str] = ()) -> list[Any]:
    """What a bot does here, with ever other luck."""
    view = make_view(make_rulebook(state.box.game), state, 9, seat)
    return [Bot(seat, Random(luck), state.box).decide(view, hand) for luck in range(LUCK)]


def closes(state: Any, seat: int = 1) -> Counter[Any]:
    """What a bot closes its hand around, with ever other luck."""
    view = make_view(make_rulebook(state.box.game), state, 9, seat)
    held: Counter[Any] = Counter()
    for luck in range(LUCK):
        bot = Bot(seat, Random(luck), state.box)
        bot.decide(view, ())
        value = bot.remember()["value"]
        held[value if isinstance(value, int) else canonical_text(value)] += 1
    return held


# Banküberfall


def test_it_lays_a_card_that_lies_elsewhere_by_naming_only_the_bank() -> None:
    """The log counts a card in this hand, after people tapped what is not so."""
    moves = wishes(game("bankueberfall", phase="place"), hand=())
    assert {move.do for move in moves} == {"card_placed"}
    assert {tuple(move.fields) for move in moves} == {("bank",)}


def robbed(*cards: str, known_to: int = 1) -> Any:
    """A robbery of bank 1, where one seat knows all the cards."""
    lying = tuple(BankCard(card, known_to=(known_to,)) for card in cards)
    return game("bankueberfall", phase="seal", figure=1, banks=(lying, *((BankCard(),),) * 4))


def test_it_bids_nothing_where_it_knows_of_a_policeman_a_thief_or_of_no_money() -> None:
    for cards in (("policeman", "5", "x"), ("thief", "10"), ("x", "x")):
        assert closes(robbed(*cards)) == {0: LUCK}, cards


def test_it_bids_where_it_knows_of_money_and_more_where_there_is_more() -> None:
    little, much = closes(robbed("4")), closes(robbed("10", "10", "x"))
    assert 0 not in little
    assert max(little) <= 4
    assert min(much) > max(little)


def test_where_it_knows_nothing_its_bids_differ() -> None:
    assert len(closes(robbed("10", "policeman", known_to=2))) > 3


def test_it_robs_where_it_knows_best_what_lies_there() -> None:
    banks = [(BankCard("2", known_to=(1,)),)] * 5
    banks[3] = (
        BankCard("10", known_to=(1,)),
        BankCard("x", known_to=(1,)),
        BankCard("x", known_to=(1,)),
    )
    state = game("bankueberfall", phase="rob", banks=tuple(banks))
    assert wishes(state) == [PieceMove("bank_chosen", {"bank": 4})] * LUCK


def test_it_spies_at_what_it_does_not_know() -> None:
    mine = BankCard("5", known_to=(1,))
    state = game("bankueberfall", phase="spy", banks=((mine,), (mine, BankCard()), *((mine,),) * 3))
    assert wishes(state) == [PieceMove("card_spied", {"bank": 2, "slot": 2})] * LUCK
    state = game("bankueberfall", phase="spy", banks=((mine,),) * 5)
    assert wishes(state) == [Passed(1)] * LUCK


def test_it_reveals_often_and_not_always() -> None:
    found = wishes(game("bankueberfall", phase="reveal", banks=((BankCard(), BankCard()),) * 5))
    assert 0.5 * LUCK < sum(isinstance(wish, PieceMove) for wish in found) < LUCK


def test_no_two_evenings_are_alike() -> None:
    laid = wishes(game("bankueberfall", phase="place"), hand=["5", "x", "thief", "2", "policeman"])
    assert len({tuple(wish.fields.items()) for wish in laid}) > 5
    assert {wish.fields["card"] for wish in laid} <= {"5", "x", "thief", "2", "policeman"}


def test_it_knows_what_is_in_the_box_that_lies_on_the_table() -> None:
    sold = make_rulebook("bankueberfall").box
    other = msgspec.structs.replace(sold, cards={**sold.cards, "20": 4})
    lying = (BankCard("20", up=True),) * 2
    banks = (lying, *((BankCard(),),) * 4)
    held = closes(game("bankueberfall", phase="seal", figure=1, banks=banks, box=other))
    assert min(held) >= 8


# Banque Fatale


def owning(*cards: str, **changes: Any) -> Any:
    state = game("banque_fatale")
    ana, *others = state.players
    players = (msgspec.structs.replace(ana, cards=cards), *others)
    return msgspec.structs.replace(state, players=players, **changes)


VALUES = {"red": 10, "yellow": 6, "green": 4, "blue": 2, "orange": 8}


def test_it_sells_what_stands_high_and_keeps_the_rest() -> None:
    state = owning("blue", "green-blue", "red-orange", phase="sell", values=VALUES)
    assert wishes(state) == [PieceMove("card_sold", {"card": "red-orange"})] * LUCK
    state = owning("yellow", "green-blue", phase="sell", values=VALUES)
    assert wishes(state) == [Passed(1)] * LUCK


def test_it_takes_back_chips_of_its_own_colours() -> None:
    middle = {"red": 2, "yellow": 1, "green": 3, "blue": 1, "orange": 0}
    state = owning("yellow", phase="take", middle=middle)
    assert wishes(state) == [ChipTaken(1, "yellow")] * LUCK


def test_it_auctions_the_card_that_is_worth_most() -> None:
    cards = ("red-blue", "yellow-orange", "green")
    state = owning("green", phase="choose", values=VALUES, open_cards=cards)
    assert wishes(state) == [PieceMove("card_chosen", {"card": "yellow-orange"})] * LUCK


def test_it_shows_more_for_a_good_card_and_mostly_its_own_colours() -> None:
    def shown(card: str, *own: str) -> Counter[str]:
        hands = closes(owning(*own, phase="seal", auctioned=card, values=VALUES))
        total: Counter[str] = Counter()
        for hand, times in hands.items():
            for chips in filter(None, hand.split(",")):
                colour, _, number = chips.partition(":")
                total[colour] += times * int(number)
        return total

    assert shown("red-orange", "red").total() > shown("yellow", "green").total()
    good = shown("yellow", "yellow", "yellow-green")
    assert good["yellow"] > max(good["red"], good["blue"], good["orange"])


# Robby Solo


def row(phase: str, **changes: Any) -> Any:
    loot = {"yellow": (1000,), "green": (2000, 9000), "red": (), "blue": (9000, 9000), "grey": ()}
    return game("robby_solo", phase=phase, banks=loot, active=1, **changes)


def laid(bank: str, seat: int, phase: str, **changes: Any) -> tuple[Any, dict[str, Any]]:
    """All robbery cards are down; what this seat remembers of its own."""
    nonces = [f"{n:032x}" for n in range(1, 5)]
    seals = tuple(make_seal("g", 1, n, bank, nonce) for n, nonce in enumerate(nonces, 1))
    hands = msgspec.structs.replace(fresh_hands(1, 4), seals=seals)
    memory = {"seal": seals[seat - 1], "value": bank, "nonce": nonces[seat - 1]}
    return row(phase, hands=hands, **changes), memory


def answers(bank: str, seat: int, phase: str, **changes: Any) -> list[tuple[Any, Any]]:
    """What a bot that laid this card does, and which card it holds then, with ever other luck."""
    state, memory = laid(bank, seat, phase, **changes)
    view = make_view(make_rulebook("robby_solo"), state, 9, seat)
    found = []
    for luck in range(LUCK):
        bot = Bot(seat, Random(luck), state.box)
        bot.recall(memory)
        found.append((bot.decide(view, ()), bot.remember()["value"]))
    return found


def test_it_goes_where_much_lies_and_not_always() -> None:
    chosen = closes(row("seal"), seat=2)
    assert chosen["blue"] > chosen["green"] > chosen["yellow"]
    assert chosen["blue"] < 0.9 * LUCK


@pytest.mark.parametrize(("bank", "will"), [("blue", True), ("grey", False)])
def test_it_declares_a_rich_bank_of_its_own_and_a_poor_one_of_others(bank: str, will: bool) -> None:
    declared = [wish for wish, _ in answers(bank, 1, "declare")]
    assert all((wish.bank == bank) == wish.will for wish in declared)
    assert (sum(wish.will for wish in declared) > 0.7 * LUCK) == will


def test_it_leaves_a_bank_that_is_spoken_for() -> None:
    spoken = answers("blue", 2, "change", declaration=Declaration("blue", will=True))
    left = sum(bank != "blue" for _, bank in spoken)
    assert 0.5 * LUCK < left < LUCK, "it is in the way now and then"


def test_it_keeps_its_card_often_and_sometimes_lays_the_same_again() -> None:
    found = answers("blue", 2, "change", declaration=Declaration("grey", will=False))
    kept, same = sum(wish == Kept(2) for wish, _ in found), sum(bank == "blue" for _, bank in found)
    assert 0.3 * LUCK < kept < same < LUCK
