"""The strategies of Banküberfall: our bots, and simple ones against which they are measured.

A simple one closes its hand by one thought; all else it does as our bots do.
"""

from collections.abc import Callable
from statistics import fmean

from companion.bots.decisions import BotView, CloseHand
from companion.bots.strategy import Strategy, our_strategies
from companion.games.bankueberfall.bot import DECISIONS

AVERAGE_CARD = 2.4
"""What a card that it does not know adds to the loot, about."""

Bid = Callable[[BotView], int]


def _simple(about: str, bid: Bid) -> Strategy:
    return OURS["strong"].instead(
        about, seal=lambda sight: CloseHand(max(0, min(bid(sight), sight.mine.coins)))
    )


def _expected_loot(sight: BotView) -> float:
    """Return the money that lies there, as far as it knows, and an average for the rest."""
    bank = sight.public.figure
    up = [card for card in sight.public.banks[bank - 1] if card is not None]
    known = [*up, *(own["card"] for own in sight.mine.cards if own["bank"] == bank)]
    hidden = len(sight.public.banks[bank - 1]) - len(known)
    return sum(int(card) for card in known if card.isdecimal()) + AVERAGE_CARD * hidden


def _bids(sight: BotView) -> dict[str, int]:
    """Return the bids of the last robbery, by name; none before the first."""
    tallies = [step.facts["tally"] for past in sight.past[-1:] for step in past.steps
               if step.rule == "B.bid"]  # fmt: skip
    return dict(tallies[0]) if tallies else {}


def _last_winner(sight: BotView) -> int:
    """Return the highest bid that was paid the last time, else a fair part of the loot."""
    paid = getattr(sight.past[-1], "paid", {}) if sight.past else {}
    return max(paid.values(), default=0) or _share(sight)


def _share(sight: BotView) -> int:
    return int(_expected_loot(sight) / len(sight.names))


def _one_less(sight: BotView) -> int:
    """Return one coin less than the average bid of the last robbery."""
    bids = _bids(sight)
    return round(fmean(bids.values())) - 1 if bids else _share(sight)


OURS = our_strategies(DECISIONS)

STRATEGIES = {
    **OURS,
    "nothing": _simple("never a coin", lambda _: 0),
    "two": _simple("always two coins", lambda _: 2),
    "four": _simple("always four coins", lambda _: 4),
    "six": _simple("always six coins", lambda _: 6),
    "half": _simple("half of its coins", lambda sight: sight.mine.coins // 2),
    "all_in": _simple("all of its coins", lambda sight: sight.mine.coins),
    "share": _simple("the loot that it expects ÷ players", _share),
    "loot": _simple("all of the loot that it expects", lambda s: int(_expected_loot(s))),
    "half_loot": _simple("half of the loot that it expects", lambda s: int(_expected_loot(s) / 2)),
    "one_less": _simple("one coin less than the last bids on average", _one_less),
    "last_winner": _simple("as much as the highest bid paid last", _last_winner),
    "by_chance": _simple("up to ten coins", lambda sight: sight.random.randint(0, 10)),
}
"""The strategies by name; all but the first four are simple."""
