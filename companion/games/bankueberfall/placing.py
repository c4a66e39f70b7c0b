"""The turns of Banküberfall: a tile is turned and done (B.turn, B.place, B.spy, B.reveal)."""

from typing import Any

import msgspec

from companion.cards import TILES
from companion.errors import Refusal, refusal
from companion.events import Passed
from companion.games.bankueberfall.state import (
    BankChosen,
    CardNamed,
    CardPlaced,
    CardRevealed,
    CardSpied,
    Lying,
    State,
    TileTurned,
)
from companion.games.rulebook import Choices, Row, left_of, not_at_turn
from companion.sealed import put
from companion.texts import N_

replace = msgspec.structs.replace


def next_turn(state: State, **changes: Any) -> State:
    """The tile is done: the next player clockwise, the tiles shuffled again if all are used."""
    if not any(state.tiles.values()):
        changes["tiles"] = dict(state.box.tiles)
    active = left_of(state.active, len(state.players))
    return replace(state, phase="tile", active=active, **changes)


def turn_card(state: State, bank: int, slot: int, lying: Lying) -> tuple[tuple[Lying, ...], ...]:
    """The banks with one card exchanged for what is known of it now."""
    return put(state.banks, bank, put(state.banks[bank - 1], slot, lying))


def face_down(state: State, keep: int = 0) -> tuple[tuple[int, int], ...]:
    """Bank and slot of every face-down card, where a bank has more than `keep` of them."""
    found: list[tuple[int, int]] = []
    for bank, cards in enumerate(state.banks, 1):
        down = [(bank, slot) for slot, card in enumerate(cards, 1) if not card.up]
        if len(down) > keep:
            found += down
    return tuple(found)


# A tile is turned.


def _refuse_tile(state: State, event: TileTurned) -> Refusal | None:
    refused = not_at_turn(state, event.seat, "B.turn")
    if refused is None and state.tiles.get(event.tile, 0) < 1:
        text = "No face-down tile is {tile}."
        return refusal("no_such_tile", "B.turn", text, tile=event.tile)
    return refused


def _turn_tile(state: State, event: TileTurned) -> State:
    tiles = {**state.tiles, event.tile: state.tiles[event.tile] - 1}
    idle = (event.tile == "spy" and not face_down(state)) or (
        event.tile == "reveal" and not face_down(state, keep=1)
    )
    state = replace(state, tiles=tiles, phase=event.tile)
    return next_turn(state) if idle else state


def _tiles(state: State, seat: int) -> Choices:
    if seat != state.active:
        return ()
    return [{"tile": tile} for tile in TILES if state.tiles[tile]]


# Placement.


def _refuse_bank(state: State, seat: int, bank: int, rule: str) -> Refusal | None:
    refused = not_at_turn(state, seat, rule)
    if refused is None and not 1 <= bank <= len(state.banks):
        text = "There is no bank {bank}; the banks are 1 to {most}."
        return refusal("no_such_bank", rule, text, bank=bank, most=len(state.banks))
    return refused


def no_such_card(state: State, card: str | None, rule: str) -> Refusal | None:
    """A card must be one that the box holds."""
    if card is None or card in state.box.cards:
        return None
    return refusal("no_such_card", rule, "The box holds no card “{name}”.", name=card)


def _refuse_place(state: State, event: CardPlaced) -> Refusal | None:
    refused = _refuse_bank(state, event.seat, event.bank, "B.place")
    return refused or no_such_card(state, event.card, "B.place")


def _place(state: State, event: CardPlaced) -> State:
    laid = Lying(event.card, known_to=(event.seat,))
    banks = put(state.banks, event.bank, (*state.banks[event.bank - 1], laid))
    player = state.players[event.seat - 1]
    if state.pile:
        return next_turn(state, banks=banks, pile=state.pile - 1)
    hand = player.hand - 1
    players = put(state.players, event.seat, replace(player, hand=hand))
    if hand:
        return next_turn(state, banks=banks, players=players)
    return _final_round(replace(state, banks=banks, players=players), event.seat)


def _final_round(state: State, seat: int) -> State:
    """The pile is empty and so is a hand: every bank is robbed, once around (B.end)."""
    first, n = state.front[seat - 1], len(state.banks)
    step = 1 if state.house_rules["final_direction"] == "clockwise" else -1
    order = tuple((first - 1 + step * turn) % n + 1 for turn in range(n))
    return replace(state, phase="seal", figure=order[0], finals=order[1:])


def _banks(state: State, seat: int) -> Choices:
    if seat != state.active:
        return ()
    return [{"bank": bank} for bank in range(1, len(state.banks) + 1)]


# Spy and Reveal.


def _refuse_slot(state: State, event: Any, rule: str, keep: int = 0) -> Refusal | None:
    refused = _refuse_bank(state, event.seat, event.bank, rule)
    if refused is not None:
        return refused
    if (event.bank, event.slot) not in face_down(state):
        text = "There is no face-down card number {slot} at bank {bank}."
        return refusal("no_such_slot", rule, text, slot=event.slot, bank=event.bank)
    if (event.bank, event.slot) not in face_down(state, keep):
        text = "The last face-down card at bank {bank} stays face down."
        return refusal("last_card", rule, text, bank=event.bank)
    return None


def _refuse_spy(state: State, event: CardSpied) -> Refusal | None:
    return _refuse_slot(state, event, "B.spy")


def _spy(state: State, event: CardSpied) -> State:
    card = state.banks[event.bank - 1][event.slot - 1]
    seen = replace(card, known_to=tuple(sorted({*card.known_to, event.seat})))
    return next_turn(state, banks=turn_card(state, event.bank, event.slot, seen))


def _refuse_reveal(state: State, event: CardRevealed) -> Refusal | None:
    refused = _refuse_slot(state, event, "B.reveal", keep=1)
    if refused is None and event.card is state.banks[event.bank - 1][event.slot - 1].card is None:
        text = "No reader knows this card: say which one was turned up."
        return refusal("unnamed", "B.reveal", text)
    return refused or no_such_card(state, event.card, "B.reveal")


def _reveal(state: State, event: CardRevealed) -> State:
    """A card that no reader knows is named by whoever turns it up."""
    known = state.banks[event.bank - 1][event.slot - 1].card or event.card
    banks = turn_card(state, event.bank, event.slot, Lying(known, up=True))
    return next_turn(state, banks=banks)


def _spies(state: State, seat: int) -> Choices:
    if seat != state.active:
        return ()
    return [{"bank": bank, "slot": slot} for bank, slot in face_down(state)]


def _reveals(state: State, seat: int) -> Choices:
    if seat != state.active:
        return ()
    return [_reveal_of(state, bank, slot) for bank, slot in face_down(state, keep=1)]


def _reveal_of(state: State, bank: int, slot: int) -> dict[str, Any]:
    choice: dict[str, Any] = {"bank": bank, "slot": slot}
    if state.banks[bank - 1][slot - 1].card is None:
        choice["card"] = tuple(state.box.cards)
    return choice


def _refuse_pass(state: State, event: Passed) -> Refusal | None:
    return not_at_turn(state, event.seat, "B.turn")


def _pass(state: State, _event: Passed) -> State:
    return next_turn(state)


def _passes(state: State, seat: int) -> Choices:
    return ({},) if seat == state.active else ()


# The robbery is announced.


def _refuse_choice(state: State, event: BankChosen) -> Refusal | None:
    return _refuse_bank(state, event.seat, event.bank, "B.rob")


def _choose(state: State, event: BankChosen) -> State:
    return replace(state, phase="seal", figure=event.bank)


# A card becomes known.


def refuse_naming(state: State, event: CardNamed) -> Refusal | None:
    """A card can be named while it is not known."""
    if not 1 <= event.bank <= len(state.banks):
        text = "There is no bank {bank}; the banks are 1 to {most}."
        return refusal("no_such_bank", "B.rob", text, bank=event.bank, most=len(state.banks))
    cards = state.banks[event.bank - 1]
    if not 1 <= event.slot <= len(cards):
        text = "There is no card number {slot} at bank {bank}."
        return refusal("no_such_slot", "B.rob", text, slot=event.slot, bank=event.bank)
    if cards[event.slot - 1].card is not None:
        text = "Card number {slot} at bank {bank} is known already."
        return refusal("known", "B.rob", text, slot=event.slot, bank=event.bank)
    return no_such_card(state, event.card, "B.rob")


def name(state: State, event: CardNamed) -> State:
    """The table with this card known; who may see it does not change."""
    card = state.banks[event.bank - 1][event.slot - 1]
    known = replace(card, card=event.card)
    return replace(state, banks=turn_card(state, event.bank, event.slot, known))


TURN_A_TILE = N_("Turn a tile face up.")
LAY_A_CARD = N_("Lay a card from your hand face down at a bank.")
LOOK_AT_A_CARD = N_("Look at a card at a bank, and put it back.")
REVEAL_A_CARD = N_("Turn a card at a bank face up.")
DO_WITHOUT = N_("Do without.")
CHOOSE_A_BANK = N_("Choose the bank to rob, and put the figure there.")
READ_A_CARD = N_("A reader recognises a face-down card.")

ROWS = (
    Row(
        "tile", TileTurned, "active", "B.turn", ("tile", *TILES),
        TURN_A_TILE, _turn_tile, _refuse_tile, _tiles,
    ),
    Row(
        "place", CardPlaced, "active", "B.place", ("tile", "seal"),
        LAY_A_CARD, _place, _refuse_place, _banks,
    ),
    Row(
        "spy", CardSpied, "active", "B.spy", ("tile",),
        LOOK_AT_A_CARD, _spy, _refuse_spy, _spies,
    ),
    Row("spy", Passed, "active", "B.spy", ("tile",), DO_WITHOUT, _pass, _refuse_pass, _passes),
    Row(
        "reveal", CardRevealed, "active", "B.reveal", ("tile",),
        REVEAL_A_CARD, _reveal, _refuse_reveal, _reveals,
    ),
    Row(
        "reveal", Passed, "active", "B.reveal", ("tile",),
        DO_WITHOUT, _pass, _refuse_pass, _passes,
    ),
    Row(
        "rob", BankChosen, "active", "B.rob", ("seal",),
        CHOOSE_A_BANK, _choose, _refuse_choice, _banks,
    ),
)  # fmt: skip

READINGS = tuple(
    Row(phase, CardNamed, "reader", "B.setup", (phase,), READ_A_CARD, name, refuse_naming)
    for phase in ("tile", *TILES, "seal", "open", "refill")
)
"""After all other rows, so that what is out of phase cites what the phase is about."""
