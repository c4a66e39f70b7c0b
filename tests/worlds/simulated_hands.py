"""Fingers of a test: they do with simulated pieces what a player does, and give readers the time.

Law: everything goes the way of the page: a piece is lifted at a spot and put down at another.
"""

from typing import Any

from companion.app.simulated.simulated_table import Evening

LOOKS = 1.0
"""Seconds in which every reader has had a look."""


def looks(evening: Evening, seconds: float = LOOKS) -> None:
    """Time passes, and the table takes in what its readers saw."""
    evening.room.top.pass_time(seconds / 2)
    evening.poll()
    evening.room.top.pass_time(seconds / 2)
    evening.poll()


def sits(evening: Evening, seat: int) -> None:
    """Somebody sits there: what nobody's fingers hold is put back."""
    if seat not in evening.seats.taken_seats():
        evening.seats.claim_seat(seat, f"browser {seat}")


def spots(evening: Evening, seat: int) -> dict[str, Any]:
    """What a seat sees of the pieces."""
    return {spot.name: spot for spot in evening.visible_spots(seat)}


def faces(evening: Evening, seat: int, spot: str) -> list[str | None]:
    """The faces at a spot, as a seat sees them."""
    return [piece.face for piece in spots(evening, seat)[spot].lies]


def lay(evening: Evening, seat: int, spot: str, to: str, n: int = 0) -> None:
    """Lift the nth piece of a spot, or the top one, and put it down somewhere."""
    sits(evening, seat)
    assert evening.lift_piece(seat, spot, n or len(spots(evening, seat)[spot].lies)) is None
    assert evening.put_down(seat, to) is None
    looks(evening)


def does(evening: Evening, seat: int, **event: Any) -> bool:
    """Do what the game waits for; whether it has taken notice."""
    before, fields = evening.table.version, dict(event)
    do, view = fields.pop("do"), evening.table.view(seat)
    assert view is not None
    for tag, place in evening.pieces.wants(seat, do, fields, view.public):
        if fields.get("card", evening.pieces.things[tag]) == evening.pieces.things[tag]:
            sits(evening, seat)
            evening.pieces.lift(seat, tag)
            looks(evening)
            evening.put_down(seat, f"place-{place}")
            looks(evening)
            break
    return evening.table.version > before
