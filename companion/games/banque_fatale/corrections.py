"""Corrections in Banque Fatale: which cards lie open, what everyone has."""

from collections.abc import Mapping, Sequence

import msgspec

from companion.core.commitment import replace_entry
from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message
from companion.core.table_events import Counted, Found
from companion.games.banque_fatale.sale_phase import score_now
from companion.games.banque_fatale.state import BanqueFataleState
from companion.games.counting import Countable, Owned

replace = msgspec.structs.replace

AUCTION, SALE = 4, 5
"""The places of the card that is auctioned and of the one that is sold."""


def is_at_auction(state: BanqueFataleState) -> bool:
    """Return whether a card lies at the place of the auction."""
    return state.phase in ("refill", "seal", "open")


def expected_cards(state: BanqueFataleState) -> dict[int, tuple[str | None, ...]]:
    """Return the open cards by place, the auctioned one, and nothing at the place of sale."""
    lying: dict[int, tuple[str | None, ...]] = {
        place: tuple(filter(None, state.open_cards[place - 1 : place]))
        for place in range(1, state.box.open_cards + 1)
    }
    return {**lying, AUCTION: (state.auctioned,) if is_at_auction(state) else (), SALE: ()}


def refuse_found(state: BanqueFataleState, event: Found) -> Refusal | None:
    """Refuse all but exactly one card, which no player owns, where a card lies open."""
    if not expected_cards(state).get(event.place):
        text = "No card of this game lies at place {place} now."
        return refusal("no_such_place", "T.todo", text, place=event.place)
    if len(event.cards) != 1:
        text = "One card lies at place {place}, no more and no fewer."
        return refusal("one_card", "T.todo", text, place=event.place)
    (card,) = event.cards
    at_hand = (state.auctioned,) if is_at_auction(state) else ()
    if card in (*state.unseen_cards(), *state.on_offer(), *at_hand):
        return None
    text = "The card {card} cannot lie there: it is not in the pile and does not lie open."
    return refusal("no_such_card", "T.todo", text, card=card or "?")


def apply_found(state: BanqueFataleState, event: Found) -> BanqueFataleState:
    """Note the card here; if it was noted elsewhere, exchange the two."""
    card, was = str(event.cards[0]), str(expected_cards(state)[event.place][0])

    def swap_names(noted: str) -> str:
        return {card: was, was: card}.get(noted, noted)

    auctioned = swap_names(state.auctioned) if is_at_auction(state) else state.auctioned
    open_cards = tuple(map(swap_names, state.open_cards))
    return replace(state, open_cards=open_cards, auctioned=auctioned)


def count_holdings(state: BanqueFataleState) -> dict[str, dict[str, int]]:
    """Return everyone's money, chips and cards."""
    return {
        p.name: {"millions": p.cash, "chips": sum(p.chips.values()), "count": len(p.cards)}
        for p in state.players
    }


CASH = "millions"
"""What cash is called where it is counted; chips go by their colours."""
MOST = 999


def count_own(state: BanqueFataleState, seat: int) -> Owned:
    """Return the cash and the chips of each colour that a seat can count."""
    if not 1 <= seat <= len(state.players):
        return {}
    mine, bid = state.players[seat - 1], state.hands.values[seat - 1]
    held = bid if isinstance(bid, dict) else {}
    chips = {colour: Countable(n, MOST, held.get(colour, 0)) for colour, n in mine.chips.items()}
    return {CASH: Countable(mine.cash, MOST), **chips}


def apply_counted(state: BanqueFataleState, event: Counted) -> BanqueFataleState:
    """Return the game with what was counted behind a screen."""
    was, owned = state.players[event.seat - 1], count_own(state, event.seat)
    now = {name: n.add(event.more.get(name, 0)) for name, n in owned.items()}
    chips = {colour: now[colour] for colour in was.chips}
    mine = replace(was, chips=chips, cash=now[CASH])
    state = replace(state, players=replace_entry(state.players, event.seat, mine))
    return replace(state, score=score_now(state)) if state.phase == "over" else state


def word_counted(owns: Mapping[str, int]) -> Sequence[Message]:
    """Return cash in words, and each colour with its chips."""
    cash = [Message("{millions}", {"millions": owns[CASH]})] if CASH in owns else []
    chips = {name: n for name, n in owns.items() if name != CASH}
    return [*cash, Message("{by_colour}", {"by_colour": chips})] if chips else cash
