"""Corrections in Banküberfall: the cards at a bank, who saw them, what everyone has."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from companion.core.commitment import replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message
from companion.core.table_events import Counted, Found
from companion.games.bankueberfall.robbery_phase import SWEEP, resolve_if_known, score_now
from companion.games.bankueberfall.state import (
    BankCard,
    BankueberfallState,
)
from companion.games.bankueberfall.turns import refuse_bank
from companion.games.counting import Countable, Owned

replace = msgspec.structs.replace


def refuse_found(state: BankueberfallState, event: Found) -> Refusal | None:
    """Refuse cards that the box does not hold, or not so many of them."""
    refused = refuse_bank(state, event.place, "T.todo")
    if refused is not None:
        return refused
    elsewhere = Counter(state.discard)
    for bank, lying in enumerate(state.banks, 1):
        elsewhere.update(c.card for c in lying if c.card and c.up and bank != event.place)
    here = Counter(card for card in event.cards if card is not None)
    for card, n in here.items():
        if card not in state.box.cards:
            text = "The box holds no card “{name}”."
            return refusal("no_such_card", "T.todo", text, name=card)
        if n + elsewhere[card] > state.box.cards[card]:
            text = "The box does not hold so many: {card}."
            return refusal("none_left", "T.todo", text, card=card)
    if len(event.cards) > sum(state.box.cards.values()):
        return refusal("too_many", "T.todo", "The box does not hold so many cards.")
    return None


def apply_found(state: BankueberfallState, event: Found) -> BankueberfallState:
    """Return the game with the bank as it is; what was known of a card still there stays known."""
    before = list(state.banks[event.place - 1])
    banks = replace_entry(
        state.banks, event.place, tuple(_keep_known(card, before) for card in event.cards)
    )
    state = replace(state, banks=banks)
    if state.phase != "turn_up" or state.figure != event.place:
        return state
    named = None not in event.cards
    if state.sweep is not None and not named:
        return SWEEP.go_on_if_same(state)
    return resolve_if_known(state)


def _keep_known(card: str | None, before: list[BankCard]) -> BankCard:
    """Return this card as it lay there before, by its name or as one without a name."""
    for name in (card, None):
        for was in before:
            if was.card == name:
                before.remove(was)
                return replace(was, card=card)
    return BankCard(card)


def count_holdings(state: BankueberfallState) -> dict[str, dict[str, int]]:
    """Return everyone's coins and red credits."""
    return {p.name: {"coins": p.coins, "credits": p.credits} for p in state.players}


MOST_COINS = 999


def count_own(state: BankueberfallState, seat: int) -> Owned:
    """Return the coins and red credits that a seat can count."""
    if not 1 <= seat <= len(state.players):
        return {}
    mine, bid = state.players[seat - 1], state.hands.values[seat - 1]
    least = bid if isinstance(bid, int) else 0
    return {
        "coins": Countable(mine.coins, MOST_COINS, least),
        "credits": Countable(mine.credits, 99),
    }


def apply_counted(state: BankueberfallState, event: Counted) -> BankueberfallState:
    """Return the game with what was counted; the coins come from the reserve, or go there."""
    was, owned = state.players[event.seat - 1], count_own(state, event.seat)
    now = {name: n.add(event.more.get(name, 0)) for name, n in owned.items()}
    coins = now["coins"]
    mine = replace(was, coins=coins, credits=now["credits"])
    players = replace_entry(state.players, event.seat, mine)
    state = replace(state, players=players, reserve=state.reserve + was.coins - coins)
    return replace(state, score=score_now(state)) if state.phase == "over" else state


def word_counted(owns: Mapping[str, int]) -> Sequence[Message]:
    """Return coins and red credits in words."""
    return [
        Message(f"{{{what}}}", {what: owns[what]}) for what in ("coins", "credits") if what in owns
    ]
