"""A bot for a game that brings none: it does anything that it may do, and bids with its style.

Law: it asks only what its view offers, so it never waits where a person could go on.
"""

from collections.abc import Callable
from random import Random

from companion.bots.decisions import BotView, CloseHand, Decision, EventByName, PieceMove
from companion.bots.strategy import Acts, Strategy
from companion.core.events import Value
from companion.core.hand_choice import HandChoice, NumberChoice, OneChoice, SomeChoice
from companion.games.rulebook import May


class AnyPhase(dict[str, Callable[[BotView], Decision]]):
    """What is done in each phase: in all of them the same."""

    def __missing__(self, _phase: str) -> Callable[[BotView], Decision]:
        return decide_anything


def decide_anything(sight: BotView) -> Decision:
    """Return one of the things that this seat may do."""
    offered = [may for may in sight.view.may if may.choices]
    return _do(sight, sight.random.choice(offered)) if offered else None


def _do(sight: BotView, may: May) -> Decision:
    """Return this thing done, with one of its choices; the card that comes up is not chosen."""
    if may.do == "sealed":
        choice = sight.mine.choice
        return None if choice is None else CloseHand(choose_hand(choice, sight))
    chosen = sight.random.choice(list(may.choices))
    fields = {
        name: sight.random.choice(value) if isinstance(value, tuple) else value
        for name, value in chosen.items()
    }
    if not may.with_pieces:
        return EventByName(may.do, fields)
    return PieceMove(may.do, {name: value for name, value in fields.items() if name != "card"})


def choose_hand(choice: HandChoice, sight: BotView) -> Value:
    """Return something that a hand may hold; a careful bot holds less than a bold one."""
    match choice:
        case NumberChoice():
            spread = round((choice.most - choice.least) * (0.2 + 0.6 * sight.character.style))
            return choice.least + sight.random.randint(0, spread)
        case OneChoice():
            return sight.random.choice(choice.options)
        case SomeChoice():
            return _choose_some(choice, sight.random)


def _choose_some(choice: SomeChoice, luck: Random) -> dict[str, int]:
    things = [name for name, n in choice.most.items() for _ in range(n)]
    number = luck.randint(0, len(things) if choice.total is None else choice.total)
    taken = luck.sample(things, min(number, len(things)))
    return {name: taken.count(name) for name in dict.fromkeys(taken)}


ACTS: Acts = AnyPhase()
STRATEGIES = {
    "strong": Strategy(ACTS, "does anything that it may do"),
    "weak": Strategy(ACTS, "does anything that it may do", "weak"),
}
