"""The strategies of Banque Fatale: our bots, and simple ones against which they are measured.

A simple one closes its hand by one thought; all else it does as our bots do.
"""

from collections.abc import Callable

from companion.bots.decisions import BotView, CloseHand, Decision
from companion.bots.strategy import Strategy, our_strategies
from companion.games.banque_fatale.auction import card_worth, count_aces
from companion.games.banque_fatale.bot import DECISIONS

Number = Callable[[BotView], int]


def _own_cards(sight: BotView) -> tuple[str, ...]:
    return (*sight.public.seats[sight.seat - 1].cards, sight.public.auctioned)


def _own_colours_first(sight: BotView) -> list[str]:
    """Return its chips, those of its own colours first, as the auctioned card was one of them."""
    chips = [colour for colour, n in sight.mine.chips.items() for _ in range(n)]
    return sorted(chips, key=lambda colour: -count_aces(_own_cards(sight), colour))


def _close(sight: BotView, number: int) -> Decision:
    shown = _own_colours_first(sight)[: max(0, number)]
    return CloseHand({colour: shown.count(colour) for colour in dict.fromkeys(shown)})


def _simple(about: str, number: Number) -> Strategy:
    return OURS["strong"].instead(about, seal=lambda sight: _close(sight, number(sight)))


def _chips(sight: BotView) -> int:
    return sum(sight.mine.chips.values())


def _own_colours(sight: BotView) -> int:
    return sum(n for c, n in sight.mine.chips.items() if count_aces(_own_cards(sight), c))


def _worth_by_players(sight: BotView) -> int:
    worth = card_worth(sight.public.auctioned, sight.public.values)
    return round(worth / len(sight.names))


def _last_winner(sight: BotView) -> int:
    """Return as many chips as the last winner showed."""
    fists = [step.facts["fists"] for past in sight.past for step in past.steps
             if "fists" in step.facts]  # fmt: skip
    return max(sum(fist.values()) for fist in fists[-1].values()) if fists else 4


OURS = our_strategies(DECISIONS)

STRATEGIES = {
    **OURS,
    "nothing": _simple("never a chip", lambda _: 0),
    "one": _simple("always one chip", lambda _: 1),
    "two": _simple("always two chips", lambda _: 2),
    "three": _simple("always three chips", lambda _: 3),
    "four": _simple("always four chips", lambda _: 4),
    "five": _simple("always five chips", lambda _: 5),
    "half": _simple("half of its chips", lambda sight: _chips(sight) // 2),
    "all_in": _simple("all of its chips", _chips),
    "own_colours": _simple("every chip of its own colours", _own_colours),
    "worth_by_players": _simple("what the card is worth ÷ players", _worth_by_players),
    "last_winner": _simple("as many as the last winner", _last_winner),
    "by_chance": _simple("any number", lambda sight: sight.random.randint(0, _chips(sight))),
}
"""The strategies by name; all but the first four are simple."""
