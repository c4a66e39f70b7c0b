"""The top of a simulated table, as far as hands that move pieces need it."""

from collections.abc import Mapping
from typing import Protocol


class Tabletop(Protocol):
    """Places with readers, on which tags lie.

    Laying and lifting wait until the readers have seen what was done; putting and taking do not.
    """

    @property
    def now(self) -> float:
        """Seconds of the table's own time."""

    def stick_tags(self, things: Mapping[str, str]) -> None:
        """Stick each tag onto its thing."""

    def lay_tag(self, tag: str, place: int) -> None:
        """Lay a tag at a place, lifted from where it lay before."""

    def lift_tags(self, *tags: str) -> None:
        """Lift tags off their places."""

    def put_tag(self, tag: str, place: int) -> None:
        """Lay a tag at a place, and wait for nothing."""

    def restore_tag(self, tag: str, place: int) -> None:
        """Lay a tag where it lay before the table was switched on."""

    def take_tags(self, *tags: str) -> None:
        """Lift tags off their places, and wait for nothing."""

    def clear_table(self) -> None:
        """Take everything off."""

    def tags_at(self, place: int) -> list[str]:
        """Return the tags that lie at a place, in the order in which they came."""

    def place_of(self, tag: str) -> int | None:
        """Return where a tag lies; None if it does not lie at a place."""

    def can_come_again(self, tag: str, place: int) -> bool:
        """Return whether the reader of a place would notice a tag that is put there now."""
