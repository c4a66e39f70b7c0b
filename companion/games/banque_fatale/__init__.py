"""Banque Fatale (Stefan Dorra, Blatz 1997): the rule book, put together.

deal … -> lay … -> choose -> refill -> seal -> open -> take … -> sell -> choose …
the last card auctioned -> … -> sell -> over

Banque Fatale on the readers: 1 to 3 the open cards, 4 the auction, 5 the sale.

Before the judge: chips and cash lie behind a screen until the game is over; an auction needs
neither, only the hands that opened and the cards that lie in front of the screens.
"""

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, Facts, Message
from companion.core.table_events import Found
from companion.core.verdict import find_fact
from companion.games.banque_fatale import auction_phase, sale_phase
from companion.games.banque_fatale.rules import HINTS, RULES, BanqueFataleBox
from companion.games.banque_fatale.sale_phase import score_now
from companion.games.banque_fatale.state import (
    BanqueFatalePlayer,
    BanqueFataleStarted,
    BanqueFataleState,
    CardChosen,
    CardSold,
    CardTurned,
)
from companion.games.correction_rules import Corrections
from companion.games.disputes import Dispute, Disputes, Ground, hand_grounds
from companion.games.rulebook import Rulebook
from companion.tracking.game_tracking import GameTracking
from companion.tracking.picture import InferredEvent, Picture

LOT = N_("The card on auction was {card}.")
FIST = N_("{who} held {by_colour}.")
BEGAN = N_("The start player was {who}.")
STOOD = N_("Value of {colour}: {value}.")
HELD = N_("The card {card} lay in front of {who}.")
OWNS = N_("{who} ends with {millions} in cash and {chips}.")


def _dispute_auction(before: BanqueFataleState, after: BanqueFataleState, _shown: bool) -> Dispute:
    assert after.verdict is not None
    names = [player.name for player in before.players]
    starter, fists = names[before.starter - 1], find_fact(after.verdict, "fists")
    case = {
        "players": names,
        "start": starter,
        "bids": {name: dict(fist) for name, fist in fists.items()},
        "values": dict(before.values),
        "card": before.auctioned.split("-"),
        "holdings": {player.name: _split_cards(player) for player in before.players},
    }
    grounds = (
        _lot_ground(before.auctioned),
        *hand_grounds(FIST, "by_colour", fists),
        Ground(Message(BEGAN, {"who": [starter]}), since=lambda state: state.starter),
        *_table_grounds(before),
    )
    return Dispute("auction", case, grounds)


def _split_cards(player: BanqueFatalePlayer) -> list[list[str]]:
    """Return the cards of a player as a case spells them."""
    return [card.split("-") for card in player.cards]


def _lot_ground(card: str) -> Ground:
    """Return the card on auction: when it was turned up, and when it was chosen."""

    def watch(state: BanqueFataleState) -> str | None:
        if card == state.auctioned:
            return "chosen"
        return "turned" if card in state.open_cards else None

    return Ground(Message(LOT, {"card": card}), since=watch, every=True)


def _table_grounds(state: BanqueFataleState, after: bool = False) -> list[Ground]:
    """Return the values of the colours, and the cards in front of the screens."""
    return [
        *(_value_ground(colour, value, after) for colour, value in state.values.items()),
        *(
            _card_ground(seat, player.name, card, after)
            for seat, player in enumerate(state.players, 1)
            for card in player.cards
        ),
    ]


def _value_ground(colour: str, value: int, after: bool) -> Ground:
    said = Message(STOOD, {"colour": colour, "value": value})
    return Ground(said, since=lambda state: state.values[colour], after=after)


def _card_ground(seat: int, name: str, card: str, after: bool) -> Ground:
    said = Message(HELD, {"card": card, "who": [name]})
    return Ground(said, since=lambda state: card in state.players[seat - 1].cards, after=after)


def _dispute_score(after: BanqueFataleState) -> Dispute:
    funds = {
        one.name: {"cash": one.cash, "chips": one.count_chips(), "cards": _split_cards(one)}
        for one in after.players
    }
    owned = (_total_ground(seat, player) for seat, player in enumerate(after.players, 1))
    case = {"values": dict(after.values), "funds": funds}
    return Dispute("score", case, (*owned, *_table_grounds(after, after=True)))


def _total_ground(seat: int, player: BanqueFatalePlayer) -> Ground:
    facts = {"who": [player.name], "millions": player.cash, "chips": player.count_chips()}

    def behind_the_screen(state: BanqueFataleState) -> tuple[int, int]:
        mine = state.players[seat - 1]
        return mine.cash, mine.count_chips()

    return Ground(Message(OWNS, facts), since=behind_the_screen, after=True)


DISPUTES = Disputes(_dispute_auction, _dispute_score, RULES.deciding)


NOW = {
    "deal": N_("Deal everyone a card of a single colour."),
    "lay": N_("{who} turns cards face up beside the board."),
    "choose": N_("{who} chooses the card to auction."),
    "refill": N_("{who} turns a new card face up beside the board."),
    "seal": N_("Auction of the card {card}! Everyone bids in secret."),
    "open": N_("Auction of the card {card}: everyone reveals their bid."),
    "take": N_("{who} takes a chip from the middle."),
    "sell": N_("{who} may sell a card."),
    "over": N_("The game is over."),
}


AUCTION, SALE = 4, 5
"""The places of the card that is auctioned and of the one that is sold."""


def count_bank(state: BanqueFataleState) -> int:
    """Return the bank's millions, less than 0 once it owes."""
    return state.box.count_money() - state.paid


# What the table puts right.


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


class BanqueFataleCorrections(Corrections[BanqueFataleState]):
    """Corrections at a table of Banque Fatale."""

    counted: ClassVar = {"cash": "millions", "chips": "chips", "cards": "count"}
    score = staticmethod(score_now)

    def refuse_found(self, state: BanqueFataleState, event: Found) -> Refusal | None:
        """Refuse all but exactly one card, which no player owns, where a card lies open."""
        if not expected_cards(state).get(event.place):
            text = "No card of this game lies at place {place}."
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

    def apply_found(self, state: BanqueFataleState, event: Found) -> BanqueFataleState:
        """Note the card here; if it was noted elsewhere, exchange the two."""
        card, was = str(event.cards[0]), str(expected_cards(state)[event.place][0])

        def swap_names(noted: str) -> str:
            return {card: was, was: card}.get(noted, noted)

        auctioned = swap_names(state.auctioned) if is_at_auction(state) else state.auctioned
        open_cards = tuple(map(swap_names, state.open_cards))
        return replace(state, open_cards=open_cards, auctioned=auctioned)


# On the readers.

MOVED_TO = {"choose": AUCTION, "sell": SALE}
"""By phase the place to which a card is moved from elsewhere."""


def infer_events(state: BanqueFataleState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield the events that the cards beside the board imply."""
    for place in receiving_places(state) - {AUCTION, SALE}:
        for thing in picture.new_cards(place):
            if state.phase == "lay" or not thing.late:
                yield InferredEvent(CardTurned(thing.name), place, thing.tag)
    place = MOVED_TO.get(state.phase, 0)
    kind = CardChosen if place == AUCTION else CardSold
    for thing in picture.cards_from_elsewhere(place):
        yield InferredEvent(kind(state.active, thing.name), place, thing.tag)


def receiving_places(state: BanqueFataleState) -> frozenset[int]:
    """Return the one place to which the next card is turned up, or moved."""
    if state.phase == "lay":
        return frozenset({len(state.open_cards) + 1})
    if state.phase == "refill":
        return frozenset({state.open_cards.index("") + 1})
    return frozenset({MOVED_TO[state.phase]} if state.phase in MOVED_TO else ())


def name_place(_public: object, place: int) -> Message:
    """Return the name of a place."""
    if place in (AUCTION, SALE):
        return Message(N_("Auction") if place == AUCTION else N_("The sale"))
    return Message(N_("Open card {n}"), {"n": place})


TRACKING = GameTracking(infer_events, receiving_places, name_place, lifting_phases=("choose",))


# The rule book.


class BanqueFatale(Rulebook[BanqueFataleState]):
    """Banque Fatale with one box."""

    box: BanqueFataleBox
    start_event = BanqueFataleStarted
    rows = (*auction_phase.DEAL_ROWS, *auction_phase.ROWS, *sale_phase.ROWS)
    corrections = BanqueFataleCorrections()
    disputes = DISPUTES
    tracking = TRACKING
    hints = HINTS
    now = NOW
    open_fields, own_fields = ("cards",), ("chips", "cash")
    table_fields = (
        "starter", "values", "course", "open_cards", "auctioned", "pile", ("bank", count_bank),
        "middle", "sold", "sale",
    )  # fmt: skip
    score_unit = "millions"
    verdict_name = N_("The auction of {card} in round {round}")
    cards_come_again = True
    start_rule = "F.setup"
    end_rule = "F.end"

    def initial_state(self, event: BanqueFataleStarted) -> BanqueFataleState:
        box = self.box
        return BanqueFataleState.begin(
            box,
            event,
            "deal",
            partial(BanqueFatalePlayer, chips=dict.fromkeys(box.colours, box.chips_each)),
            starter=event.first,
            values=dict.fromkeys(box.colours, box.track.start),
            pile=len(box.cards) - event.players,
        )

    def now_facts(self, state: BanqueFataleState) -> Facts:
        return {"card": state.auctioned}

    def expected_cards(self, state: BanqueFataleState) -> dict[int, tuple[str | None, ...]]:
        return expected_cards(state)

    def places_at_stake(self, state: BanqueFataleState) -> tuple[int, ...]:
        return (AUCTION,) if state.phase in ("seal", "open") else ()
