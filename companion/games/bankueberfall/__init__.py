"""Banküberfall (Reiner Knizia, Piatnik 2005): the rule book, put together.

tile -> place | spy | reveal -> tile …
tile -> rob -> seal -> open (-> turn_up …) -> refill -> tile …
place -> the final round: seal -> open … five times -> over

Banküberfall on the readers: 1 to 5 the banks, the eighth spot for tiles.
A card that comes to a bank is a placement, or the new one after a robbery, or one that was not
named before. The figure that comes to a bank is its robbery; where it has lain since before a
reader listened it may be that of an earlier turn. A card lifted and put back is the card meant.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

from companion.core.cards import FIGURE, TILE
from companion.core.errors import Refusal, refusal
from companion.core.events import Event
from companion.core.i18n import N_, Facts, Message
from companion.core.sweep import fill_gaps
from companion.core.table_events import Found
from companion.games.bankueberfall import turns
from companion.games.bankueberfall.kinds import DISPUTES
from companion.games.bankueberfall.rules import HINTS, BankueberfallBox
from companion.games.bankueberfall.state import (
    BankCard,
    BankChosen,
    BankRefilled,
    BankueberfallPlayer,
    BankueberfallStarted,
    BankueberfallState,
    CardNamed,
    CardPlaced,
    CardRevealed,
    CardSpied,
    TileTurned,
)
from companion.games.correction_rules import Corrections, refuse_surplus
from companion.games.open_table import OpenPlace, sweep_progress
from companion.games.rulebook import Rulebook
from companion.tracking.game_tracking import BANK, GameTracking
from companion.tracking.picture import EIGHTH_SPOT, InferredEvent, Picture

NOW = {
    "tile": N_("{who} turns over a tile."),
    "place": N_("{who} lays a card face down at a bank."),
    "spy": N_("{who} looks at a card at a bank."),
    "reveal": N_("{who} may turn a card face up."),
    "rob": N_("{who} chooses the bank to rob."),
    "seal": N_("Robbery at bank {bank}! Everyone bids in secret."),
    "open": N_("Robbery at bank {bank}: everyone reveals their bid."),
    "turn_up": N_("Turn up every card at bank {bank}, and name the ones no reader knows."),
    "refill": N_("{who} puts a new card face down at bank {bank}."),
    "over": N_("The game is over."),
    "sweep": N_("Turn up the cards at bank {bank} ({n} of {total})."),
    "skipped spy": N_("Spy: no card lies face down, so the turn passes."),
    "skipped reveal": N_("Reveal: no bank has two hidden cards, so the turn passes."),
}

# What is seen.

UNNAMED = "?"
"""A card that lies face up on the table, and has no name yet."""


def show_places(state: BankueberfallState) -> tuple[OpenPlace, ...]:
    """Return the cards at each bank as they lie; a face-down one is None."""
    return tuple(
        OpenPlace(number, tuple(card.card or UNNAMED if card.up else None for card in bank))
        for number, bank in enumerate(state.banks, 1)
    )


def show_banks(state: BankueberfallState) -> tuple[tuple[str | None, ...], ...]:
    """Return the cards at each bank, with those that were shown in a sweep.

    A shown card fills the first face-down slot, not its own: that would tell what is noted there.
    """
    faces = [here.cards for here in show_places(state)]
    if state.shown:
        faces[state.figure - 1] = fill_gaps(faces[state.figure - 1], state.shown)
    return tuple(faces)


def count_reserve(state: BankueberfallState) -> int | None:
    """Return the reserve's coins, less than 0 once it owes; None where the box does not say their
    values."""
    coins = state.box.coins
    worth = sum(int(value) * n for value, n in coins.items())
    return worth - sum(player.coins for player in state.players) if coins else None


def show_cards(state: BankueberfallState, seat: int) -> tuple[dict[str, Any], ...]:
    """Return the cards that this seat laid or looked at."""
    return tuple(
        {"bank": bank, "slot": slot, "card": card.card}
        for bank, lying in enumerate(state.banks, 1)
        for slot, card in enumerate(lying, 1)
        if seat in card.known_to and card.card is not None
    )


# What the table puts right.


class BankueberfallCorrections(Corrections[BankueberfallState]):
    """Corrections at a table of Banküberfall."""

    counted: ClassVar = {"coins": "coins", "credits": "credits"}
    score = staticmethod(turns.score_now)

    def refuse_found(self, state: BankueberfallState, event: Found) -> Refusal | None:
        """Refuse cards that the box does not hold, or not that often."""
        seen = state.seen_cards(but=event.place)
        refused = turns.refuse_bank(state, event.place, "T.todo")
        return refused or refuse_surplus(event.cards, seen, state.box.cards)

    def apply_found(self, state: BankueberfallState, event: Found) -> BankueberfallState:
        """Note the cards found at the bank; knowledge of a card still there stays."""
        before = list(state.banks[event.place - 1])
        state = state.change_bank(event.place, *(_keep_known(c, before) for c in event.cards))
        if state.phase != "turn_up" or state.figure != event.place:
            return state
        if state.sweep is not None and None in event.cards:
            return turns.SWEEP.go_on_if_same(state)
        return turns.resolve_if_known(state)


def _keep_known(card: str | None, before: list[BankCard]) -> BankCard:
    """Return this card as it lay there before, by its name or as one without a name."""
    for name in (card, None):
        for was in before:
            if was.card == name:
                before.remove(was)
                return BankCard(card, was.up, was.known_to)
    return BankCard(card)


# On the readers.


def infer_events(state: BankueberfallState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield the events that the new pieces imply, the likeliest first."""
    for thing in picture.new_pieces(EIGHTH_SPOT):
        if state.phase == "tile" and thing.name.startswith(TILE) and not thing.late:
            turned = TileTurned(state.active, thing.name.removeprefix(TILE))
            yield InferredEvent(turned, EIGHTH_SPOT, thing.tag)
    meant = {"spy": CardSpied, "reveal": CardRevealed}.get(state.phase)
    for bank, lying in enumerate(state.banks, 1):
        card = picture.put_back_at(bank)
        slots = [n for n, one in enumerate(lying, 1) if one.card == card and not one.up]
        if card is not None and meant is not None and slots:
            yield InferredEvent(meant(state.active, bank, slots[0]), bank, "")
        for thing in picture.new_pieces(bank):
            if thing.name == FIGURE and state.phase == "rob" and not thing.late:
                yield InferredEvent(BankChosen(state.active, bank), bank, thing.tag)
        unnamed = [n for n, one in enumerate(lying, 1) if one.card is None]
        for thing in picture.new_cards(bank):  # A late one has no known time.
            if state.phase == "place" and not thing.late:
                yield InferredEvent(CardPlaced(state.active, bank, thing.name), bank, thing.tag)
            if state.phase == "refill" and not thing.late:
                yield InferredEvent(BankRefilled(bank, thing.name), bank, thing.tag)
            if unnamed:
                yield InferredEvent(CardNamed(bank, unnamed[0], thing.name), bank, thing.tag)


def find_forgotten(state: BankueberfallState, picture: Picture) -> int | None:
    """Return the place of a card that was not tapped before the next tile was turned; 0 if the seat
    at turn has laid it."""
    newest = picture.newest_piece(EIGHTH_SPOT)
    if newest is None or newest.late or newest.tag in picture.at_home(EIGHTH_SPOT)[-1:]:
        return None
    is_waiting = state.phase in ("place", "refill") and newest.name.startswith(TILE)
    return state.figure if is_waiting else None


def receiving_places(state: BankueberfallState) -> frozenset[int]:
    """Return the places open to a new card: every bank while a card is laid."""
    if state.phase == "place":
        return frozenset(range(1, len(state.banks) + 1))
    return frozenset({state.figure}) if state.phase == "refill" else frozenset()


def name_place(_public: object, place: int) -> Message:
    """Return the name of a place."""
    return Message(N_("Eighth spot") if place == EIGHTH_SPOT else BANK, {"bank": place})


TRACKING: GameTracking[BankueberfallState] = GameTracking(
    infer_events,
    receiving_places,
    name_place,
    lifting_phases=("spy", "reveal", "turn_up"),
    piles=frozenset(range(1, 6)),
    find_forgotten=find_forgotten,
    sweep_events=turns.SWEEP.events,
)


# The rule book.


class Bankueberfall(Rulebook[BankueberfallState]):
    """Banküberfall with one box."""

    box: BankueberfallBox
    start_event = BankueberfallStarted
    rows = turns.ROWS
    corrections = BankueberfallCorrections()
    disputes = DISPUTES
    tracking = TRACKING
    hints = HINTS
    open_fields = ("hand", "credits")
    own_fields = ("coins", ("cards", show_cards))
    table_fields = (
        ("places", show_places), ("banks", show_banks), "front", "figure", "pile",
        ("reserve", count_reserve), "tiles", ("sweep", sweep_progress),
    )  # fmt: skip
    now = NOW
    score_unit = "coins"
    verdict_name = N_("The robbery at bank {bank} in round {round}")
    start_rule = "B.setup"
    end_rule = "B.end"

    def initial_state(self, event: BankueberfallStarted) -> BankueberfallState:
        box, n = self.box, event.players
        return BankueberfallState.begin(
            box,
            event,
            "tile",
            partial(BankueberfallPlayer, coins=box.purse, credits=0, hand=box.hand),
            front=event.front or tuple(range(1, n + 1)),
            pile=sum(box.cards.values()) - box.banks - n * box.hand,
            tiles=dict(box.tiles),
            banks=((BankCard(),),) * box.banks,
        )

    def refuse_start(self, event: Event) -> Refusal | None:
        refused, banks = super().refuse_start(event), range(1, self.box.banks + 1)
        if refused is not None or not isinstance(event, BankueberfallStarted) or not event.front:
            return refused
        front = event.front
        first = front.index(min(front))
        clockwise = [bank for bank in banks if bank in front]
        if [*front[first:], *front[:first]] == clockwise and len(front) == event.players:
            return None
        text = "Each player sits behind a bank of their own, in the order of the seats."
        return refusal("front", "B.setup", text)

    def now_facts(self, state: BankueberfallState) -> Facts:
        return {"bank": state.figure}

    def expected_cards(self, state: BankueberfallState) -> dict[int, tuple[str | None, ...]]:
        return {
            place: tuple(card.card for card in bank) for place, bank in enumerate(state.banks, 1)
        }

    def places_at_stake(self, state: BankueberfallState) -> tuple[int, ...]:
        return (state.figure,) if state.phase in ("seal", "open", "turn_up") else ()
