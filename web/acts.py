"""Acts: which events are done with cards, tiles and figure.

Law: on a table with readers these are done by hand and seen by a reader; a phone offers them only
to tap what no reader sees. Everything else is asked on the phone. A new game adds its lines.
"""

PIECES = [
    "tile_turned",
    "card_placed",
    "card_spied",
    "card_revealed",
    "bank_chosen",
    "bank_refilled",
    "card_turned",
    "card_chosen",
    "card_sold",
    "loot_laid",
]


def with_pieces(do: str) -> bool:
    """Whether this is done with pieces on the table."""
    return do in PIECES
