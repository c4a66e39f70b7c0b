"""Acts: which events are done with cards, tiles and figure, and what such an act must name.

Law: on a table with readers these are done by hand and seen by a reader; a phone offers them only
to tap what no reader sees. Everything else is asked on the phone. A new game adds its lines.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import Refusal, refusal
from companion.view import View

PIECES: dict[str, tuple[str, ...]] = {
    "tile_turned": (),
    "card_placed": ("bank", "card"),
    "card_spied": ("bank", "slot"),
    "card_revealed": ("bank", "slot"),
    "bank_chosen": ("bank",),
    "bank_refilled": ("bank",),
    "card_turned": (),
    "card_chosen": ("card",),
    "card_sold": ("card",),
    "loot_laid": ("bank",),
}


def with_pieces(do: str) -> bool:
    """Whether this is done with pieces on the table."""
    return do in PIECES


def refuse(view: View, hand: Sequence[str], do: str, fields: Mapping[str, Any]) -> Refusal | None:
    """Why these pieces should stay where they are now."""
    still = _stands_still(view)
    if still is not None:
        return still
    may = next((may for may in view.may if may.do == do and with_pieces(do)), None)
    if may is None:
        return Refusal("wrong_phase", "", view.public.now)
    if "card" in PIECES[do] and fields.get("card") not in hand:
        return refusal("not_in_hand", may.rule, "Choose a card from your hand first.")
    if not any(_fits(choice, fields, PIECES[do]) for choice in may.choices):
        return refusal("no_such_choice", may.rule, "This cannot be chosen now.")
    return None


def _stands_still(view: View) -> Refusal | None:
    """Whether nothing may be played just now."""
    if view.table.frozen:
        who = [view.public.seats[view.table.frozen - 1].name]
        text = "{who} has called the judge: the game stands still until the table goes on."
        return refusal("frozen", "T.freeze", text, who=who)
    if view.table.paused:
        text = "The host has paused the game: it stands still until the host goes on."
        return refusal("paused", "T.pause", text)
    if view.table.ended:
        return refusal("ended", "T.end", "The table has ended this game.")
    return None


def _fits(choice: Mapping[str, Any], fields: Mapping[str, Any], named: Sequence[str]) -> bool:
    return all(
        fields.get(field) == choice[field]
        for field in named
        if field in choice and not isinstance(choice[field], tuple)
    )


def named(do: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Only the fields that this act names."""
    return {field: fields[field] for field in PIECES[do] if field in fields}
