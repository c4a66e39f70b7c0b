"""How a bot plays Banküberfall: it imagines robberies and asks the rules how they would end.

It counts the cards that it has seen, fills in the face-down ones by chance, guesses at the other
hands, and takes what leaves it best off. Of all the ways to lay a card it considers only a few
each time, as people do, so that no two evenings are alike.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.core.events import Passed
from companion.core.table_events import Settled
from companion.games.bankueberfall.robbery import Stakes, resolve_robbery

BIDS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40)
"""The bids that it weighs; people like round numbers as well."""
FEELERS = (0, 4, 9)
"""The bids by which it finds out what a bank promises."""
CAREFULLY, AT_A_GLANCE = 16, 6
"""How many robberies it imagines before it closes its hand, and before it does anything else."""
IDEAS = 6
"""How many ways to lay a card it considers."""
CAUTION = 1.5
"""How much rarer it thinks high bids of the others than low ones; 1 is not at all."""
SPITE = 0.7
"""What a coin that the others lose is worth to it."""

SHY = 0.3
"""How often it reveals nothing."""


class ImaginedRobbery(NamedTuple):
    """A robbery as it might be: the cards at the bank, and what the others bid."""

    cards: list[str]
    bids: dict[str, int]


# What it knows.


def _known_cards(sight: BotView, bank: int) -> dict[int, str]:
    """Return the cards at a bank that it can see or remembers, by slot."""
    lying = sight.public.banks[bank - 1]
    known = {slot: card for slot, card in enumerate(lying, 1) if card in sight.box.cards}
    own = {card["slot"]: card["card"] for card in sight.mine.cards if card["bank"] == bank}
    return known | own


def _unseen_cards(sight: BotView) -> list[str]:
    """Return all cards that an unknown one can be, each as often as it can be."""
    seen = Counter(sight.hand)
    for robbery in sight.past:
        seen.update(card for step in robbery.steps for card in step.facts.get("cards", ()))
    for bank in range(1, len(sight.public.banks) + 1):
        seen.update(_known_cards(sight, bank).values())
    return list((Counter(sight.box.cards) - seen).elements())


def _imagine_robberies(sight: BotView, bank: int, times: int) -> list[ImaginedRobbery]:
    """Return robberies of this bank as they might be."""
    known, unseen = list(_known_cards(sight, bank).values()), _unseen_cards(sight)
    missing = min(len(sight.public.banks[bank - 1]) - len(known), len(unseen))
    return [
        ImaginedRobbery(known + sight.random.sample(unseen, missing), dict(_other_bids(sight)))
        for _ in range(times)
    ]


def _other_bids(sight: BotView) -> Iterator[tuple[str, int]]:
    """Guess a bid for each other player: as rich as itself, and a little careful."""
    purse = max(sight.mine.coins, sight.box.purse)
    for name in sight.names:
        if name != sight.name:
            yield name, int((purse + 1) * sight.random.random() ** CAUTION)


# What it makes of that.


def _average_gain(
    sight: BotView, robberies: Sequence[ImaginedRobbery], bid: int, *more: str
) -> float:
    """Return what this bid brings on average, with more cards at the bank perhaps."""
    return fmean(_robbery_gain(sight, robbery, bid, more) for robbery in robberies)


def _robbery_gain(sight: BotView, robbery: ImaginedRobbery, bid: int, more: Sequence[str]) -> float:
    """Return its own gain, less a part of what the others gain."""
    bids = {**robbery.bids, sight.name: bid}
    stakes = Stakes(bids, sight.public.house_rules, sight.box)
    change = resolve_robbery([*robbery.cards, *more], stakes).change
    own = change.pop(sight.name)
    return own - SPITE * fmean(change.values())


def _best_prospect(sight: BotView, robberies: Sequence[ImaginedRobbery], *more: str) -> float:
    """Return the best average gain with nothing, something or much in hand."""
    bids = {min(bid, sight.mine.coins) for bid in FEELERS}
    return max(_average_gain(sight, robberies, bid, *more) for bid in bids)


# What it does.


def _turn_tile(_sight: BotView) -> Decision:
    """Turn any tile; which one it is shows only then."""
    return PieceMove("tile_turned", {})


def _place_card(sight: BotView) -> Decision:
    """Choose, of a few ideas, the one that helps the prospects of its bank most."""
    banks = [choice["bank"] for choice in sight.choices_for("card_placed")]
    if not sight.hand:  # The log counts a card that lies elsewhere: trust the log.
        return PieceMove("card_placed", {"bank": sight.random.choice(banks)})
    ideas = [(bank, card) for bank in banks for card in dict.fromkeys(sight.hand)]
    few = sight.random.sample(ideas, min(IDEAS, len(ideas)))
    robberies = {bank: _imagine_robberies(sight, bank, AT_A_GLANCE) for bank in banks}
    now = {bank: _best_prospect(sight, robberies[bank]) for bank, _ in few}
    bank, card = max(
        few, key=lambda idea: _best_prospect(sight, robberies[idea[0]], idea[1]) - now[idea[0]]
    )
    return PieceMove("card_placed", {"bank": bank, "card": card})


def _spy_card(sight: BotView) -> Decision:
    return _choose_unknown_card(sight, "card_spied")


def _reveal_card(sight: BotView) -> Decision:
    """Turn a card up, but not always: everyone sees it."""
    shy = sight.random.random() < SHY
    return Passed(sight.seat) if shy else _choose_unknown_card(sight, "card_revealed")


def _choose_unknown_card(sight: BotView, do: str) -> Decision:
    """Look at a card that it does not know, rather where much lies; or do without."""
    unknown = [
        way for way in sight.choices_for(do) if way["slot"] not in _known_cards(sight, way["bank"])
    ]
    if not unknown:
        return Passed(sight.seat)
    lying = [len(sight.public.banks[way["bank"] - 1]) for way in unknown]
    way = sight.random.choices(unknown, lying)[0]
    return PieceMove(do, {"bank": way["bank"], "slot": way["slot"]})


def _choose_bank(sight: BotView) -> Decision:
    """Choose the bank with the best prospects."""
    banks = [choice["bank"] for choice in sight.choices_for("bank_chosen")]
    best = max(
        banks, key=lambda bank: _best_prospect(sight, _imagine_robberies(sight, bank, AT_A_GLANCE))
    )
    return PieceMove("bank_chosen", {"bank": best})


def _close_hand(sight: BotView) -> Decision:
    """Bid what brings most, and little rather than much."""
    robberies = _imagine_robberies(sight, sight.public.figure, CAREFULLY)
    bids = [bid for bid in BIDS if bid <= sight.mine.coins]
    return CloseHand(max(bids, key=lambda bid: _average_gain(sight, robberies, bid)))


def _turn_up(sight: BotView) -> Decision:
    """Turn up a card of the robbed bank; which one it is shows only then.

    Where the bank is swept, and other cards were shown than noted, what was shown is right.
    """
    sweep = sight.public.sweep
    if sweep is not None and len(sweep.shown) >= sweep.total:
        return Settled(sight.public.figure, "cards")
    if sweep is not None:
        return PieceMove("card_shown", {"bank": sight.public.figure})
    way = sight.random.choice(sight.choices_for("card_named"))
    return PieceMove("card_named", {"bank": way["bank"], "slot": way["slot"]})


def _refill_bank(sight: BotView) -> Decision:
    return PieceMove("bank_refilled", {"bank": sight.public.figure})


DECISIONS: dict[str, Callable[[BotView], Decision]] = {
    "tile": _turn_tile,
    "place": _place_card,
    "spy": _spy_card,
    "reveal": _reveal_card,
    "rob": _choose_bank,
    "seal": _close_hand,
    "turn_up": _turn_up,
    "refill": _refill_bank,
}
"""What it does in each phase."""
