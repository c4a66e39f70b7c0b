"""Corrections in Robby Solo: the loot at a bank, everyone's pile."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message
from companion.core.table_events import Counted, Found
from companion.games.correction_rules import TOO_MANY, Corrections, refuse_surplus
from companion.games.counting import Countable, Owned
from companion.games.robby_solo.choice_phase import recount_score
from companion.games.robby_solo.raid import Cards, as_loot, count_loot, loot_cards
from companion.games.robby_solo.raid_phase import end_sweep
from companion.games.robby_solo.state import RobbySoloState

replace = msgspec.structs.replace


def bank_at(state: RobbySoloState, place: int) -> str:
    """Return the bank at a place of the row."""
    return tuple(state.banks)[place - 1]


class RobbySoloCorrections(Corrections[RobbySoloState]):
    """Corrections at a table of Robby Solo."""

    def refuse_found(self, state: RobbySoloState, event: Found) -> Refusal | None:
        """Refuse loot that the box or the deck cannot give.

        The cards that the row still needs in this round stay in the deck.
        """
        if not 1 <= event.place <= len(state.banks):
            text = "No card of this game lies at place {place}."
            return refusal("no_such_bank", "T.todo", text, place=event.place)
        bank = bank_at(state, event.place)
        elsewhere = Counter(c for name, loot in state.banks.items() if name != bank for c in loot)
        elsewhere.update(card for pile in state.piles_by_name().values() for card in pile)
        cards = [*map(as_loot, event.cards)]
        refused = refuse_surplus(cards, elsewhere, loot_cards(state.box))
        if refused is not None:
            return refused
        still = len(state.banks) - len(state.filled) if state.phase == "fill" else 0
        if len(event.cards) - len(state.banks[bank]) > state.deck - still:
            return refusal("too_many", "T.todo", TOO_MANY)
        return None

    def apply_found(self, state: RobbySoloState, event: Found) -> RobbySoloState:
        """Return the bank with these cards; the deck gives extra ones and takes missing ones.

        A bank that is swept just now is swept with that.
        """
        bank, loot = bank_at(state, event.place), tuple(map(as_loot, event.cards))
        deck = state.deck + len(state.banks[bank]) - len(loot)
        swept = state.unswept[0] if state.phase == "sweep" else ""
        state = replace(state, deck=deck, banks={**state.banks, bank: loot})
        return end_sweep(state) if bank == swept else state

    def count_holdings(self, state: RobbySoloState) -> dict[str, dict[str, int]]:
        """Return everyone's money and objects, Robby Junior's too."""
        return {name: count_loot(pile) for name, pile in state.piles_by_name().items()}

    def count_own(self, state: RobbySoloState, seat: int) -> Owned:
        """Return the loot cards of each kind that a seat can count in its pile; nothing while the
        house rules forbid a look, or the count would reveal hidden cards."""
        is_hidden = state.house_rules["own_pile"] == "top_card" and state.phase != "over"
        if is_hidden or not 1 <= seat <= len(state.players):
            return {}
        here = Counter(map(str, state.players[seat - 1].pile))
        return {kind: Countable(here[kind], most) for kind, most in state.box.loot.items()}

    def apply_counted(self, state: RobbySoloState, event: Counted) -> RobbySoloState:
        """Return the game after a count: extra cards lie under the pile, missing ones are its
        lowest, so that the top card stays as long as it is there."""
        was = state.players[event.seat - 1]
        pile = _count_into(was.pile, event.more)
        deck = state.deck + len(was.pile) - len(pile)
        state = replace(state.change_player(event.seat, pile=pile), deck=max(0, deck))
        return replace(state, score=recount_score(state)) if state.phase == "over" else state

    def word_counted(self, owns: Mapping[str, int]) -> Sequence[Message]:
        """Word counted loot in money and objects."""
        counted = count_loot(as_loot(kind) for kind in Counter(owns).elements())
        return [Message(f"{{{what}}}", {what: n}) for what, n in counted.items()]


def _count_into(pile: Cards, more: Mapping[str, int]) -> Cards:
    cards = list(pile)
    for kind, n in more.items():
        for _ in range(-n):
            if as_loot(kind) in cards:
                cards.remove(as_loot(kind))
        cards[:0] = [as_loot(kind)] * max(0, n)
    return tuple(cards)
