"""The box of Lantern Night: its fields."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from companion.core.cards import Box, Count


class LanternBox(Box, frozen=True):
    """Ten lanterns, each worth its number, and coins."""

    answers: ClassVar[Mapping[str, tuple[str, ...]]] = {"coins_at_end": ("nothing", "a_tenth")}

    game: Literal["lantern_night"]
    purse: Count
    lanterns: dict[str, Count]

    def tagged_pieces(self) -> dict[str, int]:
        """Return the lanterns, which carry a sticker each; coins carry none."""
        return dict(self.lanterns)

    def find_problems(self) -> list[str]:
        odd = [name for name in self.lanterns if not name.isdecimal()]
        return [f"lanterns.{name} is not a number" for name in odd]
