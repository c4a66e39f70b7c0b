"""What pages show of Robby Solo: a row of named banks, a declaration, piles of loot."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.core.i18n import N_, Message
from companion.games.reader_plan import CENTRE, ReaderPlan, row_positions
from companion.games.robby_solo.picture import picture_round
from companion.games.robby_solo.raid import OBJECT, Card, Cards
from companion.games.screens import GameBlock, Screens, Sight

OBJECT_PICTURES = 7
"""So many pictures of objects there are: object-1.svg and so on."""


def list_banks(view: Sight) -> dict[str, object]:
    """Return for each bank its loot, each card with whether it was shown in the sweep under way and
    with the picture of an object, and whether the bank was declared to be robbed; None if it was
    not spoken of."""
    said, sweep, pictures = view.public.declaration, view.public.sweep, choose_pictures(view.public)
    return {
        bank.name: (
            tuple(
                (card, shown, pictures.get(f"{bank.name} {n}", 0))
                for n, (card, shown) in enumerate(
                    tick_shown(bank.loot, sweep.shown if sweep and sweep.place == place else ())
                )
            ),
            said.will if said and said.bank == bank.name else None,
        )
        for place, bank in enumerate(view.public.banks, 1)
    }


def choose_pictures(public: Any) -> dict[str, int]:
    """Return the number of the picture of each object that lies open: at a bank, by its name and
    the place in the pile there (“red 0”), or on top of a player's loot, by the player.

    All cards of an object are alike to the table. Each keeps its picture as long as it lies where
    it is, unless two would be the same: then the later one has the next that is free.
    """
    banks = [
        (f"{bank.name} {n}", place + 3 * n)
        for place, bank in enumerate(public.banks)
        for n, card in enumerate(bank.loot)
        if card == OBJECT
    ]
    owners = (*public.seats, *((public.junior,) if public.junior is not None else ()))
    tops = [(owner.name, 2 * n + 1) for n, owner in enumerate(owners) if owner.top == OBJECT]
    taken: dict[int, str] = {}
    for key, wanted in (*banks, *tops):
        free = (wanted + n for n in range(OBJECT_PICTURES))
        picture = next((n for n in (n % OBJECT_PICTURES for n in free) if n not in taken), 0)
        taken[picture] = key
    return {key: picture + 1 for picture, key in taken.items()}


def tick_shown(loot: Cards, shown: Iterable[str]) -> tuple[tuple[Card, bool], ...]:
    """Return each card of a bank, and whether it is one of those that were shown."""
    left, ticked = Counter(shown), list[tuple[Card, bool]]()
    for card in loot:
        ticked.append((card, left[str(card)] > 0))
        left[str(card)] -= 1
    return tuple(ticked)


def name_banks(view: Sight) -> tuple[str, ...]:
    """Return the names of the banks in their row."""
    return tuple(bank.name for bank in view.public.banks)


def find_tops(view: Sight) -> Mapping[str, int]:
    """Return the pictures of the objects on top of loot, by their owners."""
    junior = view.public.junior
    names = {owner.name for owner in (*view.public.seats, *((junior,) if junior else ()))}
    return {name: n for name, n in choose_pictures(view.public).items() if name in names}


class RowShown(msgspec.Struct, frozen=True):
    """The banks in their row."""

    bank_names: tuple[str, ...]
    junior_name: str = ""
    """Robby Junior's, where he plays at the simulated table."""


def show_row(view: Sight) -> RowShown:
    """Return the facts of the simulated table."""
    junior = view.public.junior
    return RowShown(name_banks(view), junior.name if junior is not None else "")


class StockShown(msgspec.Struct, frozen=True):
    """How many cards are in the deck."""

    deck: int


class PilesShown(msgspec.Struct, frozen=True):
    """Robby Junior, where he plays, and the pictures on top of everyone's loot."""

    junior: Any
    tops: Mapping[str, int]


class DeclarationShown(msgspec.Struct, frozen=True):
    """What was declared."""

    declaration: Any


class BidShown(msgspec.Struct, frozen=True):
    """What a seat chooses from."""

    mine: Any
    banks: tuple[Any, ...]


def name_place(public: Any, place: int) -> Message:
    """Return the name of a place on the simulated table: its bank by the colour."""
    return Message(N_("{colour:C} bank"), {"colour": public.banks[place - 1].name})


SCREENS = Screens(
    board=lambda view: RowShown(name_banks(view)),
    stock=lambda view: StockShown(view.public.deck),
    beside=lambda view: PilesShown(view.public.junior, find_tops(view)),
    bid=lambda view: BidShown(view.mine, view.public.banks),
    play=show_row,
    board_items=list_banks,
    blocks={
        "declaration": GameBlock(
            "declaration.html", lambda view: DeclarationShown(view.public.declaration)
        )
    },
    name_place=name_place,
    readers=ReaderPlan(row_positions(range(1, 8), CENTRE)),
    button_labels={"sealed": N_("Lay my card")},
    picture=picture_round,
    short_phases=(),
    pictures=("object",),
    welcome=("robber-blue", "robber-red", "robber-green"),
    marks={
        "red": N_("Re"),
        "yellow": N_("Ye"),
        "green": N_("Gn"),
        "blue": N_("Bl"),
        "grey": N_("Gy"),
        "purple": N_("Pu"),
        "khaki": N_("Kh"),
    },
)
