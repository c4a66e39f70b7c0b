"""Bots: they play the seats without a person. Here is what one sees, and what it may decide.

Laws: a bot knows its own view and its own hand of cards, and nothing else. It acts as a person
does: with cards where a person uses cards, and like a phone where a phone is asked. It asks only
what its view offers, so it never waits where a person could go on. A decision names what its player
decides, and never what only the table can show: the one who moves the pieces sees which card or
tile comes up, and says so.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from companion.core.commitment import HandChoice, NumberChoice, OneChoice
from companion.core.errors import JsonObject
from companion.core.events import Event, Value
from companion.core.table_events import Settled
from companion.core.verdict import Verdict


class BotView(msgspec.Struct, frozen=True):
    """A bot's knowledge: the box, the view of its seat, the cards in hand, the verdicts announced
    in this game, and what its closed hand holds, if it knows. `random` decides where it hesitates.
    """

    box: Any
    seat: int
    public: Any
    mine: Any
    may: Sequence[Any]
    hand: Sequence[str]
    past: Sequence[Verdict]
    held: Value | None
    random: Random

    @property
    def name(self) -> str:
        """Return the bot's own name at the table."""
        return str(self.public.seats[self.seat - 1].name)

    @property
    def names(self) -> list[str]:
        """Return everyone's name, clockwise."""
        return [seat.name for seat in self.public.seats]

    def choices_for(self, do: str) -> list[JsonObject]:
        """Return this seat's choices for an event now; none if it may not."""
        return [dict(choice) for may in self.may if may.do == do for choice in may.choices]

    def facts_told(self, rule: str, fact: str) -> list[Any]:
        """Return a fact of every step of this rule that names it, the oldest verdict first."""
        steps = (step for verdict in self.past for step in verdict.steps)
        return [step.facts[fact] for step in steps if step.rule == rule and fact in step.facts]


class PieceMove(msgspec.Struct, frozen=True):
    """Something to do with pieces on the table, by the name of its event."""

    do: str
    fields: JsonObject


class CloseHand(msgspec.Struct, frozen=True):
    """Close the hand around something."""

    value: Value


Decision = Event | PieceMove | CloseHand | None
"""Decision of a bot; None if it can do nothing."""
Decisions = Mapping[str, Callable[[BotView], Decision]]
"""Decisions of a bot in each phase of a game, by its name; in any other phase it does anything.
While a place is swept it shows the next card."""


def do_anything(sight: BotView) -> Decision:
    """Return one of the things that this seat may do, as a bot does in a game that brings none."""
    offered = [may for may in sight.may if may.choices]
    if not offered:
        return None
    may = sight.random.choice(offered)
    if may.do == "sealed":
        choice = sight.mine.choice
        return None if choice is None else CloseHand(hold_anything(choice, sight.random))
    chosen = dict(sight.random.choice(list(may.choices)))
    if may.with_pieces:
        chosen.pop("card", None)
    return PieceMove(may.do, fill_choice(chosen, sight.random))


def fill_choice(choice: Mapping[str, Any], luck: Random) -> JsonObject:
    """Return the fields of a choice, with one of the values where several are offered."""
    return {
        name: luck.choice(value) if isinstance(value, tuple) else value
        for name, value in choice.items()
    }


def hold_anything(choice: HandChoice, luck: Random) -> Value:
    """Return anything that a hand may hold."""
    if isinstance(choice, NumberChoice):
        return luck.randint(choice.least, choice.most)
    if isinstance(choice, OneChoice):
        return luck.choice(choice.options)
    things = [name for name, n in choice.most.items() for _ in range(n)]
    taken = luck.sample(things, luck.randint(0, len(things)))
    return {name: taken.count(name) for name in dict.fromkeys(taken)}


def show_next_card(sight: BotView) -> Decision:
    """Show the next card of a swept pile; its face is known only then. Where it differs from the
    noted cards, the shown card is right."""
    sweep = sight.public.sweep
    if len(sweep.shown) >= sweep.total:
        return Settled(sweep.place, "cards")
    may = next(may for may in sight.may if may.with_pieces)
    return PieceMove(may.do, {"bank": may.choices[0]["bank"]})


def choose_near_best(values: Sequence[float], within: float, luck: Random) -> int:
    """Return the number of a choice that is no worse than the best one by more than this."""
    best = max(values)
    return luck.choice([n for n, value in enumerate(values) if value >= best - within])
