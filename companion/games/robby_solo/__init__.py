"""Robby Solo (Spartaco Albertarelli, Kaleidos 2024): the rule book, put together.

fill … -> seal -> declare -> change -> open (-> junior) (-> sweep …) -> fill …
when the deck no longer reaches every bank: -> over

Robby Solo on the readers: one under each bank of the row, in its order.
"""

from collections.abc import Iterator, Mapping

from companion.core.errors import Refusal, refusal
from companion.core.events import Event
from companion.core.i18n import N_, Facts, Message
from companion.games import start
from companion.games.robby_solo import choice_phase, raid_phase, view
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.choice_phase import next_banks
from companion.games.robby_solo.corrections import RobbySoloCorrections, bank_at
from companion.games.robby_solo.disputes import DISPUTES
from companion.games.robby_solo.hints import HINTS
from companion.games.robby_solo.raid import as_loot, count_score
from companion.games.robby_solo.state import (
    Junior,
    LootBelieved,
    LootLaid,
    LootShown,
    RobbySoloPlayer,
    RobbySoloStarted,
    RobbySoloState,
)
from companion.games.rulebook import Rulebook
from companion.tracking.game_tracking import BANK, GameTracking, SweepEvents
from companion.tracking.picture import InferredEvent, Picture

NOW = {
    "fill": N_("{who}: lay a loot card at every bank, along the row."),
    "seal": N_("Everyone lays a robbery card face down, {who} last."),
    "declare": N_("{who}: name a bank you will rob, or one you won’t."),
    "open": N_("The robbery cards are turned up."),
    "junior": N_("Robby Junior's card is turned up: say which bank it shows."),
    "over": N_("The game is over."),
    "sweep": N_("Show the loot of the {colour} bank to the reader ({n} of {total})."),
}

DECLARED = {
    True: N_("{who} will rob the {colour} bank. Everyone else: keep your card, or lay another."),
    False: N_(
        "{who} will not rob the {colour} bank. Everyone else: keep your card, or lay another."
    ),
}


# On the readers.


def infer_events(state: RobbySoloState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield a new loot card at the next bank in line."""
    row = tuple(state.banks)
    for place in places_in_line(state):
        for thing in picture.new_cards(place):
            if thing.late and state.verdict is not None:
                continue  # Nobody knows when it was laid.
            laid = LootLaid(row[place - 1], as_loot(thing.name))
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


TRACKING: GameTracking[RobbySoloState] = GameTracking(
    infer_events,
    receiving_places,
    BANK,
    piles=frozenset(range(1, 8)),
    find_forgotten=find_forgotten,
    sweep_events=SweepEvents(
        lambda state, place, card: LootShown(bank_at(state, place), as_loot(card)),
        lambda state, place: LootBelieved(bank_at(state, place)),
    ),
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
    table_fields, open_fields = view.TABLE_FIELDS, view.OPEN_FIELDS
    own_fields = view.OWN_FIELDS
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

    def describe_phase(self, state: RobbySoloState) -> Message:
        if state.phase == "change" and state.declaration is not None:
            said, who = state.declaration, [state.players[state.active - 1].name]
            return Message(DECLARED[said.will], {"who": who, "colour": said.bank})
        return super().describe_phase(state)

    def now_facts(self, state: RobbySoloState) -> Facts:
        return {"colour": state.unswept[0]} if state.unswept else {}

    def awaited_seats(self, state: RobbySoloState) -> tuple[int, ...]:
        match state.phase:
            case "seal":
                return choice_phase.first_to_lay(state) or (state.active,)
            case "change":
                return choice_phase.unanswered_seats(state) or (state.active,)
            case "junior" | "sweep":
                return tuple(range(1, len(state.players) + 1))
        return super().awaited_seats(state)

    def count_fortunes(self, state: RobbySoloState) -> Mapping[str, int]:
        return count_score(state.piles_by_name(), self.box).totals

    def expected_cards(self, state: RobbySoloState) -> dict[int, tuple[str | None, ...]]:
        return {
            place: tuple(str(card) for card in loot)
            for place, loot in enumerate(state.banks.values(), 1)
        }

    def places_at_stake(self, state: RobbySoloState) -> tuple[int, ...]:
        deciding = ("seal", "declare", "change", "open", "junior")
        return tuple(range(1, len(state.banks) + 1)) if state.phase in deciding else ()
