"""The bot of Banküberfall: imagines robberies, and makes the bid that pays in most of them.

It counts the cards that it has seen and fills in the face-down ones by chance; the others bid about
as much for each card as they bid before. It makes about the bid that pays best against them. Of all
the ways to lay a card it considers only a few each time, as people do.
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum

from companion.bots import BotView, CloseHand, Decision, Decisions, PieceMove, choose_near_best
from companion.core.events import Passed
from companion.games.bankueberfall.robbery import resolve_robbery

BIDS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 25, 30)
"""The bids that it weighs; people like round numbers as well."""
FEELERS = (0, 4, 9)
"""The bids it tries to estimate a bank."""
CAREFULLY, AT_A_GLANCE, IDEAS = 20, 4, 5
"""Robberies that it imagines before it closes its hand, and before it does anything else; ways to
lay a card that it considers."""
A_CARD, TRUST, LATELY = 3.4, 2.0, 12
"""What people bid for a card at most, of whom nothing is known; after this many robberies it
believes as much in what it saw of a player, and in no more than so many."""
SPITE = 0.7
"""Worth to it of a coin that the others lose, on average."""
WAVERING, SHY = 0.15, 0.3
"""By how many coins it may miss the best bid, and how often it reveals nothing."""

Imagined = tuple[list[str], dict[str, int]]
"""A robbery as it might be: the cards at the bank, and what the others bid."""


def _known_cards(sight: BotView, bank: int) -> dict[int, str]:
    """Return the cards at a bank that it can see or remembers, by slot."""
    lying = sight.public.banks[bank - 1]
    known = {slot: card for slot, card in enumerate(lying, 1) if card in sight.box.cards}
    own = {card["slot"]: card["card"] for card in sight.mine.cards if card["bank"] == bank}
    return known | own


def _imagine_robberies(sight: BotView, bank: int, times: int) -> list[Imagined]:
    """Return robberies of this bank as they might be."""
    seen, past = Counter(sight.hand), {name: list[float]() for name in sight.names}
    del past[sight.name]
    told = sight.facts_told("B.rob", "cards"), sight.facts_told("B.bid", "tally")
    for cards, bids in zip(*told, strict=True):
        seen.update(cards)
        for name in past.keys() & bids.keys():
            past[name].append(bids[name] / max(1, len(cards)))
    for each in range(1, len(sight.public.banks) + 1):
        seen.update(_known_cards(sight, each).values())
    unseen = list((Counter(sight.box.cards) - seen).elements())
    known, lying = list(_known_cards(sight, bank).values()), len(sight.public.banks[bank - 1])
    hidden = min(lying - len(known), len(unseen))
    return [
        (
            known + sight.random.sample(unseen, hidden),
            {name: _guess_bid(sight, bids, max(1, lying)) for name, bids in past.items()},
        )
        for _ in range(times)
    ]


def _guess_bid(sight: BotView, past: Sequence[float], lying: int) -> int:
    """Guess a bid: one like those that this player made before, or one as people make."""
    luck = sight.random.random
    if luck() * (len(past) + TRUST) < TRUST:
        return int(A_CARD * lying * luck())
    return round(sight.random.choice(past[-LATELY:]) * lying * (0.7 + 0.6 * luck()))


def _judge_bid(sight: BotView, robberies: Sequence[Imagined], bid: int, *more: str) -> float:
    """Return the average value of a bid, with more cards at the bank perhaps: its own gain, less a
    part of the others' gains."""
    total = 0.0
    for cards, others in robberies:
        bids = {**others, sight.name: bid}
        robbed = resolve_robbery([*cards, *more], bids, sight.public.house_rules, sight.box)
        total += robbed.change.pop(sight.name)
        total -= SPITE * fsum(robbed.change.values()) / len(robbed.change)
    return total / len(robberies)


def _best_prospect(sight: BotView, robberies: Sequence[Imagined], *more: str) -> float:
    """Return the best average gain with nothing, something or much in hand."""
    return max(_judge_bid(sight, robberies, bid, *more) for bid in FEELERS)


def _place_card(sight: BotView) -> Decision:
    """Choose, of a few ideas, the one that helps the prospects of its bank most."""
    banks = [choice["bank"] for choice in sight.choices_for("card_placed")]
    if not sight.hand:  # The log counts a card that lies elsewhere: trust the log.
        return PieceMove("card_placed", {"bank": sight.random.choice(banks)})
    ideas = [(bank, card) for bank in banks for card in dict.fromkeys(sight.hand)]
    few = sight.random.sample(ideas, min(IDEAS, len(ideas)))

    def help_of(idea: tuple[int, str]) -> float:
        robberies = _imagine_robberies(sight, idea[0], AT_A_GLANCE)
        return _best_prospect(sight, robberies, idea[1]) - _best_prospect(sight, robberies)

    bank, card = max(few, key=help_of)
    return PieceMove("card_placed", {"bank": bank, "card": card})


def _choose_unknown_card(sight: BotView, do: str) -> Decision:
    """Look at an unknown card or turn it up, more often at a bank with many cards; pass if there is
    none."""
    unknown = [
        way for way in sight.choices_for(do) if way["slot"] not in _known_cards(sight, way["bank"])
    ]
    if not unknown:
        return Passed(sight.seat)
    lying = [len(sight.public.banks[way["bank"] - 1]) for way in unknown]
    way = sight.random.choices(unknown, lying)[0]
    return PieceMove(do, {"bank": way["bank"], "slot": way["slot"]})


def _reveal_card(sight: BotView) -> Decision:
    """Turn a card up, but not always: everyone sees it."""
    shy = sight.random.random() < SHY
    return Passed(sight.seat) if shy else _choose_unknown_card(sight, "card_revealed")


def _choose_bank(sight: BotView) -> Decision:
    """Choose the bank with the best prospects."""
    banks = [choice["bank"] for choice in sight.choices_for("bank_chosen")]
    imagined = {bank: _imagine_robberies(sight, bank, AT_A_GLANCE) for bank in banks}
    best = max(banks, key=lambda bank: _best_prospect(sight, imagined[bank]))
    return PieceMove("bank_chosen", {"bank": best})


def _close_hand(sight: BotView) -> Decision:
    """Seal the best bid, or one nearly as good; nothing where no bid brings more."""
    robberies = _imagine_robberies(sight, sight.public.figure, CAREFULLY)
    bids = [bid for bid in BIDS if bid <= sight.mine.coins]
    values = [_judge_bid(sight, robberies, bid) for bid in bids]
    best = choose_near_best(values, WAVERING, sight.random) if max(values) > values[0] else 0
    return CloseHand(bids[best])


DECISIONS: Decisions = {
    "tile": lambda _: PieceMove("tile_turned", {}),
    "place": _place_card,
    "spy": lambda sight: _choose_unknown_card(sight, "card_spied"),
    "reveal": _reveal_card,
    "rob": _choose_bank,
    "seal": _close_hand,
    "turn_up": lambda sight: _choose_unknown_card(sight, "card_named"),
    "refill": lambda sight: PieceMove("bank_refilled", {"bank": sight.public.figure}),
}
"""Its decision in each phase."""
