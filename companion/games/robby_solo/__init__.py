"""Robby Solo (Spartaco Albertarelli, Kaleidos 2024): the rule book, put together.

fill … -> seal -> declare -> change -> open (-> junior) (-> sweep …) -> fill …
when the deck no longer reaches every bank: -> over

Robby Solo on the readers: one under each bank of the row, in its order.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.events import Event
from companion.core.i18n import N_, Facts, Message
from companion.core.table_events import Counted, Found
from companion.core.verdict import Verdict
from companion.games import start
from companion.games.correction_rules import TOO_MANY, Corrections, Countable, Owned, refuse_surplus
from companion.games.open_table import sweep_progress
from companion.games.robby_solo import choice_phase, raid, raid_phase
from companion.games.robby_solo.choice_phase import next_banks, recount_score
from companion.games.robby_solo.kinds import DISPUTES
from companion.games.robby_solo.raid_phase import end_sweep
from companion.games.robby_solo.rules import HINTS, RobbySoloBox
from companion.games.robby_solo.state import (
    Junior,
    LootLaid,
    RobbySoloPlayer,
    RobbySoloStarted,
    RobbySoloState,
)
from companion.games.rulebook import Rulebook
from companion.tracking.game_tracking import BANK, GameTracking
from companion.tracking.picture import InferredEvent, Picture


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
        cards = [*map(raid.as_loot, event.cards)]
        refused = refuse_surplus(cards, elsewhere, raid.loot_cards(state.box))
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
        bank, loot = bank_at(state, event.place), tuple(map(raid.as_loot, event.cards))
        deck = state.deck + len(state.banks[bank]) - len(loot)
        swept = state.unswept[0] if state.phase == "sweep" else ""
        state = replace(state, deck=deck, banks={**state.banks, bank: loot})
        return end_sweep(state) if bank == swept else state

    def count_holdings(self, state: RobbySoloState) -> dict[str, dict[str, int]]:
        """Return everyone's money and objects, Robby Junior's too."""
        return {name: raid.count_loot(pile) for name, pile in state.piles_by_name().items()}

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
        counted = raid.count_loot(raid.as_loot(kind) for kind in Counter(owns).elements())
        return [Message(f"{{{what}}}", {what: n}) for what, n in counted.items()]


def _count_into(pile: raid.Cards, more: Mapping[str, int]) -> raid.Cards:
    cards = list(pile)
    for kind, n in more.items():
        for _ in range(-n):
            if raid.as_loot(kind) in cards:
                cards.remove(raid.as_loot(kind))
        cards[:0] = [raid.as_loot(kind)] * max(0, n)
    return tuple(cards)


NOW = {
    "fill": N_("{who} lays a loot card at every bank, along the row."),
    "seal": N_("Everyone lays a robbery card face down, {who} last."),
    "declare": N_("{who} names a bank to rob, or one to spare."),
    "change": N_("{use} Everyone else: keep your card, or lay another."),
    "open": N_("The robbery cards are turned up."),
    "junior": N_("Robby Junior's card is turned up: say which bank it shows."),
    "over": N_("The game is over."),
    "sweep": N_("Show the loot of the {colour} bank to the reader ({n} of {total})."),
}

DECLARED = {
    True: N_("{who} will rob the {colour} bank."),
    False: N_("{who} will not rob the {colour} bank."),
}


# What is seen.


class Pile(msgspec.Struct, frozen=True):
    """Robby Junior's loot as everyone sees it: how many cards, and the top one."""

    name: str
    pile: int
    top: raid.Card | None


class Bank(msgspec.Struct, frozen=True):
    """A bank of the row and the open loot that lies there."""

    name: str
    loot: raid.Cards


class Announced(Verdict, frozen=True, tag="round"):
    """Public result of a round."""

    taken: dict[str, raid.Cards]
    left: dict[str, raid.Cards]
    raids: tuple[raid.Raid, ...]


def show_relaid(state: RobbySoloState, seat: int) -> bool:
    """Return whether a player laid the robbery card again."""
    return seat in state.relaid


def count_pile(state: RobbySoloState, seat: int) -> int:
    """Return the number of a player's loot cards."""
    return len(state.players[seat - 1].pile)


def show_top(state: RobbySoloState, seat: int) -> raid.Card | None:
    """Return the top card of a player's loot."""
    return _top(state.players[seat - 1].pile)


def show_junior(state: RobbySoloState) -> Pile | None:
    """Return Robby Junior's loot, where he plays."""
    if state.junior is None:
        return None
    return Pile(raid.JUNIOR, len(state.junior.pile), _top(state.junior.pile))


def show_banks(state: RobbySoloState) -> tuple[Bank, ...]:
    """Return the banks in the order of their row."""
    return tuple(Bank(name, loot) for name, loot in state.banks.items())


def announce_verdict(state: RobbySoloState) -> Announced | None:
    """Return the outcome of the last round, as far as everyone saw it."""
    found = state.verdict
    if found is None:
        return None
    return Announced(found.steps, found.taken, found.left, found.raids)


def show_pile(state: RobbySoloState, seat: int) -> raid.Cards:
    """Return a player's own loot, from the lowest card to the top one, or the top one alone where
    the table plays so."""
    pile = state.players[seat - 1].pile
    return pile if state.house_rules["own_pile"] == "whole" else pile[-1:]


def _top(pile: raid.Cards) -> raid.Card | None:
    return pile[-1] if pile else None


# On the readers.


def infer_events(state: RobbySoloState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield a new loot card at the next bank in line."""
    row = tuple(state.banks)
    for place in places_in_line(state):
        for thing in picture.new_cards(place):
            if thing.late and state.verdict is not None:
                continue  # Nobody knows when it was laid.
            laid = LootLaid(row[place - 1], raid.as_loot(thing.name))
            yield InferredEvent(laid, place, thing.tag)


def places_in_line(state: RobbySoloState) -> list[int]:
    """Return the places to which the next loot card may go."""
    line = next_banks(state) if state.phase == "fill" else ()
    return [place for place, bank in enumerate(state.banks, 1) if bank in line]


def receiving_places(state: RobbySoloState) -> frozenset[int]:
    """Return the places that still get a loot card in this round."""
    open_ = [place for place, bank in enumerate(state.banks, 1) if bank not in state.filled]
    return frozenset(open_ if state.phase == "fill" else ())


def find_forgotten(state: RobbySoloState, picture: Picture) -> int | None:
    """Return the bank in line without a card, when one farther on was tapped."""
    line = places_in_line(state)
    ahead = (place for place in receiving_places(state).difference(line))
    return min(line) if any(any(picture.new_cards(place)) for place in ahead) else None


def name_place(public: Any, place: int) -> Message:
    """Return the name of a place: its bank by the colour, without a game by its number."""
    if public is None or not 1 <= place <= len(public.banks):
        return Message(BANK, {"bank": place})
    return Message(N_("{colour:C} bank"), {"colour": public.banks[place - 1].name})


TRACKING: GameTracking[RobbySoloState] = GameTracking(
    infer_events,
    receiving_places,
    name_place,
    piles=frozenset(range(1, 8)),
    find_forgotten=find_forgotten,
    sweep_events=raid_phase.SWEEP.events,
)


# The rule book.


class RobbySolo(Rulebook[RobbySoloState]):
    """Robby Solo with one box."""

    box: RobbySoloBox
    start_event = RobbySoloStarted
    rows = (*choice_phase.ROWS, *raid_phase.ROWS, *raid_phase.SWEEP_ROWS)
    corrections = RobbySoloCorrections()
    disputes = DISPUTES
    tracking = TRACKING
    hints = HINTS
    open_fields = (("relaid", show_relaid), ("pile", count_pile), ("top", show_top))
    own_fields = (("pile", show_pile),)
    table_fields = (
        ("junior", show_junior), ("banks", show_banks), "deck", "declaration", "choices",
        ("verdict", announce_verdict), ("sweep", sweep_progress),
    )  # fmt: skip
    now = NOW
    score_unit = "money"
    cards_come_again = True
    start_rule = "R.setup"
    end_rule = "R.end"

    def initial_state(self, event: RobbySoloStarted) -> RobbySoloState:
        row = event.banks or self.box.banks[: event.bank_count()]
        state = RobbySoloState.begin(
            self.box,
            event,
            "fill",
            RobbySoloPlayer,
            junior=Junior() if event.junior else None,
            deck=sum(self.box.loot.values()),
            banks=dict.fromkeys(row, ()),
        )
        return choice_phase.begin_round(state)

    def refuse_start(self, event: Event) -> Refusal | None:
        if not isinstance(event, RobbySoloStarted):
            return start.refuse_start(self.box, event, "R.setup")
        crowded = event.junior and event.players >= self.box.players.most
        rule = "R.junior" if crowded else "R.setup"
        return start.refuse_start(
            self.box, event, rule, seats_free=int(event.junior)
        ) or self._refuse_banks(event)

    def _refuse_banks(self, event: RobbySoloStarted) -> Refusal | None:
        banks, number = event.banks, event.bank_count()
        if not banks or (len(banks) == len(set(banks)) == number and {*banks} <= {*self.box.banks}):
            return None
        text = "The row has {n} different banks, out of these: {colours}."
        return refusal("banks", "R.setup", text, n=number, colours=list(self.box.banks))

    def now_facts(self, state: RobbySoloState) -> Facts:
        said = state.declaration
        if state.phase == "change" and said is not None:
            facts = {"who": [state.players[state.active - 1].name], "colour": said.bank}
            return {"use": Message(DECLARED[said.will], facts)}
        return {"colour": state.unswept[0]} if state.unswept else {}

    def count_fortunes(self, state: RobbySoloState) -> Mapping[str, int]:
        return raid.count_score(state.piles_by_name(), self.box).totals

    def expected_cards(self, state: RobbySoloState) -> dict[int, tuple[str | None, ...]]:
        return {
            place: tuple(str(card) for card in loot)
            for place, loot in enumerate(state.banks.values(), 1)
        }

    def places_at_stake(self, state: RobbySoloState) -> tuple[int, ...]:
        deciding = ("seal", "declare", "change", "open", "junior")
        return tuple(range(1, len(state.banks) + 1)) if state.phase in deciding else ()
