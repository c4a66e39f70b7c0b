"""Counts: a player's things, counted in sight of all, and the difference from the log.

Law: a count changes what its own player has and nothing else of the game; its difference is noted
once, with the count, and is the same however the game is amended later.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import Refusal, refusal
from companion.core.table_events import Counted


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
    """Refuse a count that this seat cannot have made, or a difference that the table did not
    count."""
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
