"""What pages show of Banküberfall: five banks round the table, tiles, a figure."""

from companion.core.i18n import N_, Message
from companion.games.bankueberfall.picture import picture_robbery
from companion.games.bankueberfall.turns import TURN_A_TILE
from companion.games.bankueberfall.view import list_banks, show_bid
from companion.games.open_table import show_fields
from companion.games.reader_plan import CENTRE, TOP_EDGE, ReaderPlan, ring_positions
from companion.games.screens import Screens
from companion.tracking.picture import EIGHTH_SPOT


def name_place(_public: object, place: int) -> Message:
    """Return the name of a place on the simulated table."""
    if place == EIGHTH_SPOT:
        return Message(N_("Eighth spot"))
    return Message(N_("Bank {bank}"), {"bank": place})


SCREENS = Screens(
    board=show_fields(),
    stock=show_fields("pile", "reserve", "tiles"),
    bid=show_bid,
    play=show_fields("front", "figure"),
    board_items=list_banks,
    name_place=name_place,
    readers=ReaderPlan({**ring_positions(5), EIGHTH_SPOT: (CENTRE, CENTRE)}, TOP_EDGE),
    picture=picture_robbery,
    short_phases=("tile", "place", "rob", "refill"),
    prompts_with_pieces={
        "tile_turned": (TURN_A_TILE, N_("Turn up the top tile (middle of the table).")),
    },
    button_labels={
        "pile_believed": N_("Skip turning"),
        "sealed": N_("Seal my bid"),
        "sealed_again": N_("Undo my bid"),
    },
    pictures=("seductress", "policeman", "detective", "thief", "x"),
    count_labels={"coins": N_("Coins"), "credits": N_("Red credits")},
)
