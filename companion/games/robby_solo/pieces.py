"""The loot of a simulated box of Robby Solo: a row of banks, a deck, everyone's pile of loot.

The robbery cards of people bear no tags: a phone holds what they lay. Robby Junior's are known here
by their order.
"""

from typing import Any

from companion.games.layout import BOX, PLACE, Fields, Heap, Layout, Lies, Move, Spot, from_heap
from companion.games.robby_solo.raid import as_loot

DECK = Heap("deck")
LOOT = "loot of"
JUNIOR = 0
"""Whose loot is no seat's."""


def _row(pieces: Any) -> list[str]:
    return list(pieces.memory.get("row", ()))


def _bank_heap(pieces: Any, fields: Fields) -> Heap:
    row, bank = _row(pieces), fields["bank"]
    if bank not in row:
        raise LookupError(f"There is no bank {bank}.")
    return Heap(PLACE, row.index(bank) + 1)


def _deal(pieces: Any, started: Fields) -> None:
    box = pieces.rules.box
    row = list(started.get("banks") or box.banks[: pieces.seats + started["junior"] + 1])
    pieces.shuffle_into(pieces.tags(BOX), DECK)
    pieces.memory |= {"row": row, "junior": pieces.random.sample(row, len(row))}


def _clear(pieces: Any, before: Lies, lies: Lies, public: Any) -> None:
    """At the end of a round give the loot to players alone at a bank, and the cards for the police
    to the deck."""
    moved = (tuple(lies[place])[: len(cards)] != tuple(cards) for place, cards in before.items())
    if public.verdict is None or not any(moved):
        return
    owners = {seat.name: n for n, seat in enumerate(public.seats, 1)}
    for facts in (step.facts for step in public.verdict.steps if step.rule == "R.solo"):
        if len(facts.get("who", ())) == 1:
            loot = pieces.tags(_bank_heap(pieces, {"bank": facts["colour"]}))
            pieces.shift(
                loot[: len(facts["cards"])], Heap(LOOT, owners.get(facts["who"][0], JUNIOR))
            )
    for raid in public.verdict.raids:
        loot = pieces.tags(_bank_heap(pieces, {"bank": raid.bank}))
        pieces.shift(loot[: len(raid.removed)], DECK, under=True)
        piles = {Heap(LOOT, owners.get(name, JUNIOR)): str(c) for name, c in raid.returns.items()}
        for pile, card in reversed(piles.items()):
            given = [tag for tag in pieces.tags(pile) if pieces.things[tag] == card]
            pieces.shift(given[:1], DECK, under=True)


def _junior_card(pieces: Any, _seat: int = 0) -> Fields:
    """Return the card of Robby Junior for this round."""
    order = pieces.memory["junior"]
    return {"bank": order[(pieces.memory["round"] - 1) % len(order)]}


SPOTS = (
    Spot(PLACE, "place", "open", lambda pieces: range(1, len(_row(pieces)) + 1)),
    Spot(DECK.kind, "pile", "closed"),
    Spot(LOOT, "loot", "top", lambda pieces: range(pieces.seats + 1)),
)
MOVES = {
    "loot_laid": Move("top", _bank_heap, from_heap(DECK), "card"),
    "loot_shown": Move("next", _bank_heap, report="card"),
}
LAYOUT = Layout(
    SPOTS,
    _deal,
    MOVES,
    clear=_clear,
    looks={"junior_shown": _junior_card},
    read=as_loot,
)
