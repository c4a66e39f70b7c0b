"""The bot of Banque Fatale: it imagines auctions, and shows the chips that pay most often.

The others show about as many chips as they showed before. The bot weighs the card, the markers that
all chips would move, and the chips that are gone, and takes about the best hand, not always the
very best, so that it is hard to read.
"""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

from companion.bots import BotView, CloseHand, Decision, Decisions, PieceMove, choose_near_best
from companion.core.events import Passed
from companion.games.banque_fatale.auction import card_worth, count_aces
from companion.games.banque_fatale.state import ChipTaken

AUCTIONS = 20
"""Auctions that it imagines."""
USUAL, TRUST, RECENT = (0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8), 3, 6
"""Chips that people show; after this many auctions it believes as much in what it saw of a player,
and of that in the last ones."""
LATE_CHIP, EARLY_CHIP = 1.0, 2.2
"""Worth of a chip in the last auction, and in the first, in millions."""
CALM, RESTING = 0.75, 5.0
"""Belief that a marker stays where it is, and the value where it comes to rest otherwise."""
LATER = (5.0, 5.2, 5.4, 5.7, 6.0, 6.4, 7.0, 7.8, 8.5)
"""Later worth of a colour by its value now, from 2 on: a low marker rises again."""
WAVERING = 0.4
"""By how many millions it may miss the best hand."""
Chips = dict[str, int]


class ImaginedAuction(NamedTuple):
    """An auction as it might be: the chips of all others by colour, and how many win."""

    colours: Chips
    winning: int


def _own_cards(sight: BotView) -> tuple[str, ...]:
    cards: tuple[str, ...] = sight.public.seats[sight.seat - 1].cards
    return cards


def _imagine_auction(sight: BotView, shown: Sequence[Mapping[str, Chips]]) -> ImaginedAuction:
    luck, names, colours = sight.random, sight.names, list(sight.box.colours)
    total, winning = dict.fromkeys(colours, 0), 0
    turn = {name: (seat - sight.public.starter) % len(names) for seat, name in enumerate(names, 1)}
    for seat in sight.public.seats:
        if seat.name == sight.name:
            continue
        before = [sum(hands[seat.name].values()) for hands in shown]
        number = luck.choice(USUAL)
        if luck.random() * (len(before) + TRUST) > TRUST:
            number = max(0, luck.choice(before[-RECENT:]) + luck.choice((-1, 0, 0, 1)))
        winning = max(winning, number + (turn[seat.name] < turn[sight.name]))
        liked = [1 + count_aces(seat.cards, colour) for colour in colours]
        for colour in luck.choices(colours, liked, k=number):
            total[colour] += 1
    return ImaginedAuction(total, winning)


def _ace_gains(sight: BotView) -> dict[str, tuple[float, ...]]:
    """Return the gain of an ace of each colour after four results: no chip shown, one, enough, the
    most."""
    track, values = sight.box.track, sight.public.values
    fall = track.fall if sight.public.house_rules["unplayed"] == "minus_two" else track.most

    def gain(value: int, by: int) -> float:
        after = max(track.least, min(value + by, track.most))
        bonus = track.bonus.get(after) if after > value else None
        return float(CALM * ((after if bonus is None else track.start) - value) + (bonus or 0))

    return {
        colour: (gain(value, -fall), gain(value, -track.down), 0.0, gain(value, track.up))
        for colour, value in values.items()
    }


def _relative_aces(sight: BotView, own: Sequence[str]) -> dict[str, float]:
    """Return its aces of each colour, less the average of the others'."""
    rest = [seat.cards for seat in sight.public.seats if seat.name != sight.name]
    return {
        colour: count_aces(own, colour)
        - fsum(count_aces(cards, colour) for cards in rest) / len(rest)
        for colour in sight.box.colours
    }


def _possible_hands(sight: BotView, aces: Mapping[str, float]) -> list[Chips]:
    """Return hands of every number of chips, of the colours that it wants to rise: all of one
    first, or one of each first."""
    chips = sight.mine.chips
    liked = sorted(chips, key=lambda colour: (-aces[colour], -chips[colour]))
    stacked = [colour for colour in liked for _ in range(chips[colour])]
    spread = [c for n in range(max(chips.values(), default=0)) for c in liked if chips[c] > n]
    hands = [order[:n] for n in range(len(stacked) + 1) for order in (stacked, spread)]
    return [{colour: hand.count(colour) for colour in dict.fromkeys(hand)} for hand in hands]


def _close_hand(sight: BotView) -> Decision:
    """Show the chips that promise most, or about so."""
    public, card = sight.public, sight.public.auctioned
    left = public.pile + sum(lying != "" for lying in public.open_cards)
    early = left / (len(sight.box.cards) - len(sight.names))
    cost = (LATE_CHIP + (EARLY_CHIP - LATE_CHIP) * early) * (1 - 1 / len(sight.names))
    worth = sum(CALM * public.values[c] + (1 - CALM) * RESTING for c in card.split("-"))
    lost = _relative_aces(sight, _own_cards(sight))
    won = _relative_aces(sight, (*_own_cards(sight), card))
    shown = sight.facts_told("F.auction", "fists")
    imagined = [_imagine_auction(sight, shown) for _ in range(AUCTIONS)]

    gains, all_rise = _ace_gains(sight), public.house_rules["tied_for_most"] == "all_rise"

    def promise(hand: Chips) -> float:
        number, total = sum(hand.values()), 0.0
        for others in imagined:
            wins = number >= others.winning
            aces = won if wins else lost
            chips = {colour: n + hand.get(colour, 0) for colour, n in others.colours.items()}
            most = max(chips.values())
            rise = most >= 2 and (all_rise or [*chips.values()].count(most) <= 2)
            total += worth * wins
            for colour, n in chips.items():
                total += aces[colour] * gains[colour][3 if rise and n == most else min(n, 2)]
        return float(total / AUCTIONS - cost * number)

    hands = _possible_hands(sight, won)
    best = choose_near_best([promise(hand) for hand in hands], WAVERING, sight.random)
    return CloseHand(hands[best])


def _choose_card(sight: BotView) -> Decision:
    """Choose the open card that is worth most, and of these one of the colours that it owns."""
    own = _own_cards(sight)

    def worth(card: str) -> tuple[int, int]:
        aces = sum(count_aces(own, colour) for colour in card.split("-"))
        return card_worth(card, sight.public.values), aces

    cards = [str(choice["card"]) for choice in sight.choices_for("card_chosen")]
    return PieceMove("card_chosen", {"card": max(cards, key=worth)})


def _take_chip(sight: BotView) -> Decision:
    """Take a chip of a colour that it owns, and of these the one it has fewest of."""
    offered = sight.choices_for("chip_taken")
    colours = [colour for colour in sight.mine.chips if {"colour": colour} in offered]
    own, chips = _own_cards(sight), sight.mine.chips
    return ChipTaken(sight.seat, max(colours, key=lambda c: (count_aces(own, c), -chips[c])))


def _sell_card(sight: BotView) -> Decision:
    """Sell the card whose price now exceeds its expected later value most, if there is one."""
    gain = {}
    for choice in sight.choices_for("card_sold"):
        values = [sight.public.values[colour] for colour in choice["card"].split("-")]
        later = (LATER[min(value - 2, len(LATER) - 1)] for value in values)
        gain[str(choice["card"])] = sum(values) - sum(later)
    best = max(gain, key=gain.__getitem__)
    return PieceMove("card_sold", {"card": best}) if gain[best] > 0 else Passed(sight.seat)


DECISIONS: Decisions = {
    "deal": lambda _: PieceMove("card_dealt", {}),
    "lay": lambda _: PieceMove("card_turned", {}),
    "choose": _choose_card,
    "refill": lambda _: PieceMove("card_turned", {}),
    "seal": _close_hand,
    "take": _take_chip,
    "sell": _sell_card,
}
"""Its decision in each phase."""
