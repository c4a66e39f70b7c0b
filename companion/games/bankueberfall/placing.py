"""The turns of Banküberfall: a tile, a card laid, a bank to rob (B.turn, B.place, B.rob, B.end)."""

import msgspec

from companion.core.cards import TILES
from companion.core.commitment import put
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.games.bankueberfall.state import (
    BankChosen,
    CardPlaced,
    Lying,
    State,
    TileTurned,
)
from companion.games.bankueberfall.turns import (
    face_down,
    next_turn,
    no_such_card,
    refuse_bank,
)
from companion.games.rulebook import Choices, Row, not_at_turn

replace = msgspec.structs.replace


def _refuse_tile(state: State, event: TileTurned) -> Refusal | None:
    refused = not_at_turn(state, event.seat, "B.turn")
    if refused is None and state.tiles.get(event.tile, 0) < 1:
        text = "No tile {tile} lies face down any more."
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


def _refuse_place(state: State, event: CardPlaced) -> Refusal | None:
    refused = refuse_bank(state, event.seat, event.bank, "B.place")
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


def _refuse_choice(state: State, event: BankChosen) -> Refusal | None:
    return refuse_bank(state, event.seat, event.bank, "B.rob")


def _choose(state: State, event: BankChosen) -> State:
    return replace(state, phase="seal", figure=event.bank)


TURN_A_TILE = N_("Turn a tile face up.")
LAY_A_CARD = N_("Lay a card from your hand face down at a bank.")
CHOOSE_A_BANK = N_("Choose the bank to rob, and put the figure there.")

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
        "rob", BankChosen, "active", "B.rob", ("seal",),
        CHOOSE_A_BANK, _choose, _refuse_choice, _banks,
    ),
)  # fmt: skip
