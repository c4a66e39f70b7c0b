"""The state of a game, as far as it is the same in every game.

Law: a state is frozen. The table, the tracker and the judge read no more of it than this; all else
is known only to the rule book of its game.
"""

from collections.abc import Callable
from typing import Any, Self, TypeVar

import msgspec

from companion.core.cards import Box
from companion.core.commitment import RoundHands, fresh_hands, replace_entry
from companion.core.events import Started
from companion.core.i18n import seat_keys
from companion.core.sweep import Sweep, Sweeping
from companion.core.verdict import Score, Verdict


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it stands, for a game to add its own fields. The seat n is that of the nth player,
    whose `name` is the key of the seat."""

    box: Box
    house_rules: dict[str, str]
    id: str
    players: tuple[Any, ...]
    phase: str
    active: int
    hands: RoundHands
    verdict: Verdict | None = None
    score: Score | None = None
    sweeping: Sweeping = ""
    """When the cards of a place are shown to its reader, one by one, before they count."""
    shown: tuple[str, ...] = ()
    """The cards that were shown in the sweep under way, in that order."""
    skipped: str = ""
    """The phase that was passed over with the newest move, because nothing could be done in it."""

    @property
    def sweep(self) -> Sweep | None:
        """The sweep under way, in a game whose places are swept; None if there is none."""
        return None

    def change_player(self, seat: int, **fields: Any) -> Self:
        """Return the game with these fields of the player at a seat changed."""
        player = msgspec.structs.replace(self.players[seat - 1], **fields)
        return msgspec.structs.replace(self, players=replace_entry(self.players, seat, player))

    @classmethod
    def begin(
        cls, box: Box, event: Started, phase: str, player: Callable[[str], object], **own: Any
    ) -> Self:
        """Return the state after set-up, a player at each seat, and no hand closed."""
        return cls(
            box=box,
            house_rules=box.default_house_rules() | event.house_rules,
            id=event.id,
            players=tuple(map(player, seat_keys(event.players))),
            phase=phase,
            active=event.first,
            hands=fresh_hands(1, event.players),
            sweeping=getattr(event, "sweep", ""),
            **own,
        )


S = TypeVar("S", bound=GameState)


def only_hands_differ(before: GameState | None, after: GameState | None) -> bool:
    """Return whether a game changed in nothing but its closed hands.

    If so, no card can lie elsewhere than before.
    """
    if before is None or after is None:
        return False
    return msgspec.structs.replace(before, hands=after.hands) == after
