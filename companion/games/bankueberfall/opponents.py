"""What a bot knows of the others in Banküberfall: their coins, and what they usually bid.

Law: all of it was announced after each robbery.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.bots.decisions import BotView


def robbed_cards(robbery: Any) -> Sequence[str]:
    """Return the cards of a robbery that was announced."""
    return next((one.facts["cards"] for one in robbery.steps if "cards" in one.facts), ())


def count_coins(sight: BotView) -> dict[str, int]:
    """Return how many coins each of the others has: every change was announced."""
    coins = {name: sight.box.purse for name in sight.names if name != sight.name}
    for robbery in sight.past:
        for name in coins:
            coins[name] += robbery.change.get(name, 0)  # type: ignore[attr-defined]
            coins[name] += (robbery.credits or {}).get(name, 0) * sight.box.purse  # type: ignore[attr-defined]
    return coins


def past_bids(sight: BotView) -> dict[str, list[float]]:
    """Return what each of the others bid for each card that lay there, robbery by robbery."""
    bids: dict[str, list[float]] = {name: [] for name in sight.names if name != sight.name}
    for robbery in sight.past:
        cards = max(1, len(robbed_cards(robbery)))
        tally: Mapping[str, int] = next(
            (one.facts["tally"] for one in robbery.steps if one.rule == "B.bid"), {}
        )
        for name in bids.keys() & tally.keys():
            bids[name].append(tally[name] / cards)
    return bids
