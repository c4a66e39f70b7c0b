"""Wharf Auction: its box, its state, its open auction, its phases."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import msgspec

from companion.core.cards import Box, Count, Number
from companion.core.commitment import fresh_hands
from companion.core.errors import Refusal
from companion.core.events import Event, Passed
from companion.core.i18n import N_
from companion.core.verdict import Score, Verdict, find_winners, step
from companion.games.game import Game
from companion.games.game_state import PlainState
from companion.games.rulebook import (
    Choices,
    Row,
    Rulebook,
    left_of,
    not_at_turn,
    refuse_unoffered,
)
from wharf_auction.rules import RULES

replace = msgspec.structs.replace


class WharfBox(Box, frozen=True):
    """Crates, each worth its number, and coins."""

    game: Literal["wharf_auction"]
    purse: Count
    cards: dict[Number, Count]


class Bidder(msgspec.Struct, frozen=True):
    """A player's name, coins and crates; everything lies open."""

    name: str
    coins: int
    crates: tuple[str, ...] = ()


class WharfState(PlainState, frozen=True):
    """The whole table; `crate` is for sale, `bidders` are still in, `first` began this auction."""

    pile: int
    crate: str = ""
    price: int = 0
    leader: int = 0
    first: int = 1
    bidders: tuple[int, ...] = ()
    sunk: tuple[str, ...] = ()

    def unseen_crates(self) -> tuple[str, ...]:
        """Return the crates that the pile must still hold."""
        seen = Counter((*self.sunk, *(crate for p in self.players for crate in p.crates)))
        return tuple(crate for crate, n in self.box.cards.items() if n > seen[crate])


class CrateLanded(Event, frozen=True):
    """The top crate was laid open on the wharf."""

    card: str
    sentence: ClassVar[str] = N_("A crate worth {card} is landed.")
    with_pieces: ClassVar[bool] = True


class BidRaised(Event, frozen=True):
    """A player bid more than all before."""

    seat: int
    coins: int
    sentence: ClassVar[str] = N_("{who} bids {coins}.")


class Sale(Verdict, frozen=True, tag="sale"):
    """Who bought a crate at which price; without a buyer it sank."""

    crate: str
    buyer: str
    price: int


def crate_choices(state: WharfState, seat: int) -> Choices:
    return [{"card": state.unseen_crates()}] if seat == state.active else ()


def land_crate(state: WharfState, event: CrateLanded) -> WharfState:
    """Begin the auction with the player at turn; everyone is in."""
    everyone = tuple(range(1, len(state.players) + 1))
    return replace(state, phase="auction", crate=event.card, pile=state.pile - 1,
                   first=state.active, bidders=everyone)  # fmt: skip


def bid_choices(state: WharfState, seat: int) -> Choices:
    """Offer the seat at turn every bid above the price that it can pay."""
    more = tuple(range(state.price + 1, state.players[seat - 1].coins + 1))
    return [{"coins": more}] if seat == state.active and more else ()


def raise_bid(state: WharfState, event: BidRaised) -> WharfState:
    return _go_round(replace(state, price=event.coins, leader=event.seat))


def may_drop_out(state: WharfState, seat: int) -> Choices:
    return ({},) if seat == state.active else ()


def refuse_drop_out(state: WharfState, event: Passed) -> Refusal | None:
    return not_at_turn(state, event.seat, "W.bid")


def drop_out(state: WharfState, event: Passed) -> WharfState:
    return _go_round(
        replace(state, bidders=tuple(seat for seat in state.bidders if seat != event.seat))
    )


def _go_round(state: WharfState) -> WharfState:
    """Go on to the next who is in, or sell the crate once nobody else is."""
    if not set(state.bidders) - {state.leader}:
        return _sell_crate(state)
    seat = left_of(state.active, len(state.players))
    while seat not in state.bidders:
        seat = left_of(seat, len(state.players))
    return replace(state, active=seat)


def _sell_crate(state: WharfState) -> WharfState:
    """Sell to the leader, or let the crate sink; after the last one the game is over."""
    verdict = _explain_sale(state)
    players = tuple(
        replace(p, coins=p.coins - state.price, crates=(*p.crates, state.crate))
        if p.name == verdict.buyer else p for p in state.players
    )  # fmt: skip
    state = replace(
        state, phase="crate", players=players, active=left_of(state.first, len(players)),
        hands=fresh_hands(state.hands.round + 1, len(players)), verdict=verdict,
        sunk=state.sunk if verdict.buyer else (*state.sunk, state.crate),
        crate="", price=0, leader=0, bidders=(),
    )  # fmt: skip
    return state if state.pile else replace(state, phase="over", score=count_score(players))


def _explain_sale(state: WharfState) -> Sale:
    if not state.leader:
        text = "All drop out: the crate worth {card} goes into the water."
        return Sale((step("W.unsold", text, card=state.crate),), state.crate, "", 0)
    buyer = state.players[state.leader - 1].name
    text = "{who} bids the most, pays {coins} and takes the crate worth {card}."
    said = step("W.sold", text, who=[buyer], coins=state.price, card=state.crate)
    return Sale((said,), state.crate, buyer, state.price)


def count_score(players: tuple[Bidder, ...]) -> Score:
    """Add up everyone's crates and coins; the most wins."""
    totals = {p.name: p.coins + sum(map(int, p.crates)) for p in players}
    best = find_winners(totals)
    text = "Crates and coins together: {tally}. The winner: {who}."
    return Score((step("W.end", text, tally=totals, who=list(best)),), totals, best)


class WharfAuction(Rulebook[WharfState]):
    """Wharf Auction with one box."""

    box: WharfBox
    rows = (
        Row("crate", CrateLanded, "active", "W.crate", ("auction",),
            N_("Lay the top crate open on the wharf."),
            land_crate, refuse_unoffered(crate_choices, "W.crate"), crate_choices),
        Row("auction", BidRaised, "active", "W.bid", ("auction", "crate", "over"),
            N_("Raise the bid."),
            raise_bid, refuse_unoffered(bid_choices, "W.bid"), bid_choices),
        Row("auction", Passed, "active", "W.bid", ("auction", "crate", "over"),
            N_("Drop out of this auction."), drop_out, refuse_drop_out, may_drop_out),
    )  # fmt: skip
    now: ClassVar[Mapping[str, str]] = {
        "crate": N_("{who}: land the next crate."),
        "auction": N_("The crate is worth {crate}, the bid is {price}. {who}: raise or drop out."),
        "over": N_("The game is over."),
    }
    open_fields, table_fields = (
        {"coins": N_("coins"), "crates": N_("crates")},
        {"pile": N_("pile"), "price": N_("bid"), "sunk": N_("in the water")},
    )
    known_fields = ("leader", "first", "bidders")
    start_rule, end_rule = "W.setup", "W.end"

    def initial_state(self, event: Any) -> WharfState:
        purse, pile = self.box.purse, sum(self.box.cards.values())
        return WharfState.begin(
            self.box, event, "crate", lambda name: Bidder(name, purse), pile=pile
        )

    def count_fortunes(self, state: WharfState) -> Mapping[str, int]:
        return count_score(state.players).totals

    def expected_cards(self, state: WharfState) -> dict[int, tuple[str | None, ...]]:
        return {1: (state.crate,) if state.crate else ()}


GAME = Game(name="wharf_auction", box=WharfBox, rulebook=WharfAuction, rules=RULES)
