"""Corrections of a game: by default the wrong event is undone.

Law: a count changes what its own player has and nothing else of the game; its difference is noted
once, with the count, and is the same however the game is amended later.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, Message
from companion.core.table_events import Counted, Found
from companion.core.verdict import Score
from companion.games.game_state import S


class Countable(NamedTuple):
    """A thing that a player can count: the noted number, the most possible, and the least, as so
    much lies open in the hand."""

    noted: int
    most: int
    least: int = 0

    def add(self, more: int) -> int:
        """Return the amount after a counted difference."""
        return max(self.least, self.noted + more)


Owned = Mapping[str, Countable]
"""Things that a seat can count, by name."""


def refuse_counted(owned: Owned, event: Counted) -> Refusal | None:
    """Refuse an impossible count of this seat's things, and a difference that the table did not
    work out."""
    if not owned:
        text = "Nothing can be counted now: undo the moment that is wrong."
        return refusal("nothing_to_count", "T.count", text)
    known = {
        name
        for name, n in event.owns.items()
        if name in owned and owned[name].least <= n <= owned[name].most
    }
    if not event.owns or known != {*event.owns}:
        text = "That cannot be what seat {seat} owns."
        return refusal("not_countable", "T.count", text, seat=event.seat)
    if not {*event.more} <= known:
        text = "The table works out the difference itself."
        return refusal("not_difference", "T.count", text)
    return None


def count_difference(owned: Owned, event: Counted) -> dict[str, int]:
    """Return the counted surplus of each thing over the log; nothing for equal counts."""
    more = {name: n - owned[name].noted for name, n in event.owns.items()}
    return {name: n for name, n in more.items() if n}


MOST = 999


class Corrections(Generic[S]):
    """Corrections that a game allows.

    `counted` says what the fields of a player are called where they are counted: a number, or a
    mapping whose things go by their own names; of a tuple only the length is compared. An open hand
    holds some of the first number, or of the things by their names. `score` counts the score anew.
    """

    counted: ClassVar[Mapping[str, str]] = {}
    score: Callable[[Any], Score] | None = None

    def refuse_found(self, _state: S, event: Found) -> Refusal | None:
        """Return the reason these cards cannot lie at a place."""
        text = "What lies at place {place} cannot be entered in this game: undo the moment instead."
        return refusal("undo_instead", "T.todo", text, place=event.place)

    def apply_found(self, state: S, _event: Found) -> S:
        """Return the game with these cards at a place, against the log."""
        return state

    def count_holdings(self, state: S) -> dict[str, dict[str, int]]:
        """Return everyone's holdings by name; differences after a correction are counted in
        them."""
        return {player.name: dict(self._count_fields(player)) for player in state.players}

    def _count_fields(self, player: Any) -> Iterator[tuple[str, int]]:
        for field in self.counted or player.__struct_fields__:
            name, has = self.counted.get(field, field), getattr(player, field)
            if type(has) is int:
                yield name, has
            elif isinstance(has, tuple):
                yield name, len(has)
            elif isinstance(has, Mapping):
                yield name, sum(has.values())

    def count_own(self, state: S, seat: int) -> Owned:
        """Return the things that a seat can count of its own; nothing for a seat that is not
        played."""
        owned: dict[str, Countable] = {}
        if not 1 <= seat <= len(state.players):
            return owned
        player, held = state.players[seat - 1], state.hands.values[seat - 1]
        for field, name in self.counted.items():
            has = getattr(player, field)
            if isinstance(has, Mapping):
                in_hand = held if isinstance(held, Mapping) else {}
                owned |= {one: Countable(n, MOST, in_hand.get(one, 0)) for one, n in has.items()}
            elif isinstance(has, int):
                least = held if isinstance(held, int) and not owned else 0
                owned[name] = Countable(has, MOST, least)
        return owned

    def apply_counted(self, state: S, event: Counted) -> S:
        """Return the game with the difference that a player counted."""
        now = {
            name: one.add(event.more.get(name, 0))
            for name, one in self.count_own(state, event.seat).items()
        }
        player: Any = state.players[event.seat - 1]
        changes: dict[str, object] = {}
        for field, name in self.counted.items():
            has = getattr(player, field)
            if isinstance(has, Mapping):
                changes[field] = {one: now[one] for one in has}
            elif isinstance(has, int):
                changes[field] = now[name]
        state = state.change_player(event.seat, **changes)
        if self.score is None or state.score is None:
            return state
        return msgspec.structs.replace(state, score=self.score(state))

    def word_counted(self, owns: Mapping[str, int]) -> Sequence[Message]:
        """Return a player's count in words: the numbers, then the things."""
        numbers = [name for name in self.counted.values() if name in owns]
        told = [Message(f"{{{name}}}", {name: owns[name]}) for name in numbers]
        things = {name: n for name, n in owns.items() if name not in numbers}
        return [*told, Message("{by_colour}", {"by_colour": things})] if things else told


TOO_MANY = N_("The box does not hold so many cards.")


def refuse_card(
    card: object, box: Collection[str], left: Collection[str], rule: str
) -> Refusal | None:
    """Refuse a card that the box does not hold, or that is none of those `left` in it."""
    if str(card) not in box:
        return refusal("no_such_card", rule, "The box holds no card “{name}”.", name=card)
    if str(card) in left:
        return None
    text = "Every {card} of the box has been seen already."
    return refusal("none_left", rule, text, card=card)


def refuse_surplus(
    cards: Sequence[Any], elsewhere: Counter[Any], box: Mapping[Any, int]
) -> Refusal | None:
    """Refuse cards at a place that the box does not hold, or not besides those elsewhere."""
    if len(cards) > sum(box.values()):
        return refusal("too_many", "T.todo", TOO_MANY)
    for card, n in Counter(card for card in cards if card is not None).items():
        if card not in box:
            text = "The box holds no card “{name}”."
            return refusal("no_such_card", "T.todo", text, name=card)
        if n + elsewhere[card] > box[card]:
            text = "The box does not hold so many: {card}."
            return refusal("none_left", "T.todo", text, card=card)
    return None


class Difference(msgspec.Struct, frozen=True):
    """Amount of something that a player has gained by a change."""

    name: str
    what: str
    by: int


Amounts = Mapping[str, Mapping[str, int]]
"""By the name of a player, how much there is of each thing."""


def compare_amounts(before: Amounts, after: Amounts) -> Iterator[Difference]:
    """Yield what each player has more or less; a new player had nothing before."""
    for name in dict.fromkeys((*before, *after)):
        had, has = before.get(name, {}), after.get(name, {})
        for what in dict.fromkeys((*had, *has)):
            if by := has.get(what, 0) - had.get(what, 0):
                yield Difference(name, what, by)
