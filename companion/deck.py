"""The deck: which thing each tag is stuck to."""

from collections.abc import Mapping

import msgspec

FIGURE = "figure"
TILE = "tile "


class Deck(msgspec.Struct, frozen=True):
    """Which thing each tag is stuck to: a card by its name, "tile spy", or "figure"."""

    things: Mapping[str, str]

    def __getitem__(self, tag: str) -> str | None:
        return self.things.get(tag)
