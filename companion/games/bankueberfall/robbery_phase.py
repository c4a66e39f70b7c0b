"""The robbery of Banküberfall at the table: bids, cards turned up, pay-out, refill, the end.

Law: how a bank looks that is swept, card by card, does not depend on a card that was not shown.
"""

from msgspec.structs import replace

from companion.core.commitment import NumberChoice, fresh_hands, replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.sweep import match_names
from companion.core.verdict import HouseRule, Score, VerdictStep, step
from companion.games.bankueberfall.robbery import Robbery, count_score, resolve_robbery
from companion.games.bankueberfall.state import (
    BankCard,
    BankRefilled,
    BankueberfallState,
    CardNamed,
    CardShown,
    PileBelieved,
)
from companion.games.bankueberfall.turns import name_card, next_turn, no_such_card, refuse_naming
from companion.games.commit_reveal import mark_unproven, sealed_round
from companion.games.rulebook import Choices, Row
from companion.games.sweep import SweepRules


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
    players = tuple(
        replace(
            player,
            coins=player.coins + verdict.change[player.name] + credits[player.name] * purse,
            credits=player.credits + credits[player.name],
        )
        for player in state.players
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
    return no_such_card(state, event.card, "B.refill")


def _refill_bank(state: BankueberfallState, event: BankRefilled) -> BankueberfallState:
    state = state.change_bank(event.bank, BankCard(event.card))
    return next_turn(state, pile=state.pile - 1, figure=0)


def _refuse_turn_up(state: BankueberfallState, event: CardNamed) -> Refusal | None:
    if state.sweep is not None:
        text = "The cards at bank {bank} are shown to its reader, one by one."
        return refusal("swept", "B.rob", text, bank=state.figure)
    if event.bank != state.figure:
        text = "The cards to turn up lie at bank {bank}."
        return refusal("wrong_bank", "B.rob", text, bank=state.figure)
    return refuse_naming(state, event, "B.rob")


def _naming_choices(state: BankueberfallState, _seat: int) -> Choices:
    if state.sweep is not None:
        return ()
    cards = state.possible_cards()
    return [
        {"bank": state.figure, "slot": slot, "card": cards}
        for slot, lying in enumerate(robbed_cards(state), 1)
        if lying.card is None
    ]


AFTER = ("refill", "tile", "seal", "over")

ROWS = (
    *sealed_round(
        "B.bid", lambda state, seat: NumberChoice(state.players[seat - 1].coins), _turn_up_cards,
        ("turn_up", *AFTER), N_("Choose how many coins you bid, or none."),
    ),
    Row(
        "turn_up", CardNamed, "anyone", "B.rob", ("turn_up", *AFTER),
        N_("Say which card was turned up."),
        lambda state, event: resolve_if_known(name_card(state, event)),
        _refuse_turn_up, _naming_choices,
    ),
    Row(
        "refill", BankRefilled, "active", "B.refill", ("tile",),
        N_("Lay a new card from the pile face down at the robbed bank."),
        _refill_bank, _refuse_refill, lambda state, _seat: ({"bank": state.figure},),
    ),
)  # fmt: skip


def shown_faces(state: BankueberfallState) -> tuple[str | None, ...]:
    """Return the robbed bank as everyone sees it: the open cards, then the shown ones, in order.

    A shown card fills the first face-down slot, not its own: that would tell what is noted there.
    """
    cards = robbed_cards(state)
    already_open = (lying.card for lying in cards if lying.up and lying.card is not None)
    waiting = iter(match_names(already_open, state.shown)[1])
    faces = [lying.card if lying.up else next(waiting, None) for lying in cards]
    return (*faces, *waiting)


def _name_cards(state: BankueberfallState) -> BankueberfallState:
    """Give the cards without a name those that were shown, and decide the robbery."""
    named = (lying.card for lying in robbed_cards(state) if lying.card is not None)
    others = iter(match_names(named, state.shown)[1])
    cards = (
        replace(lying, card=next(others)) if lying.card is None else lying
        for lying in robbed_cards(state)
    )
    return resolve_if_known(state.change_bank(state.figure, *cards))


SWEEP = SweepRules(
    phase="turn_up",
    rule="B.rob",
    show_card=CardShown,
    believe_pile=PileBelieved,
    name_bank=lambda state: {"bank": state.figure},
    count_box=lambda state: state.box.cards,
    seen_here=lambda state: state.seen_cards() - state.seen_cards(but=state.figure),
    seen_elsewhere=lambda state: state.seen_cards(but=state.figure),
    go_on=_name_cards,
    believe=resolve_if_known,
    wrong_bank=N_("The cards to turn up lie at bank {bank}."),
    unnamed=N_("No reader has read one of the cards at bank {bank}: it has to be shown."),
)
SWEEP_ROWS = SWEEP.rows(
    AFTER,
    N_("Turn the next card and show it to the reader, or name it here."),
    N_("The table knows these cards, so you may skip turning."),
)
