"""The turns of Banküberfall at the table: a tile and what it asks for, a robbery from its bids to
the new card, the final round, the end (B.turn … B.end).

Law: how a bank looks that is swept, card by card, does not depend on a card that was not shown.
"""

from msgspec.structs import replace

from companion.core.commitment import NumberChoice, fresh_hands, replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.sweep import fill_gaps
from companion.core.verdict import HouseRule, Score, VerdictStep, step
from companion.games.bankueberfall.robbery import Robbery, count_score, order_banks, resolve_robbery
from companion.games.bankueberfall.rules import TILES
from companion.games.bankueberfall.state import (
    BankCard,
    BankChosen,
    BankRefilled,
    BankueberfallState,
    CardNamed,
    CardPlaced,
    CardRevealed,
    CardShown,
    CardSpied,
    PileBelieved,
    TileTurned,
)
from companion.games.commit_reveal import mark_unproven, sealed_round
from companion.games.correction_rules import refuse_card
from companion.games.rulebook import AnyRow, Choices, Row, left_of, passing_row, refuse_unoffered
from companion.games.sweep import SweepRules

KEPT = {"spy": 0, "reveal": 1}
"""How many cards a bank keeps face down, whatever is looked at or turned up there."""


def next_turn(state: BankueberfallState, **changes: object) -> BankueberfallState:
    """End the turn: the next player clockwise, the tiles shuffled again if all are used."""
    if not any(state.tiles.values()):
        changes["tiles"] = dict(state.box.tiles)
    active = left_of(state.active, len(state.players))
    return replace(state, phase="tile", active=active, **{"skipped": "", **changes})


def refuse_bank(
    state: BankueberfallState, bank: int, rule: str, card: str | None = None
) -> Refusal | None:
    """Refuse all but the banks there are, and there a card of which the box holds no more.

    Only cards that everyone has seen are counted: to count face-down ones would tell of them.
    """
    if not 1 <= bank <= len(state.banks):
        text = "There is no bank {bank}; the banks are 1 to {most}."
        return refusal("no_such_bank", rule, text, bank=bank, most=len(state.banks))
    left = state.possible_cards()
    return None if card is None else refuse_card(card, state.box.cards, left, rule)


def _turn_tile(state: BankueberfallState, event: TileTurned) -> BankueberfallState:
    tiles = {**state.tiles, event.tile: state.tiles[event.tile] - 1}
    state = replace(state, tiles=tiles, phase=event.tile, skipped="")
    idle = event.tile in KEPT and not state.face_down(KEPT[event.tile])
    return next_turn(state, skipped=event.tile) if idle else state


def _tile_choices(state: BankueberfallState, _seat: int) -> Choices:
    return [{"tile": tile} for tile in TILES if state.tiles[tile]]


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
NO_SUCH_SLOT = N_("There is no face-down card number {slot} at bank {bank}.")


def _spy_choices(state: BankueberfallState, _seat: int) -> Choices:
    return [{"bank": bank, "slot": slot} for bank, slot in state.face_down()]


def _spy_card(state: BankueberfallState, event: CardSpied) -> BankueberfallState:
    known_to = {*state.banks[event.bank - 1][event.slot - 1].known_to, event.seat}
    return next_turn(state.change_card(event.bank, event.slot, known_to=tuple(sorted(known_to))))


def _refuse_reveal(state: BankueberfallState, event: CardRevealed) -> Refusal | None:
    lying = event.bank, event.slot
    if lying not in state.face_down():
        return refusal("no_such_slot", "B.reveal", NO_SUCH_SLOT, slot=event.slot, bank=event.bank)
    if lying not in state.face_down(KEPT["reveal"]):
        text = "The last face-down card at bank {bank} stays face down."
        return refusal("last_card", "B.reveal", text, bank=event.bank)
    if event.card is None and state.banks[event.bank - 1][event.slot - 1].card is None:
        text = "No reader knows this card: say which one was turned up."
        return refusal("unnamed", "B.reveal", text)
    return None if event.card is None else refuse_naming(state, event)


def _reveal_card(state: BankueberfallState, event: CardRevealed) -> BankueberfallState:
    """Turn a card up; its seat names a card that no reader knows."""
    card = state.banks[event.bank - 1][event.slot - 1].card or event.card
    turned = state.change_card(event.bank, event.slot, card=card, up=True, known_to=())
    return next_turn(turned)


def _reveal_choices(state: BankueberfallState, seat: int) -> Choices:
    unnamed = {(one["bank"], one["slot"]): one for one in _naming_choices(state, seat)}
    return [
        unnamed.get((bank, slot), {"bank": bank, "slot": slot})
        for bank, slot in state.face_down(KEPT["reveal"])
    ]


# A card becomes known.


def _naming_choices(state: BankueberfallState, _seat: int) -> Choices:
    """Offer names for the cards without one: of a robbery those at its bank, if it is not swept."""
    cards, is_robbed = state.possible_cards(), state.phase == "turn_up"
    return [
        {"bank": bank, "slot": slot, "card": cards}
        for bank, lying in enumerate(state.banks, 1)
        if not is_robbed or (bank == state.figure and state.sweep is None)
        for slot, card in enumerate(lying, 1)
        if card.card is None
    ]


NOT_ITS_NAME = N_("Card number {slot} at bank {bank} cannot be named {card} now.")
refuse_naming = refuse_unoffered(_naming_choices, "T.hidden", "not_its_name", NOT_ITS_NAME)


def name_card(state: BankueberfallState, event: CardNamed) -> BankueberfallState:
    """Name a card, without a change of the seats that may see it."""
    return state.change_card(event.bank, event.slot, card=event.card)


# The robbery.


def robbed_cards(state: BankueberfallState) -> tuple[BankCard, ...]:
    """Return the cards at the bank where the figure stands."""
    return state.banks[state.figure - 1]


def _turn_up_cards(state: BankueberfallState) -> BankueberfallState:
    """Turn up the cards at the bank once every hand is open; if they are swept, one by one."""
    if state.sweeping and robbed_cards(state):
        return replace(state, phase="turn_up", shown=())
    turned = tuple(BankCard(lying.card, up=True) for lying in robbed_cards(state))
    banks = replace_entry(state.banks, state.figure, turned)
    return resolve_if_known(replace(state, banks=banks))


def resolve_if_known(state: BankueberfallState) -> BankueberfallState:
    """Decide the robbery once every card is known."""
    known = [lying.card for lying in robbed_cards(state) if lying.card is not None]
    if len(known) < len(robbed_cards(state)):
        return replace(state, phase="turn_up")
    return _pay_out(replace(state, shown=()), known, _resolve_robbery(state, known))


def _resolve_robbery(state: BankueberfallState, cards: list[str]) -> Robbery:
    bids = {
        player.name: int(value or 0)  # type: ignore[arg-type]
        for player, value in zip(state.players, state.hands.values, strict=True)
    }
    funds = {player.name: player.coins for player in state.players}
    verdict = resolve_robbery(cards, bids, state.house_rules, state.box, funds, state.figure)
    verdict = mark_unproven(state, verdict)
    return replace(verdict, steps=(*_final_round_step(state), *verdict.steps))


def _final_round_step(state: BankueberfallState) -> tuple[VerdictStep, ...]:
    """Say in the final round which bank is robbed, and which ones follow."""
    if all(player.hand for player in state.players):
        return ()
    skips = ("B.empty",) if state.skips_empty else ()
    if not state.finals:
        text = "The final round ends with bank {bank}."
        return (step("B.end", text, None, *skips, bank=state.figure),)
    house = HouseRule("final_direction", state.house_rules["final_direction"])
    text = "The final round: now bank {bank}, then bank {numbers}."
    return (step("B.end", text, house, *skips, bank=state.figure, numbers=list(state.finals)),)


def _pay_out(state: BankueberfallState, cards: list[str], verdict: Robbery) -> BankueberfallState:
    credits, purse = verdict.credits or {}, state.box.purse
    gains = {name: n + credits[name] * purse for name, n in verdict.change.items()}
    players = tuple(
        replace(one, coins=one.coins + gains[one.name], credits=one.credits + credits[one.name])
        for one in state.players
    )
    state = replace(
        state,
        players=players,
        banks=replace_entry(state.banks, state.figure, ()),
        discard=(*state.discard, *cards),
        hands=fresh_hands(state.hands.round + 1, len(players)),
        verdict=verdict,
    )
    if state.finals:
        return replace(state, phase="seal", figure=state.finals[0], finals=state.finals[1:])
    if any(player.hand == 0 for player in state.players):
        return replace(state, phase="over", figure=0, score=score_now(state))
    if state.pile:
        return replace(state, phase="refill")
    return next_turn(state, figure=0)


def score_now(state: BankueberfallState) -> Score:
    """Return the score if the game ended like this."""
    fortunes = {p.name: {"coins": p.coins, "credits": p.credits} for p in state.players}
    return count_score(fortunes, state.box)


def _refuse_refill(state: BankueberfallState, event: BankRefilled) -> Refusal | None:
    if event.bank != state.figure:
        text = "The new card belongs at bank {bank}."
        return refusal("wrong_bank", "B.refill", text, bank=state.figure)
    return refuse_bank(state, event.bank, "B.refill", event.card)


def _refill_bank(state: BankueberfallState, event: BankRefilled) -> BankueberfallState:
    state = state.change_bank(event.bank, BankCard(event.card))
    return next_turn(state, pile=state.pile - 1, figure=0)


def _name_cards(state: BankueberfallState) -> BankueberfallState:
    """Give the cards without a name those that were shown, and decide the robbery."""
    cards = robbed_cards(state)
    faces = fill_gaps((lying.card for lying in cards), state.shown)
    named = (replace(lying, card=face) for lying, face in zip(cards, faces, strict=True))
    return resolve_if_known(state.change_bank(state.figure, *named))


SWEEP = SweepRules(
    phase="turn_up",
    rule="B.rob",
    show_card=CardShown,
    believe_pile=PileBelieved,
    name_bank=lambda state: {"bank": state.figure},
    count_box=lambda state: state.box.cards,
    seen_elsewhere=lambda state: state.seen_cards(but=state.figure),
    go_on=_name_cards,
    believe=resolve_if_known,
    wrong_bank=N_("The cards to turn up lie at bank {bank}."),
    unnamed=N_("No reader has read one of the cards at bank {bank}: it has to be shown."),
)
AFTER = ("refill", "tile", "seal", "over")

ROWS: tuple[AnyRow, ...] = (
    Row(
        "tile", TileTurned, "active", "B.turn", ("tile", *TILES),
        TURN_A_TILE, _turn_tile,
        refuse_unoffered(_tile_choices, "B.turn", "no_such_tile", NO_SUCH_TILE), _tile_choices,
    ),
    Row(
        "place", CardPlaced, "active", "B.place", ("tile", "seal"),
        N_("Lay a card from your hand face down at a bank."), _place_card,
        lambda state, event: refuse_bank(state, event.bank, "B.place", event.card), _bank_choices,
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
        refuse_unoffered(_spy_choices, "B.spy", "no_such_slot", NO_SUCH_SLOT), _spy_choices,
    ),
    Row(
        "reveal", CardRevealed, "active", "B.reveal", ("tile",),
        N_("Turn a card at a bank face up."), _reveal_card, _refuse_reveal, _reveal_choices,
    ),
    *(passing_row(phase, f"B.{phase}", ("tile",), N_("Skip"), next_turn) for phase in KEPT),
    *sealed_round(
        "B.bid", lambda state, seat: NumberChoice(state.players[seat - 1].coins), _turn_up_cards,
        ("turn_up", *AFTER), N_("Choose how many coins you bid, or none."),
    ),
    Row(
        "turn_up", CardNamed, "anyone", "B.rob", ("turn_up", *AFTER),
        N_("Say which card was turned up."),
        lambda state, event: resolve_if_known(name_card(state, event)),
        refuse_naming, _naming_choices,
    ),
    Row(
        "refill", BankRefilled, "active", "B.refill", ("tile",),
        N_("Lay a new card from the pile face down at the robbed bank."),
        _refill_bank, _refuse_refill, lambda state, _seat: ({"bank": state.figure},),
    ),
    *SWEEP.rows(
        AFTER,
        N_("Turn the next card and show it to the reader, or name it here."),
        N_("The table knows these cards, so you may skip turning."),
    ),
    # After all others, so that what is out of phase cites what the phase is about.
    *(
        Row(
            phase, CardNamed, "reader", "B.setup", (phase,),
            N_("A reader recognises a face-down card."), name_card, refuse_naming,
        )
        for phase in ("tile", *TILES, "seal", "open", "refill")
    ),
)  # fmt: skip
