"""How a bot plays Banküberfall: it imagines robberies, and bids what pays in most of them.

It counts the cards that it has seen and fills in the face-down ones by chance. Of the others it
knows how many coins they have, since every change was announced, and how much they usually bid for
so many cards. It takes what leaves it best off against them, or about that. Of all the ways to lay
a card it considers only a few each time, as people do, so that no two evenings are alike.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import exp
from statistics import fmean
from typing import NamedTuple

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.bots.habits import MEMORY
from companion.bots.sweeping import show_next_card
from companion.core.events import Passed
from companion.core.i18n import N_, Message, message
from companion.games.bankueberfall.foresight import foresee_changes, foresee_outcome
from companion.games.bankueberfall.opponents import count_coins, past_bids, robbed_cards

BIDS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 30, 40)
"""The bids that it weighs; people like round numbers as well."""
FEELERS = (0, 4, 9)
"""The bids by which it finds out what a bank promises."""
CAREFULLY, AT_A_GLANCE = 24, 6
"""How many robberies it imagines before it closes its hand, and before it does anything else."""
IDEAS = 6
"""How many ways to lay a card it considers."""
CAUTION = 1.5
"""How much rarer high bids are than low ones, if nothing is known of a player; 1 is not at all."""
TRUST = 2.0
"""After so many robberies it believes as much in what it saw of a player as in what is usual."""
SPITE = 0.7
"""What a coin that the others lose is worth to it, on average: the more, the richer they are."""
FEAR = 0.5
"""By how much more a lost coin hurts the careful than the bold."""
WAVERING = 0.15
"""By how many coins it may miss the best bid."""
SHY = 0.3
"""How often it reveals nothing."""

AT_A_GUESS = N_("I guessed.")
KEPT_OUT = N_("I gave bank {bank} {percent} in 100 to bring nothing, and kept my hand empty.")
NONE_ABOVE = N_("I expected {coins} at bank {bank}, and none of you above {bid}.")
ONE_ABOVE = N_("I expected {coins} at bank {bank}, and one of you above {bid}.")
SOME_ABOVE = N_("I expected {coins} at bank {bank}, and {n} of you above {bid}.")


class ImaginedRobbery(NamedTuple):
    """A robbery as it might be: the cards at the bank, and what the others bid."""

    cards: list[str]
    bids: list[int]


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
    if sight.character.strength == "strong":
        for robbery in sight.past:
            seen.update(robbed_cards(robbery))
    for bank in range(1, len(sight.public.banks) + 1):
        seen.update(_known_cards(sight, bank).values())
    return list((Counter(sight.box.cards) - seen).elements())


# What it imagines.


def _imagine_robberies(sight: BotView, bank: int, times: int) -> list[ImaginedRobbery]:
    """Return robberies of this bank as they might be."""
    known, unseen = list(_known_cards(sight, bank).values()), _unseen_cards(sight)
    lying = len(sight.public.banks[bank - 1])
    missing = min(lying - len(known), len(unseen))
    coins, past = count_coins(sight), past_bids(sight)
    return [
        ImaginedRobbery(
            known + sight.random.sample(unseen, missing),
            [_guess_bid(sight, coins[name], past[name], max(1, lying)) for name in coins],
        )
        for _ in range(times)
    ]


def _guess_bid(sight: BotView, coins: int, past: Sequence[float], lying: int) -> int:
    """Guess a bid: one like those that this player made before, or one as people make."""
    luck = sight.random.random
    if sight.character.strength == "weak" or luck() * (len(past) + TRUST) < TRUST:
        return int((max(coins, sight.box.purse) + 1) * luck() ** CAUTION)
    weights = [MEMORY**n for n in range(len(past), 0, -1)]
    bid = sight.random.choices(past, weights)[0] * lying
    return min(coins, round(bid * (0.7 + 0.6 * luck())))


# What it makes of that.


def _judge_bids(
    sight: BotView, robberies: Sequence[ImaginedRobbery], bids: Sequence[int], *more: str
) -> list[float]:
    """Return what each bid brings on average, with more cards at the bank perhaps.

    That is its own gain, less a part of what the others gain; of those more who have more.
    """
    stops = sight.public.house_rules["shortfall"] == "stop"
    coins = [max(1, owned) for owned in count_coins(sight).values()]
    spite = [SPITE * owned / sum(coins) for owned in coins]
    hurt = 1 + FEAR * (0.5 - sight.character.style)
    totals = [0.0] * len(bids)
    for robbery in robberies:
        outcome = foresee_outcome([*robbery.cards, *more])
        for n, bid in enumerate(bids):
            own, *others = foresee_changes(outcome, [bid, *robbery.bids], sight.box.reward, stops)
            totals[n] += own * hurt if own < 0 else own
            for part, change in zip(spite, others, strict=True):
                totals[n] -= part * change
    return [total / len(robberies) for total in totals]


def _best_prospect(sight: BotView, robberies: Sequence[ImaginedRobbery], *more: str) -> float:
    """Return the best average gain with nothing, something or much in hand."""
    bids = sorted({min(bid, sight.mine.coins) for bid in FEELERS})
    return max(_judge_bids(sight, robberies, bids, *more))


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
    """Bid what brings most, or about that."""
    bank = sight.public.figure
    weak = sight.character.strength == "weak"
    robberies = _imagine_robberies(sight, bank, AT_A_GLANCE if weak else CAREFULLY)
    if weak:
        most = max(1, int(fmean(foresee_outcome(one.cards).loot for one in robberies)))
        return CloseHand(sight.random.randint(0, min(most, sight.mine.coins)), message(AT_A_GUESS))
    has_loot = any(foresee_outcome(robbery.cards).loot for robbery in robberies)
    bids = [bid for bid in BIDS if bid <= sight.mine.coins and (has_loot or not bid)]
    promises = _judge_bids(sight, robberies, bids)
    best = max(promises)
    weights = [exp((each - best) / WAVERING) for each in promises]
    bid = sight.random.choices(bids, weights)[0]
    return CloseHand(bid, _reason(bank, bid, robberies))


def _reason(bank: int, bid: int, robberies: Sequence[ImaginedRobbery]) -> Message:
    """Say what it expected of the bank and of the others."""
    loot = [foresee_outcome(robbery.cards).loot for robbery in robberies]
    nothing = round(100 * loot.count(0) / len(loot))
    if not bid:
        return message(KEPT_OUT, bank=bank, percent=nothing)
    facts: Mapping[str, object] = {"coins": round(fmean(loot)), "bank": bank, "bid": bid}
    above = round(fmean(sum(other > bid for other in one.bids) for one in robberies))
    text = (NONE_ABOVE, ONE_ABOVE, SOME_ABOVE)[min(above, 2)]
    return Message(text, {**facts, "n": above} if above > 1 else facts)


def _turn_up(sight: BotView) -> Decision:
    """Turn up a card of the robbed bank; which one it is shows only then."""
    if sight.public.sweep is not None:
        return show_next_card(sight, "card_shown")
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
