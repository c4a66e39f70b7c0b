"""Cards that a correction names otherwise, and the moments that speak of them.

Law: a card that a correction names otherwise is named so wherever a moment before the correction
speaks of it. Where a name may be that of several cards, its spot tells it from the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.core.events import Event
from companion.core.sweep import Revealing
from companion.core.table_events import Found
from companion.games.rulebook import AnyRulebook

Spot = tuple[int, int]
"""A place, and the number of a card there."""


class Replacement(NamedTuple):
    """The event that replaces a moment, and the number of its correction."""

    event: Event
    made_at: int


class Renaming(NamedTuple):
    """A card that was named otherwise until it was corrected, and where it lies; everywhere where
    each name is of one card."""

    names: Mapping[object, object]
    made_at: int
    spot: Spot | None
    bank: object

    def holds(self, at: int, laid: Mapping[int, Sequence[int]]) -> bool:
        """Return whether this moment may speak of the card by its former name."""
        if self.spot is None:
            return at < self.made_at
        place, slot = self.spot
        return at < self.made_at and 1 <= slot <= len(laid.get(place, ()))


def find_renamings(
    rules: AnyRulebook, noted: Event, correct: Replacement, spots: Sequence[Spot]
) -> Iterator[Renaming]:
    """Yield each card at these spots that a correction names otherwise than it was noted."""
    everywhere, now = rules.has_unique_cards, correct.event
    if isinstance(now, Revealing) and not everywhere:
        return
    pairs = zip(named_cards(noted), named_cards(now), strict=False)
    for (old, new), spot in zip(pairs, spots, strict=False):
        if old != new and None not in (old, new):
            names = {old: new, new: old} if everywhere else {old: new}
            where = None if everywhere else spot
            yield Renaming(names, correct.made_at, where, getattr(now, "bank", None))


def named_cards(event: Event) -> tuple[object, ...]:
    """Return the names of the cards in an event, None for one without a name."""
    return event.cards if isinstance(event, Found) else (getattr(event, "card", None),)


def rename(renamed: list[Renaming], rules: AnyRulebook, event: Event) -> Replacement:
    """Return an event as the corrections before it name its card, and the last of these, or 0; a
    card that one of them names is shown only once in a sweep."""
    made_at = 0
    for one in renamed:
        card = getattr(event, "card", None)
        if rules.has_unique_cards and isinstance(event, Found):
            cards = tuple(one.names.get(each, each) for each in event.cards)
            if cards != event.cards:
                event, made_at = replace(event, cards=cards), one.made_at
        elif card in one.names and (one.spot is None or _shows(event, one.bank)):
            event, made_at = replace(event, card=one.names[card]), one.made_at
            if one.spot is not None:
                renamed.remove(one)
                break
    return Replacement(event, made_at)


def _shows(event: Event, bank: object) -> bool:
    return isinstance(event, Revealing) and getattr(event, "bank", None) == bank
