"""A simulated table, and hands that move its pieces and give the readers time to see it.

Law: everything goes the way of the page: a piece is lifted at a spot and put down at another.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion.app.build_host import build_host
from companion.app.default_players import NAMES
from companion.app.simulated.simulated_table import Lineup, SimulatedTable, build_tabletop
from companion.app.simulated.simulation import Simulation
from companion.core.errors import Refusal
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware.simulator.hands_on_table import StillClock
from hardware.wiring import DEFAULT, Wiring, load_profile

LOOKS = 1.0
"""Seconds in which every reader has had a look."""


def simulated(  # noqa: PLR0913
    journal: Journal,
    game: str = "bankueberfall",
    seats: Seats | None = None,
    players: Sequence[str] = NAMES[:3],
    *,
    seed: object = 7,
    poses: object = 0,
    persons_seat: int = 0,
    wiring: str | Wiring = DEFAULT,
    air: str = "physics",
    memory: Path | None = None,
    **how: Any,
) -> Simulation:
    """A simulated table whose time only hands let pass, with bots at all seats but one, if any."""
    top = build_tabletop(wiring, StillClock(), air, poses)
    lineup = Lineup(players, seed, persons_seat)
    taken = Seats(open_house=True) if seats is None else seats
    source = SimulatedTable(make_rulebook(game), journal, top, lineup, taken, memory)
    return Simulation(build_host(source, journal, taken, **how), source, lineup)


def deal(evening: Simulation) -> Refusal | None:
    """Begin a game as the last one was, else one of this box for as many as usually sit here."""
    again = evening.host.next_game
    if again.players:
        return evening.host.begin_game(again)
    return evening.bots.begin_with_bots(evening.host.table.rules.box.game)


def looks(evening: Simulation, seconds: float = LOOKS) -> None:
    """Time passes, and the table takes in what its readers saw."""
    evening.source.tabletop.pass_time(seconds / 2)
    evening.source.poll()
    evening.source.tabletop.pass_time(seconds / 2)
    evening.source.poll()


def sits(evening: Simulation, seat: int) -> None:
    """Somebody sits there: what nobody's fingers hold is put back."""
    if seat not in evening.host.seats.taken_seats():
        evening.host.seats.claim_seat(seat, f"browser {seat}")


def spots(evening: Simulation, seat: int) -> dict[str, Any]:
    """What a seat sees of the pieces."""
    return {spot.name: spot for spot in evening.hands.visible_spots(seat)}


def faces(evening: Simulation, seat: int, spot: str) -> list[str | None]:
    """The faces at a spot, as a seat sees them."""
    return [piece.face for piece in spots(evening, seat)[spot].lies]


def lay(evening: Simulation, seat: int, spot: str, to: str, n: int = 0) -> None:
    """Lift the nth piece of a spot, or the top one, and put it down somewhere."""
    sits(evening, seat)
    assert evening.hands.lift_piece(seat, spot, n or len(spots(evening, seat)[spot].lies)) is None
    assert evening.hands.put_down(seat, to) is None
    looks(evening)


def does(evening: Simulation, seat: int, **event: Any) -> bool:
    """Do the next awaited act; return whether the game has noticed."""
    before, fields = evening.host.table.version, dict(event)
    do, view = fields.pop("do"), evening.host.table.view(seat)
    assert view is not None
    pieces = evening.source.pieces
    for tag, place, _ in pieces.wanted_pieces(seat, do, fields):
        if fields.get("card", pieces.things[tag]) == pieces.things[tag]:
            sits(evening, seat)
            pieces.lift_piece(seat, tag)
            looks(evening)
            evening.hands.put_down(seat, f"place-{place}")
            looks(evening)
            break
    return evening.host.table.version > before


def presence_profile(name: str = DEFAULT) -> Wiring:
    """Return the profile of this name with a reader under every place."""
    wiring = load_profile(name)
    return msgspec.structs.replace(wiring, modes=dict.fromkeys(wiring.readers, "presence"))
