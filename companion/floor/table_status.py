"""How a table is, in a few facts: for `companion status`, and for programs that look after it.

Law: it names no person, no card and no bid; of the game it has only what the floor is told.
"""

from collections.abc import Sequence

import msgspec

from companion.floor.table_state import Stop, describe_game
from companion.host.health import Colour, Light, TableHealth
from companion.host.status import worst_colour
from companion.table.view import View


class ServiceStatus(msgspec.Struct, frozen=True):
    """How the table is; `minutes` is for how long its companion has run."""

    companion: str
    simulated: bool
    minutes: int
    addresses: tuple[str, ...]
    light: Colour
    lights: tuple[Light, ...]
    game: str = ""
    """The title of the box of the game that is under way."""
    phase: str = ""
    players: int = 0
    stopped: Stop = ""


def describe_status(
    health: TableHealth,
    lights: Sequence[Light],
    addresses: Sequence[str],
    view: View | None,
    title: str,
) -> ServiceStatus:
    """Return how the table is, from its health and from what everyone sees."""
    game = describe_game(view, title)
    return ServiceStatus(
        health.companion,
        health.simulated,
        round(health.uptime // 60),
        tuple(addresses),
        worst_colour(lights),
        tuple(lights),
        game.game,
        game.phase,
        game.players,
        game.stopped,
    )
