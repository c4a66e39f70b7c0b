"""The strategies of Robby Solo: our bots, and simple ones against which they are measured.

A simple one chooses its bank by one thought and stays there; all else it does as our bots do.
"""

from collections.abc import Callable

from companion.bots.decisions import BotView, CloseHand, Decision
from companion.bots.strategy import Strategy, our_strategies
from companion.core.events import Event
from companion.games.robby_solo.bot import DECISIONS
from companion.games.robby_solo.raid import Cards
from companion.games.robby_solo.state import Declared, Kept

OBJECT_WORTH = 12_000
"""What an object is worth on the way to many."""

Choice = Callable[[BotView], str]


def _worth(loot: Cards) -> int:
    return sum(card if isinstance(card, int) else OBJECT_WORTH for card in loot)


def _by_worth(sight: BotView) -> list[str]:
    """Return the banks, the richest first."""
    return [bank.name for bank in sorted(sight.public.banks, key=lambda b: -_worth(b.loot))]


def _choose_richest(sight: BotView) -> str:
    return _by_worth(sight)[0]


def _choose_second(sight: BotView) -> str:
    return _by_worth(sight)[1]


def _choose_poorest(sight: BotView) -> str:
    return _by_worth(sight)[-1]


def _choose_anywhere(sight: BotView) -> str:
    return str(sight.random.choice(sight.public.banks).name)


def _choose_fullest(sight: BotView) -> str:
    """Return the bank with most cards, which the police would clear."""
    return str(max(sight.public.banks, key=lambda bank: (len(bank.loot), _worth(bank.loot))).name)


def _choose_last_winner(sight: BotView) -> str:
    """Return the bank where the most was taken in the last round, or the richest."""
    if sight.past:
        steps = [step for step in sight.past[-1].steps if step.rule == "R.solo"]
        alone = [step.facts for step in steps if len(step.facts.get("who", ())) == 1]
        if alone:
            return str(max(alone, key=lambda facts: _worth(facts["cards"]))["colour"])
    return _choose_richest(sight)


def _keep_card(sight: BotView) -> Decision:
    return Kept(sight.seat)


def _declare_own_bank(sight: BotView) -> Event:
    return Declared(sight.seat, str(sight.held), True)


def _simple(about: str, choice: Choice) -> Strategy:
    def close_hand(sight: BotView) -> Decision:
        return CloseHand(choice(sight))

    return OURS["strong"].instead(
        about, seal=close_hand, change=_keep_card, declare=_declare_own_bank
    )


def _yield_or_stay(sight: BotView) -> Decision:
    """Leave the richest bank for the second one, where it is spoken for."""
    said = sight.public.declaration
    return (
        CloseHand(_choose_second(sight))
        if said.will and said.bank == sight.held
        else _keep_card(sight)
    )


OURS = our_strategies(DECISIONS)

STRATEGIES = {
    **OURS,
    "richest": _simple("always the richest bank", _choose_richest),
    "richest_or_second": _simple(
        "the richest bank, or the second if the first is spoken for", _choose_richest
    ).instead("the richest bank, or the second if it is spoken for", change=_yield_or_stay),
    "second": _simple("always the second richest bank", _choose_second),
    "poorest": _simple("always the poorest bank", _choose_poorest),
    "fullest": _simple("always the bank with most cards", _choose_fullest),
    "anywhere": _simple("any bank", _choose_anywhere),
    "last_winner": _simple("where the most was taken the last time", _choose_last_winner),
}
"""The strategies by name; all but the first four are simple."""
