"""Banküberfall for the registry: its parts of the pages, and the words for names in its box."""

from companion.core.i18n import N_
from companion.games.bankueberfall import Bankueberfall
from companion.games.bankueberfall.bot import DECISIONS
from companion.games.bankueberfall.kinds import make_kinds
from companion.games.bankueberfall.picture import picture_robbery
from companion.games.bankueberfall.pieces import LAYOUT
from companion.games.bankueberfall.rules import RULES, BankueberfallBox
from companion.games.bankueberfall.turns import TURN_A_TILE
from companion.games.game import Game
from companion.games.open_table import Sight, show_fields
from companion.games.screens import BID_LABELS, CENTRE, ReaderPlan, Screens, ring_positions
from companion.tracking.picture import EIGHTH_SPOT


def list_lot(view: Sight) -> tuple[tuple[str | None, bool], ...]:
    """Return the cards that a seat bids for."""
    return tuple(known_cards(view, view.public.figure)) if view.public.figure else ()


def list_banks(view: Sight) -> dict[str, object]:
    """Return for each bank its cards as the viewer knows them, its owners, and whether the robber
    stands there."""
    public = view.public
    sitting = list(zip(public.front, public.seats, strict=True))
    return {
        str(bank): (
            tuple(known_cards(view, bank)),
            tuple(seat.name for at, seat in sitting if at == bank),
            public.figure == bank,
        )
        for bank in range(1, len(public.banks) + 1)
    }


def known_cards(view: Sight, bank: int) -> list[tuple[str | None, bool]]:
    """Return the cards at a bank as this viewer knows them: each face, and whether it lies face
    down."""
    cards = () if view.mine is None else view.mine.cards
    own = {one["slot"]: one["card"] for one in cards if one["bank"] == bank}
    faces = view.public.banks[bank - 1]
    return [
        (own[slot], True) if face is None and slot in own else (face, False)
        for slot, face in enumerate(faces, 1)
    ]


SCREENS = Screens(
    board=show_fields(),
    stock=show_fields("pile", "reserve", "tiles"),
    bid=show_fields("mine", lot=list_lot),
    play=show_fields("front", "figure"),
    board_items=list_banks,
    readers=ReaderPlan({**ring_positions(5), EIGHTH_SPOT: (CENTRE, CENTRE)}, spare_height=104),
    picture=picture_robbery,
    short_phases=("tile", "place", "rob", "refill"),
    prompts_with_pieces={
        "tile_turned": (TURN_A_TILE, N_("Turn up the top tile (middle of the table).")),
    },
    button_labels={"pile_believed": N_("Skip turning"), **BID_LABELS},
    pictures=("seductress", "policeman", "detective", "thief", "x"),
    count_labels={"coins": N_("Coins"), "credits": N_("Red credits")},
)

WORDS = {
    "seductress": N_("seductress"),
    "policeman": N_("policeman"),
    "detective": N_("detective"),
    "thief": N_("thief"),
    "x": N_("X"),
    "place": N_("Placement"),
    "spy": N_("Spy"),
    "reveal": N_("Reveal"),
    "rob": N_("Robbery"),
}

GAME = Game(
    name="bankueberfall",
    box=BankueberfallBox,
    rulebook=Bankueberfall,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    words=WORDS,
)
