"""Robby Solo for the registry: its parts of the pages, and the words for names in its box."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from companion.core.i18n import N_
from companion.games.game import Game
from companion.games.open_table import Sight, show_fields
from companion.games.robby_solo import RobbySolo
from companion.games.robby_solo.bot import DECISIONS
from companion.games.robby_solo.kinds import make_kinds
from companion.games.robby_solo.picture import picture_round
from companion.games.robby_solo.pieces import LAYOUT
from companion.games.robby_solo.raid import OBJECT, Card, Cards
from companion.games.robby_solo.rules import RULES, RobbySoloBox
from companion.games.screens import CENTRE, GameBlock, ReaderPlan, Screens, row_positions

OBJECT_PICTURES = 7
"""Number of pictures of objects: object-1.svg and so on."""
ON_TOP = -1


def list_banks(view: Sight) -> dict[str, object]:
    """Return for each bank its loot, each card with whether it was shown in the sweep under way and
    with the picture of an object, and whether the bank was declared to be robbed; None if it was
    not spoken of."""
    said, sweep, pictures = view.public.declaration, view.public.sweep, choose_pictures(view.public)
    return {
        bank.name: (
            tuple(
                (card, shown, pictures.get((bank.name, n), 0))
                for n, (card, shown) in enumerate(
                    tick_shown(bank.loot, sweep.shown if sweep and sweep.place == place else ())
                )
            ),
            said.will if said and said.bank == bank.name else None,
        )
        for place, bank in enumerate(view.public.banks, 1)
    }


def choose_pictures(public: Any) -> dict[tuple[str, int], int]:
    """Return the number of the picture of each object that lies open: by its bank and its place in
    the pile there, or by the player on top of whose loot it lies (place -1).

    All cards of an object are alike to the table. Each keeps its picture as long as it lies where
    it is, unless two would be the same: then the later one has the next that is free.
    """
    wanted = {
        (bank.name, n): place + 3 * n
        for place, bank in enumerate(public.banks)
        for n, card in enumerate(bank.loot)
        if card == OBJECT
    }
    owners = (*public.seats, public.junior) if public.junior else public.seats
    wanted |= {(one.name, ON_TOP): 2 * n + 1 for n, one in enumerate(owners) if one.top == OBJECT}
    chosen: dict[tuple[str, int], int] = {}
    for key, first in wanted.items():
        pictures = [(first + n) % OBJECT_PICTURES + 1 for n in range(OBJECT_PICTURES)]
        chosen[key] = next((n for n in pictures if n not in chosen.values()), pictures[0])
    return chosen


def tick_shown(loot: Cards, shown: Iterable[str]) -> tuple[tuple[Card, bool], ...]:
    """Return each card of a bank, and whether it is one of those that were shown."""
    left, ticked = Counter(shown), list[tuple[Card, bool]]()
    for card in loot:
        ticked.append((card, left[str(card)] > 0))
        left[str(card)] -= 1
    return tuple(ticked)


def name_junior(view: Sight) -> str:
    """Return Robby Junior's name where he plays."""
    return view.public.junior.name if view.public.junior else ""


show_row = show_fields(
    bank_names=lambda view: tuple(bank.name for bank in view.public.banks), junior_name=name_junior
)
"""Shows the banks in their row, on a page and on the simulated table."""


def choose_tops(view: Sight) -> dict[str, int]:
    """Return the pictures on top of everyone's loot."""
    pictures = choose_pictures(view.public).items()
    return {key: n for (key, at), n in pictures if at == ON_TOP}


SCREENS = Screens(
    board=show_row,
    stock=show_fields("deck"),
    beside=show_fields("junior", tops=choose_tops),
    bid=show_fields("mine", "banks"),
    play=show_row,
    board_items=list_banks,
    blocks={"declaration": GameBlock("declaration.html", show_fields("declaration"))},
    readers=ReaderPlan(row_positions(range(1, 8), CENTRE)),
    button_labels={"sealed": N_("Lay my card")},
    picture=picture_round,
    short_phases=("fill", "declare", "change"),
    pictures=("object",),
    welcome=("robber-blue", "robber-red", "robber-green"),
    colours=("red", "yellow", "green", "blue", "grey", "purple", "khaki"),
    marks={"green": N_("Gn"), "grey": N_("Gy")},
)

WORDS = {
    "object": N_("object"),
    "red": N_("red"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "grey": N_("grey"),
    "purple": N_("purple"),
    "khaki": N_("khaki"),
    "will": N_("I rob it"),
    "not will": N_("I leave it alone"),
}


GAME = Game(
    name="robby_solo",
    box=RobbySoloBox,
    rulebook=RobbySolo,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    words=WORDS,
)
