"""A sweep: pieces pass a reader one by one, and are compared with those that were believed.

Laws: a card that is believed without a name stands for any card; one that has a name stands for
itself alone. A tag that passes again counts no second time. A sweep knows names and numbers, never
a tag.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from companion.core.events import Event

Sweeping = Literal["", "doubtful", "always"]
"""When the cards of a place are swept before they count: never, only when one of them is covered,
unknown or contested, or every time."""


class Revealing(Event, frozen=True):
    """A fact that reveals cards of a swept place."""


class SweepDifference(NamedTuple):
    """Cards that were believed and not shown, and cards that were shown and not believed."""

    unshown: tuple[str, ...]
    unbelieved: tuple[str, ...]


class Sweep(msgspec.Struct, frozen=True):
    """The sweep of a place as far as it has come: the cards believed there, and those shown."""

    place: int
    believed: tuple[str | None, ...]
    shown: tuple[str, ...]
    is_always: bool = False
    """Whether it is swept even if all its cards are heard."""
    swept_before: tuple[int, ...] = ()
    """The places swept before it for the same verdict: their cards may be in hand still."""

    @property
    def is_through(self) -> bool:
        """Return whether as many cards were shown as are believed to lie there."""
        return len(self.shown) >= len(self.believed)

    @property
    def is_known(self) -> bool:
        """Return whether every believed card has a name."""
        return None not in self.believed

    @property
    def difference(self) -> SweepDifference:
        return compare_sweep(self.believed, self.shown)


def compare_sweep(believed: Sequence[str | None], shown: Iterable[str]) -> SweepDifference:
    """Return the differences between shown and believed cards, both empty if there are none.

    Of the shown cards that are not believed by name, the first ones stand for those without a name.
    """
    unshown, others = match_names((name for name in believed if name is not None), shown)
    return SweepDifference(unshown, others[list(believed).count(None) :])


def fill_gaps(names: Iterable[str | None], shown: Iterable[str]) -> tuple[str | None, ...]:
    """Return these names, each None filled with a shown card that is none of them, as long as there
    is one; the shown cards that are left come last."""
    faces = list(names)
    others = iter(match_names((name for name in faces if name is not None), shown)[1])
    return (*(next(others, None) if name is None else name for name in faces), *others)


def match_names(
    names: Iterable[str], shown: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the missing names and the surplus cards, each in order."""
    left, others = Counter(names), []
    for name in shown:
        if left[name] > 0:
            left[name] -= 1
        else:
            others.append(name)
    return tuple(left.elements()), tuple(others)
