"""A round of Robby Solo up to the robberies: loot at every bank, or the end; lay, declare, change
(R.fill, R.end, R.choose, R.change).

Laws: no player chooses where a loot card goes. The first one goes to either end of the row, and
every other one to the next bank on the way to the far end. Everyone else lays a robbery card first,
the Gentleman or Lady last, and only then speaks. After that a card may be taken back, once or until
the Gentleman or Lady goes on; the table sees that it was, and never which one comes down instead.
"""

from collections import Counter

from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.events import Resealed, Sealed
from companion.core.i18n import N_
from companion.core.verdict import Score, VerdictStep, step
from companion.games.commit_reveal import closing_row, refuse_closing, reseal_row
from companion.games.robby_solo.raid import Card, count_score, loot_cards
from companion.games.robby_solo.state import (
    Declaration,
    Declared,
    EndAgreed,
    Kept,
    LootLaid,
    RobbySoloState,
    WentOn,
)
from companion.games.rulebook import Choices, Row, no_such_seat, offer_as_it_is


def begin_round(state: RobbySoloState) -> RobbySoloState:
    """Begin the next round; end the game if the deck does not reach every bank (R.end)."""
    if state.deck < len(state.banks):
        text = "Too few loot cards are left for all the banks ({left} for {banks}): the game ends."
        ends = step("R.end", text, left=state.deck, banks=len(state.banks))
        return replace(state, phase="over", score=_final_score(state, ends))
    return replace(state, phase="fill", filled=(), declaration=None, kept=(), relaid=())


def _final_score(state: RobbySoloState, ends: VerdictStep) -> Score:
    """Count the score, and say first why it is counted now."""
    counted = count_score(state.piles_by_name(), state.box)
    return replace(counted, steps=(ends, *counted.steps))


def recount_score(state: RobbySoloState) -> Score:
    """Count the score of a finished game again; the reason for its end stays."""
    assert state.score is not None
    return _final_score(state, state.score.steps[0])


def next_banks(state: RobbySoloState) -> tuple[str, ...]:
    """Return the banks that the next loot card may go to: both ends at first, then one."""
    row = tuple(state.banks)
    if not state.filled:
        return row[0], row[-1]
    onward = 1 if state.filled[0] == row[0] else -1
    return (row[row.index(state.filled[-1]) + onward],)


def cards_in_deck(state: RobbySoloState) -> tuple[Card, ...]:
    """Return the kinds of card not all seen yet: the deck must still hold some."""
    seen = Counter(card for cards in state.banks.values() for card in cards)
    seen.update(card for pile in state.piles_by_name().values() for card in pile)
    return tuple(card for card, n in loot_cards(state.box).items() if n > seen[card])


def no_such_bank(state: RobbySoloState, bank: object, rule: str) -> Refusal | None:
    """Refuse a bank that is not in the row."""
    if isinstance(bank, str) and bank in state.banks:
        return None
    text = "No such bank lies in the row. These do: {colours}."
    return refusal("no_such_bank", rule, text, colours=list(state.banks))


def _refuse_loot(state: RobbySoloState, event: LootLaid) -> Refusal | None:
    refused, card = no_such_bank(state, event.bank, "R.fill"), event.card
    if refused is not None:
        return refused
    if event.bank not in next_banks(state):
        text = "Loot is laid along the row, from one end to the other. Next in line: {colours}."
        return refusal("out_of_line", "R.fill", text, colours=list(next_banks(state)))
    if card not in loot_cards(state.box):
        return refusal("no_such_card", "R.fill", "The box holds no loot card “{name}”.", name=card)
    if card not in cards_in_deck(state) and "loot" not in state.box.guesses:
        text = "The deck cannot hold another one: every {card} of the box is on the table."
        return refusal("none_left", "R.fill", text, card=card)
    return None


def _lay_loot(state: RobbySoloState, event: LootLaid) -> RobbySoloState:
    banks = {**state.banks, event.bank: (*state.banks[event.bank], event.card)}
    filled = (*state.filled, event.bank)
    phase = "fill" if len(filled) < len(banks) else "seal"
    deck = state.deck - 1
    return replace(state, banks=banks, filled=filled, deck=deck, phase=phase, choices={})


def _loot_choices(state: RobbySoloState, _seat: int) -> Choices:
    cards = cards_in_deck(state) or tuple(loot_cards(state.box))  # Someone may have counted wrong.
    return [{"bank": bank, "card": cards} for bank in next_banks(state)]


# The end of a game in which everyone always meets.


def _refuse_end(state: RobbySoloState, _event: EndAgreed) -> Refusal | None:
    if state.quiet >= state.box.quiet_rounds and not state.filled:
        return None
    text = "A game is ended like this before a round, after {n} rounds without loot."
    return refusal("not_quiet", "R.end", text, n=state.box.quiet_rounds)


def _end_quietly(state: RobbySoloState, _event: EndAgreed) -> RobbySoloState:
    text = "For {n} rounds no one has taken loot, so the table ends the game."
    ends = step("R.end", text, None, "R.end.quiet", n=state.quiet)
    return replace(state, phase="over", score=_final_score(state, ends))


# Everyone lays a robbery card, the Gentleman or Lady last.


def first_to_lay(state: RobbySoloState) -> tuple[int, ...]:
    """Return the other seats whose robbery card is not down yet."""
    return tuple(seat for seat in state.hands.unclosed_seats() if seat != state.active)


def _refuse_seal(state: RobbySoloState, event: Sealed) -> Refusal | None:
    refused = refuse_closing(state, event)
    if refused is None and event.seat == state.active and first_to_lay(state):
        text = "You are the Gentleman or Lady: lay your card when everyone else has laid one."
        return refusal("gentleman_last", "R.choose", text)
    return refused


# The declaration.


def _apply_declaration(state: RobbySoloState, event: Declared) -> RobbySoloState:
    return replace(state, phase="change", declaration=Declaration(event.bank, event.will))


def _declaration_choices(state: RobbySoloState, _seat: int) -> Choices:
    return [{"bank": bank, "will": (True, False)} for bank in state.banks]


# The others keep their card, or lay again, and the Gentleman or Lady may have to go on.


def unanswered_seats(state: RobbySoloState) -> tuple[int, ...]:
    """Return the seats that have neither kept their card nor laid again."""
    return tuple(seat for seat in state.other_seats() if seat not in (*state.kept, *state.relaid))


def waits_to_go_on(state: RobbySoloState) -> bool:
    """Return whether cards are taken back until the Gentleman or Lady goes on."""
    return state.house_rules["retake"] == "until_gone_on"


def _refuse_answer(state: RobbySoloState, event: Kept | Sealed) -> Refusal | None:
    refused = no_such_seat(state, event.seat, "R.change")
    again = waits_to_go_on(state) and isinstance(event, Sealed) and event.seat != state.active
    if refused is not None or again or event.seat in unanswered_seats(state):
        return refused
    if event.seat == state.active:
        text = "You made the declaration, so your card stays as it is."
        return refusal("gentleman_stays", "R.change", text)
    text = "You have answered the declaration already, and that holds."
    return refusal("answered", "R.change", text)


def _refuse_relay(state: RobbySoloState, event: Sealed) -> Refusal | None:
    """Refuse a second answer, and the same seal, which would tell that the same card came down."""
    refused = _refuse_answer(state, event) or refuse_closing(state, event)
    if refused is None and event.seal == state.hands.seals[event.seat - 1]:
        text = "A card that is laid again needs a new seal, even if it is the same card."
        return refusal("same_seal", "R.change", text)
    return refused


def _keep_card(state: RobbySoloState, event: Kept) -> RobbySoloState:
    return _finish_answers(replace(state, kept=(*state.kept, event.seat)))


def _lay_again(state: RobbySoloState, event: Sealed) -> RobbySoloState:
    hands = state.hands.close(event.seat, event.seal)
    kept = tuple(seat for seat in state.kept if seat != event.seat)
    relaid = tuple(seat for seat in state.relaid if seat != event.seat)
    return _finish_answers(replace(state, hands=hands, kept=kept, relaid=(*relaid, event.seat)))


def _finish_answers(state: RobbySoloState) -> RobbySoloState:
    stays = unanswered_seats(state) or waits_to_go_on(state)
    return state if stays else replace(state, phase="open")


def _refuse_going_on(state: RobbySoloState, _event: WentOn) -> Refusal | None:
    if waits_to_go_on(state) and not unanswered_seats(state):
        return None
    return refusal("unanswered", "R.change", "Not everyone has answered the declaration.")


# The table may have all cards laid anew.


def reseal_choice_row(phase: str) -> Row[RobbySoloState, Resealed]:
    """Make the row that has all cards laid again; declaration and answers become void."""
    row = reseal_row(phase)

    def change(state: RobbySoloState, event: Resealed) -> RobbySoloState:
        changed: RobbySoloState = row.change(state, event)
        return replace(changed, declaration=None, kept=(), relaid=())

    return replace(row, change=change)


LAY_A_CARD = N_("Choose the bank you rob, and lay its card.")
LAY_LOOT = N_("Lay the next loot card open at a bank.")
END_IT = N_("No one has taken loot for long: end the game here, if all agree.")
DECLARE = N_("Name a bank you will rob, or one you won’t. It must be true.")
KEEP_IT = N_("Keep my card")
GO_ON = N_("Everyone has answered: go on.")
LAY_AGAIN = N_("Take your card back and lay one again – the same one if you like.")

ROWS = (
    Row(
        "fill", LootLaid, "active", "R.fill", ("fill", "seal"),
        LAY_LOOT, _lay_loot, _refuse_loot, _loot_choices,
    ),
    Row(
        "fill", EndAgreed, "active", "R.end", ("over",),
        END_IT, _end_quietly, _refuse_end, offer_as_it_is,
    ),
    closing_row(
        "R.choose", ("seal", "declare"),
        LAY_A_CARD, lambda state: replace(state, phase="declare"), _refuse_seal,
    ),
    reseal_choice_row("seal"),
    Row(
        "declare", Declared, "active", "R.choose", ("change",),
        DECLARE, _apply_declaration,
        lambda state, event: no_such_bank(state, event.bank, "R.choose"), _declaration_choices,
    ),
    reseal_choice_row("declare"),
    Row(
        "change", Kept, "each", "R.change", ("change", "open"),
        KEEP_IT, _keep_card, _refuse_answer, offer_as_it_is,
    ),
    Row(
        "change", Sealed, "each", "R.change", ("change", "open"),
        LAY_AGAIN, _lay_again, _refuse_relay, offer_as_it_is,
    ),
    Row(
        "change", WentOn, "active", "R.change", ("open",),
        GO_ON, lambda state, _: replace(state, phase="open"), _refuse_going_on, offer_as_it_is,
    ),
    reseal_choice_row("change"),
)  # fmt: skip
