"""The public and the private view of a game of Robby Solo.

Law: built up from nothing. A face-down robbery card, a pile below its top card and the order of
Robby Junior's cards have no field here. Choices appear once all are up; a verdict is shown as it
was announced, without the piles that it was worked out from.
"""

import msgspec

from companion.core.i18n import Message
from companion.core.verdict import Score, Verdict
from companion.games import common_view
from companion.games.robby_solo.raid import JUNIOR, Card, Cards, Raid, Round
from companion.games.robby_solo.state import Declaration, RobbySoloState


class Pile(msgspec.Struct, frozen=True):
    """Robby Junior's loot as everyone sees it: how many cards, and the top one."""

    name: str
    pile: int
    top: Card | None


class RobbySoloSeat(common_view.Seat, frozen=True):
    """A player as the others see them: card laid again or not, and the top of the loot."""

    relaid: bool
    pile: int
    top: Card | None


class Bank(msgspec.Struct, frozen=True):
    """A bank of the row and the open loot that lies there."""

    name: str
    loot: Cards


class Announced(Verdict, frozen=True, tag="round"):
    """How a round ended, as far as everyone saw it."""

    taken: dict[str, Cards]
    left: dict[str, Cards]
    raids: tuple[Raid, ...]


class RobbySoloPublic(common_view.Public, frozen=True):
    """The table as everyone sees it; `active` is the Gentleman or Lady."""

    seats: tuple[RobbySoloSeat, ...]
    junior: Pile | None
    banks: tuple[Bank, ...]
    deck: int
    declaration: Declaration | None
    choices: dict[str, str]
    verdict: Announced | None
    score: Score | None
    sweep: common_view.SweepProgress | None = None


class RobbySoloMine(msgspec.Struct, frozen=True):
    """What one player sees besides: their own loot, from the lowest card to the top one, or the top
    one alone where the table plays so."""

    pile: Cards


def build_public_view(
    state: RobbySoloState, now: Message, waiting: tuple[int, ...]
) -> RobbySoloPublic:
    """Return the table as everyone sees it."""
    return RobbySoloPublic(
        *common_view.public_fields(state, now, waiting),
        tuple(
            RobbySoloSeat(*seat, number in state.relaid, *_visible_pile(player.pile))
            for number, (seat, player) in enumerate(
                zip(common_view.seat_fields(state), state.players, strict=True), 1
            )
        ),
        Pile(JUNIOR, *_visible_pile(state.junior.pile)) if state.junior else None,
        tuple(Bank(name, loot) for name, loot in state.banks.items()),
        state.deck,
        state.declaration,
        state.choices,
        _announce_verdict(state.verdict) if state.verdict else None,
        state.score,
        common_view.sweep_progress(state.sweep),
    )


def build_private_view(state: RobbySoloState, seat: int) -> RobbySoloMine:
    """Return what this seat sees besides."""
    pile = state.players[seat - 1].pile
    return RobbySoloMine(pile if state.house_rules["own_pile"] == "whole" else pile[-1:])


def _visible_pile(pile: Cards) -> tuple[int, Card | None]:
    return len(pile), pile[-1] if pile else None


def _announce_verdict(verdict: Round) -> Announced:
    return Announced(verdict.steps, verdict.taken, verdict.left, verdict.raids)
