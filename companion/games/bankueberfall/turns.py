"""The turns of Banküberfall: a tile, a card laid, a bank to rob, a card that is looked at or turned
up (B.turn, B.place, B.rob, B.spy, B.reveal, B.end)."""

from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.events import Passed
from companion.core.i18n import N_
from companion.games.bankueberfall.robbery import order_banks
from companion.games.bankueberfall.rules import TILES
from companion.games.bankueberfall.state import (
    BankCard,
    BankChosen,
    BankueberfallState,
    CardNamed,
    CardPlaced,
    CardRevealed,
    CardSpied,
    TileTurned,
)
from companion.games.rulebook import AnyRow, Choices, Row, left_of, offer_as_it_is, refuse_unoffered

KEPT = {"spy": 0, "reveal": 1}
"""How many cards a bank keeps face down, whatever is looked at or turned up there."""


def next_turn(state: BankueberfallState, **changes: object) -> BankueberfallState:
    """End the turn: the next player clockwise, the tiles shuffled again if all are used."""
    if not any(state.tiles.values()):
        changes["tiles"] = dict(state.box.tiles)
    active = left_of(state.active, len(state.players))
    return replace(state, phase="tile", active=active, **{"skipped": "", **changes})


def refuse_bank(state: BankueberfallState, bank: int, rule: str) -> Refusal | None:
    """Refuse all but the banks there are."""
    if 1 <= bank <= len(state.banks):
        return None
    text = "There is no bank {bank}; the banks are 1 to {most}."
    return refusal("no_such_bank", rule, text, bank=bank, most=len(state.banks))


def no_such_card(state: BankueberfallState, card: str | None, rule: str) -> Refusal | None:
    """Refuse a card that the box does not hold, or of which it holds no more.

    Only cards that everyone has seen are counted: to count face-down ones would tell of them.
    """
    if card is None:
        return None
    if card not in state.box.cards:
        return refusal("no_such_card", rule, "The box holds no card “{name}”.", name=card)
    if card in state.possible_cards():
        return None
    text = "Every {card} of the box has been seen already."
    return refusal("none_left", rule, text, card=card)


def _turn_tile(state: BankueberfallState, event: TileTurned) -> BankueberfallState:
    tiles = {**state.tiles, event.tile: state.tiles[event.tile] - 1}
    state = replace(state, tiles=tiles, phase=event.tile, skipped="")
    idle = event.tile in KEPT and not state.face_down(KEPT[event.tile])
    return next_turn(state, skipped=event.tile) if idle else state


def _tile_choices(state: BankueberfallState, _seat: int) -> Choices:
    return [{"tile": tile} for tile in TILES if state.tiles[tile]]


def _refuse_place(state: BankueberfallState, event: CardPlaced) -> Refusal | None:
    refused = refuse_bank(state, event.bank, "B.place")
    return refused or no_such_card(state, event.card, "B.place")


def _place_card(state: BankueberfallState, event: CardPlaced) -> BankueberfallState:
    laid = BankCard(event.card, known_to=(event.seat,))
    state = state.change_bank(event.bank, *state.banks[event.bank - 1], laid)
    if state.pile:
        return next_turn(state, pile=state.pile - 1)
    hand, n = state.players[event.seat - 1].hand - 1, len(state.banks)
    state = state.change_player(event.seat, hand=hand)
    if hand:
        return next_turn(state)
    # The final round, in which every bank with a card is robbed once (B.end).
    order = order_banks(state.front[event.seat - 1], n, state.house_rules["final_direction"])
    figure, *finals = (bank for bank in order if state.banks[bank - 1])
    skips = len(finals) + 1 < n
    return replace(state, phase="seal", figure=figure, finals=tuple(finals), skips_empty=skips)


def _bank_choices(state: BankueberfallState, _seat: int) -> Choices:
    return [{"bank": bank} for bank in range(1, len(state.banks) + 1)]


TURN_A_TILE = N_("Turn over a tile.")
NO_SUCH_TILE = N_("No tile {tile} lies face down any more.")


def _refuse_slot(
    state: BankueberfallState, event: CardSpied | CardRevealed, phase: str
) -> Refusal | None:
    if (event.bank, event.slot) not in state.face_down():
        text = "There is no face-down card number {slot} at bank {bank}."
        return refusal("no_such_slot", f"B.{phase}", text, slot=event.slot, bank=event.bank)
    if (event.bank, event.slot) not in state.face_down(KEPT[phase]):
        text = "The last face-down card at bank {bank} stays face down."
        return refusal("last_card", f"B.{phase}", text, bank=event.bank)
    return None


def _spy_card(state: BankueberfallState, event: CardSpied) -> BankueberfallState:
    known_to = {*state.banks[event.bank - 1][event.slot - 1].known_to, event.seat}
    return next_turn(state.change_card(event.bank, event.slot, known_to=tuple(sorted(known_to))))


def _refuse_reveal(state: BankueberfallState, event: CardRevealed) -> Refusal | None:
    refused = _refuse_slot(state, event, "reveal")
    if refused is not None:
        return refused
    if event.card is not None:
        return refuse_naming(state, event, "B.reveal")
    if state.banks[event.bank - 1][event.slot - 1].card is None:
        text = "No reader knows this card: say which one was turned up."
        return refusal("unnamed", "B.reveal", text)
    return None


def _reveal_card(state: BankueberfallState, event: CardRevealed) -> BankueberfallState:
    """Turn a card up; its seat names a card that no reader knows."""
    card = state.banks[event.bank - 1][event.slot - 1].card or event.card
    turned = state.change_card(event.bank, event.slot, card=card, up=True, known_to=())
    return next_turn(turned)


def _reveal_choices(state: BankueberfallState, _seat: int) -> Choices:
    cards = state.possible_cards()
    return [
        {"bank": bank, "slot": slot}
        | ({} if state.banks[bank - 1][slot - 1].card else {"card": cards})
        for bank, slot in state.face_down(KEPT["reveal"])
    ]


# A card becomes known.


def refuse_naming(
    state: BankueberfallState, event: CardNamed | CardRevealed, rule: str = "B.setup"
) -> Refusal | None:
    """Refuse to name a card that is known already, or is not there."""
    cards = dict(enumerate(state.banks, 1)).get(event.bank, ())
    if not 1 <= event.slot <= len(cards):
        text = "There is no card number {slot} at bank {bank}."
        return refusal("no_such_slot", rule, text, slot=event.slot, bank=event.bank)
    if cards[event.slot - 1].card is not None:
        text = "Card number {slot} at bank {bank} is known already."
        return refusal("known", rule, text, slot=event.slot, bank=event.bank)
    return no_such_card(state, event.card, rule)


def name_card(state: BankueberfallState, event: CardNamed) -> BankueberfallState:
    """Name a card, without a change of the seats that may see it."""
    return state.change_card(event.bank, event.slot, card=event.card)


ROWS: tuple[AnyRow, ...] = (
    Row(
        "tile", TileTurned, "active", "B.turn", ("tile", *TILES),
        TURN_A_TILE, _turn_tile,
        refuse_unoffered(_tile_choices, "B.turn", "no_such_tile", NO_SUCH_TILE), _tile_choices,
    ),
    Row(
        "place", CardPlaced, "active", "B.place", ("tile", "seal"),
        N_("Lay a card from your hand face down at a bank."),
        _place_card, _refuse_place, _bank_choices,
    ),
    Row(
        "rob", BankChosen, "active", "B.rob", ("seal",),
        N_("Choose the bank to rob, and put the figure there."),
        lambda state, event: replace(state, phase="seal", figure=event.bank),
        lambda state, event: refuse_bank(state, event.bank, "B.rob"), _bank_choices,
    ),
    Row(
        "spy", CardSpied, "active", "B.spy", ("tile",),
        N_("Look at a card at a bank, and put it back."), _spy_card,
        lambda state, event: _refuse_slot(state, event, "spy"),
        lambda state, _seat: [{"bank": bank, "slot": slot} for bank, slot in state.face_down()],
    ),
    Row(
        "reveal", CardRevealed, "active", "B.reveal", ("tile",),
        N_("Turn a card at a bank face up."), _reveal_card, _refuse_reveal, _reveal_choices,
    ),
    *(
        Row(
            phase, Passed, "active", f"B.{phase}", ("tile",),
            N_("Skip"), lambda state, _event: next_turn(state), choices=offer_as_it_is,
        )
        for phase in KEPT
    ),
)  # fmt: skip

READINGS = tuple(
    Row(
        phase, CardNamed, "reader", "B.setup", (phase,),
        N_("A reader recognises a face-down card."), name_card, refuse_naming,
    )
    for phase in ("tile", *TILES, "seal", "open", "refill")
)  # fmt: skip
"""After all other rows, so that what is out of phase cites what the phase is about."""
