"""The state of a game, as far as it is the same in every game.

Law: a state is frozen. The table, the tracker and the judge read no more of it than this; all else
is known only to the rule book of its game.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self, TypeVar, cast

import msgspec

from companion.core.cards import Box
from companion.core.commitment import RoundHands, fresh_hands, replace_entry
from companion.core.events import Started
from companion.core.i18n import seat_keys
from companion.core.sweep import Sweep, Sweeping
from companion.core.verdict import Score, Verdict


class GamePlayer(Protocol):
    """A player at a seat; `name` is the key of the seat."""

    @property
    def name(self) -> str: ...


class GameState(Protocol):
    """A game as it stands; the seat n is that of the nth player."""

    @property
    def box(self) -> Box: ...
    @property
    def id(self) -> str: ...
    @property
    def house_rules(self) -> dict[str, str]: ...
    @property
    def players(self) -> Sequence[GamePlayer]: ...
    @property
    def phase(self) -> str: ...
    @property
    def active(self) -> int: ...
    @property
    def hands(self) -> RoundHands: ...
    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def score(self) -> Score | None: ...
    @property
    def sweeping(self) -> Sweeping: ...
    @property
    def sweep(self) -> Sweep | None: ...
    @property
    def skipped(self) -> str: ...


S = TypeVar("S", bound=GameState)


class PlainState(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of every state, for a game to add its own."""

    box: Any
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
        cls, box: Box, event: Started, phase: str, player: Callable[[str], object], **own: object
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
            **own,  # type: ignore[arg-type]
        )


class ReplaceFields(Protocol):
    """`msgspec.structs.replace` for the state of whichever game."""

    def __call__(self, state: S, /, **changes: object) -> S: ...


replace_fields = cast(ReplaceFields, msgspec.structs.replace)


def only_hands_differ(before: GameState | None, after: GameState | None) -> bool:
    """Return whether a game changed in nothing but its closed hands.

    If so, no card can lie elsewhere than before.
    """
    if before is None or after is None:
        return False
    return replace_fields(before, hands=after.hands) == after
