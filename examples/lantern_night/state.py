"""A game of Lantern Night as it stands: frozen, and only as much as the table knows.

The pile is counted, never known: a lantern is learnt when it is lit.
"""

from collections import Counter
from typing import ClassVar

import msgspec

from companion.core.commitment import RoundHands, fresh_hands
from companion.core.events import Event, Started
from companion.core.i18n import N_
from companion.core.verdict import Score
from examples.lantern_night.box import LanternBox
from examples.lantern_night.contest import Contest


class LanternNightPlayer(msgspec.Struct, frozen=True):
    """A player's name, coins behind the screen, lanterns in front of it."""

    name: str
    coins: int
    lanterns: tuple[str, ...] = ()


class LanternNightState(msgspec.Struct, frozen=True):
    """The whole table; `lit` is the lantern that is bid for, or "" between two."""

    box: LanternBox
    house_rules: dict[str, str]
    id: str
    players: tuple[LanternNightPlayer, ...]
    phase: str
    active: int
    pile: int
    hands: RoundHands
    lit: str = ""
    out: tuple[str, ...] = ()
    verdict: Contest | None = None
    score: Score | None = None

    def unseen_lanterns(self) -> tuple[str, ...]:
        """Return the kinds of lantern that the pile must still hold."""
        seen = Counter((*self.out, *filter(None, (self.lit,))))
        for player in self.players:
            seen.update(player.lanterns)
        return tuple(name for name, n in self.box.lanterns.items() if n > seen[name])


class LanternNightStarted(Started, frozen=True, tag="started"):
    """The table agreed to play Lantern Night."""


class LanternLit(Event, frozen=True):
    """The top card of the pile was laid open at the place."""

    card: str
    sentence: ClassVar[str] = N_("The lantern {card} is lit.")
    with_pieces: ClassVar[bool] = True


def initial_state(event: LanternNightStarted, box: LanternBox) -> LanternNightState:
    """Return the table after set-up (L.setup)."""
    return LanternNightState(
        box=box,
        house_rules=box.default_house_rules() | event.house_rules,
        id=event.id,
        players=tuple(LanternNightPlayer(name, box.purse) for name in event.players),
        phase="light",
        active=event.first,
        pile=sum(box.lanterns.values()),
        hands=fresh_hands(1, len(event.players)),
    )
