"""The public and the private view of a game of Lantern Night.

Law: built up from nothing. Coins lie behind a screen and hands are closed: there is no field here
that could hold them.
"""

import msgspec

from companion.core.i18n import Message
from companion.core.verdict import Score
from companion.games import common_view
from examples.lantern_night.contest import Contest
from examples.lantern_night.state import LanternNightState


class LanternNightSeat(common_view.Seat, frozen=True):
    """A player as the others see them: the lanterns in front of the screen."""

    lanterns: tuple[str, ...]


class LanternNightPublic(common_view.Public, frozen=True):
    """The table as everyone sees it; there is one bank, at which the lantern is lit."""

    seats: tuple[LanternNightSeat, ...]
    banks: tuple[tuple[str, ...], ...]
    pile: int
    out: tuple[str, ...]
    verdict: Contest | None
    score: Score | None


class LanternNightMine(msgspec.Struct, frozen=True):
    """What one player sees besides: their own coins."""

    coins: int


def build_public_view(
    state: LanternNightState, now: Message, waiting: tuple[int, ...]
) -> LanternNightPublic:
    """Return the table as everyone sees it."""
    return LanternNightPublic(
        *common_view.public_fields(state, now, waiting),
        tuple(
            LanternNightSeat(*seat, player.lanterns)
            for seat, player in zip(common_view.seat_fields(state), state.players, strict=True)
        ),
        ((state.lit,) if state.lit else (),),
        state.pile,
        state.out,
        state.verdict,
        state.score,
    )


def build_private_view(state: LanternNightState, seat: int) -> LanternNightMine:
    """Return what this seat sees besides."""
    return LanternNightMine(state.players[seat - 1].coins)
