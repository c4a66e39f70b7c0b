"""What the hands of a seat did where no reader heard it: its phone is told of that by a tap.

Law: this is read from what the seat sees anyway; it shows nobody anything.
"""

from web.context import Room, Spot


def unheard(here: Room, seat: int) -> list[Spot]:
    """The places where this seat laid what is asked of it, and whose reader is deaf."""
    deaf = deaf_places(here)
    if here.pieces is None or not deaf:
        return []
    places = (spot for spot in here.pieces.sight(seat) if spot.kind == "place")
    return [spot for spot in places if spot.number in deaf and spot.wanted and _strayed(spot)]


def deaf_places(here: Room) -> set[int]:
    """The places that are played by hand, and those whose cable is pulled just now."""
    view = here.table.view()
    by_hand = view.table.by_hand if view is not None else ()
    pulled = here.pieces.faults.cable if here.pieces is not None else ()
    return {*by_hand, *pulled}


def _strayed(spot: Spot) -> bool:
    return any(piece.astray for piece in spot.lies)
