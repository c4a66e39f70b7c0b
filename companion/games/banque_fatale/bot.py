"""How a bot plays Banque Fatale: it imagines auctions and asks the rules how they would end.

It thinks of a few hands of chips, mostly of colours that it owns, guesses at those of the others
by what they showed the last time, and closes the one that leaves it best off: its cards and what
they are worth then, bonuses, and the chips that are gone. It sells what stands high.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.core.events import Passed
from companion.games.banque_fatale.auction import Lot, card_worth, count_aces, resolve_auction
from companion.games.banque_fatale.state import ChipTaken

IDEAS, AUCTIONS = 8, 8
"""How many hands it thinks of, and how many auctions it imagines with each."""
CHIP = 1.5
"""What a chip is worth to it, in millions: one at the end, and a voice on the way."""
FIRST, SPREAD = 5, 3
"""How many chips it thinks that others show at first, and how far off any such guess may be."""
HIGH = 8
"""The value of a colour from which on a card is sold."""

Chips = dict[str, int]


def _own_cards(sight: BotView) -> tuple[str, ...]:
    """Return the cards in front of it."""
    cards: tuple[str, ...] = sight.public.seats[sight.seat - 1].cards
    return cards


# What it imagines.


def _imagine_hands(sight: BotView) -> Iterator[Chips]:
    """Yield an empty hand, then fuller ones, mostly of colours that it owns."""
    chips = [colour for colour, n in sight.mine.chips.items() for _ in range(n)]
    cards = (*_own_cards(sight), sight.public.auctioned)
    yield {}
    for _ in range(IDEAS if chips else 0):
        liking = [(1 + count_aces(cards, colour)) * sight.random.random() for colour in chips]
        liked = sorted(zip(liking, chips, strict=True), reverse=True)
        yield _count_chips([colour for _, colour in liked[: sight.random.randint(1, len(chips))]])


def _count_chips(chips: Sequence[str]) -> Chips:
    return {colour: chips.count(colour) for colour in dict.fromkeys(chips)}


def _guess_bids(sight: BotView) -> Iterator[tuple[str, Chips]]:
    """Guess for the others about as many chips as one of them showed the last time."""
    shown = _shown_chips(sight)
    for name in sight.names:
        if name != sight.name:
            number = sight.random.choice(shown) + sight.random.randint(-SPREAD, SPREAD)
            yield name, _count_chips(sight.random.choices(sight.box.colours, k=max(0, number)))


def _shown_chips(sight: BotView) -> list[int]:
    """Return how many chips each of the others showed in the last auction."""
    steps = sight.past[-1].steps if sight.past else ()
    for step in steps:
        if "fists" in step.facts:
            fists = step.facts["fists"].items()
            return [sum(fist.values()) for name, fist in fists if name != sight.name]
    return [FIRST]


# What it makes of that.


def _average_outcome(sight: BotView, hand: Chips, guesses: Sequence[Mapping[str, Chips]]) -> float:
    return fmean(_auction_outcome(sight, {**guess, sight.name: hand}) for guess in guesses)


def _auction_outcome(sight: BotView, bids: Mapping[str, Chips]) -> float:
    """Return what an auction leaves it with, in millions, its share of the middle included."""
    public = sight.public
    cards = {seat.name: seat.cards for seat in public.seats}
    start, card = sight.names[public.starter - 1], public.auctioned
    verdict = resolve_auction(
        Lot(sight.names, start, bids, public.values, card, cards, public.house_rules, sight.box)
    )
    own = (*_own_cards(sight), card) if verdict.winner == sight.name else _own_cards(sight)
    chips = verdict.chips_on_table / len(cards) - sum(bids[sight.name].values())
    values = sum(card_worth(card, verdict.values) for card in own)
    return values + verdict.bonuses[sight.name] + CHIP * chips


# What it does.


def _deal_card(_sight: BotView) -> Decision:
    """Deal any card; which one it is shows only then."""
    return PieceMove("card_dealt", {})


def _turn_card(_sight: BotView) -> Decision:
    return PieceMove("card_turned", {})


def _choose_card(sight: BotView) -> Decision:
    """Choose the open card that is worth most, and of these one of the colours that it owns."""
    values, own = sight.public.values, _own_cards(sight)
    cards = [str(choice["card"]) for choice in sight.choices_for("card_chosen")]
    suits = {card: sum(count_aces(own, colour) for colour in card.split("-")) for card in cards}
    return PieceMove(
        "card_chosen", {"card": max(cards, key=lambda c: (card_worth(c, values), suits[c]))}
    )


def _close_hand(sight: BotView) -> Decision:
    guesses = [dict(_guess_bids(sight)) for _ in range(AUCTIONS)]
    return CloseHand(
        max(_imagine_hands(sight), key=lambda hand: _average_outcome(sight, hand, guesses))
    )


def _take_chip(sight: BotView) -> Decision:
    """Take a chip of a colour that it owns, and of these the one it has fewest of."""
    colours = [str(choice["colour"]) for choice in sight.choices_for("chip_taken")]
    own, chips = _own_cards(sight), sight.mine.chips
    return ChipTaken(sight.seat, max(colours, key=lambda c: (count_aces(own, c), -chips[c])))


def _sell_card(sight: BotView) -> Decision:
    """Sell the card that stands highest, if it stands high for its number of colours."""
    values = sight.public.values
    height = {
        str(choice["card"]): card_worth(choice["card"], values) / len(choice["card"].split("-"))
        for choice in sight.choices_for("card_sold")
    }
    best = max(height, key=lambda card: height[card])
    return PieceMove("card_sold", {"card": best}) if height[best] >= HIGH else Passed(sight.seat)


DECISIONS: dict[str, Callable[[BotView], Decision]] = {
    "deal": _deal_card,
    "lay": _turn_card,
    "choose": _choose_card,
    "refill": _turn_card,
    "seal": _close_hand,
    "take": _take_chip,
    "sell": _sell_card,
}
"""What it does in each phase."""
