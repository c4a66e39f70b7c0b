"""Goofspiel: its box, its state, its bidding, its phases."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal

import msgspec

from companion.core.cards import Box, Count, Number
from companion.core.commitment import OneChoice, fresh_hands
from companion.core.events import Event
from companion.core.i18n import N_
from companion.core.verdict import Score, Verdict, find_winners, step
from companion.games.commit_reveal import mark_unproven, sealed_round
from companion.games.game import Game
from companion.games.game_state import GameState
from companion.games.rulebook import Choices, Row, Rulebook, left_of, refuse_unoffered
from goofspiel.rules import RULES

replace = msgspec.structs.replace


class GoofspielBox(Box, frozen=True):
    """The prizes; everyone bids with the same cards."""

    game: Literal["goofspiel"]
    cards: dict[Number, Count]


class Bidder(msgspec.Struct, frozen=True):
    """A player: the cards that can still be bid, and the prizes won. Everyone may count both."""

    name: str
    suit: tuple[str, ...]
    prizes: tuple[str, ...] = ()


class GoofspielState(GameState, frozen=True):
    """The whole table; `prize` is the card that is bid for, or "" between two."""

    players: tuple[Bidder, ...]
    unseen: tuple[str, ...]
    prize: str = ""
    gone: tuple[str, ...] = ()


class PrizeTurned(Event, frozen=True):
    """The top card of the pile was turned up."""

    card: str
    sentence: ClassVar[str] = N_("Prize {card} is turned up.")
    with_pieces: ClassVar[bool] = True


class Bidding(Verdict, frozen=True, tag="bidding"):
    """How the bidding for one prize ended; without a winner it is gone."""

    prize: str
    winner: str


def resolve_bidding(prize: str, bids: Mapping[str, str]) -> Bidding:
    """Give the prize to the highest card, unless two are equal."""
    steps = [step("G.bid", "The cards are turned up: {tally}.", tally=bids)]
    highest = max(bids.values(), key=int)
    who = [name for name, card in bids.items() if card == highest]
    if len(who) > 1:
        text = "{who} bid the same: prize {card} is lost."
        return Bidding((*steps, step("G.tie", text, who=who, card=prize)), prize, "")
    text = "{who} bids the most and wins prize {card}."
    return Bidding((*steps, step("G.win", text, who=who, card=prize)), prize, who[0])


def prize_choices(state: GoofspielState, seat: int) -> Choices:
    return [{"card": state.unseen}] if seat == state.active else ()


def turn_prize(state: GoofspielState, event: PrizeTurned) -> GoofspielState:
    unseen = tuple(card for card in state.unseen if card != event.card)
    return replace(state, phase="seal", prize=event.card, unseen=unseen)


def choose_card(state: GoofspielState, seat: int) -> OneChoice:
    return OneChoice(state.players[seat - 1].suit)


def award_prize(state: GoofspielState) -> GoofspielState:
    """Resolve the bidding; after the last prize the game is over."""
    bids: Any = {p.name: bid for p, bid in zip(state.players, state.hands.values, strict=True)}
    verdict = mark_unproven(state, resolve_bidding(state.prize, bids))
    players = tuple(
        replace(
            player,
            suit=tuple(card for card in player.suit if card != bids[player.name]),
            prizes=player.prizes + (verdict.prize,) * (player.name == verdict.winner),
        )
        for player in state.players
    )
    state = replace(
        state,
        phase="prize",
        players=players,
        active=left_of(state.active, len(players)),
        hands=fresh_hands(state.hands.round + 1, len(players)),
        prize="",
        gone=state.gone if verdict.winner else (*state.gone, state.prize),
        verdict=verdict,
    )
    return state if state.unseen else replace(state, phase="over", score=count_score(players))


def count_score(players: tuple[Bidder, ...]) -> Score:
    totals = {player.name: sum(map(int, player.prizes)) for player in players}
    best = find_winners(totals)
    said = step("G.end", "The prizes: {tally}. The winner: {who}.", tally=totals, who=list(best))
    return Score((said,), totals, best)


class Goofspiel(Rulebook[GoofspielState]):
    """Goofspiel with one deck."""

    box: GoofspielBox
    rows = (
        Row("prize", PrizeTurned, "active", "G.prize", ("seal",), N_("Turn up the top prize."),
            turn_prize, refuse_unoffered(prize_choices, "G.prize"), prize_choices),
        *sealed_round("G.bid", choose_card, award_prize, ("prize", "over"), N_("Choose a card.")),
    )  # fmt: skip
    now: ClassVar[Mapping[str, str]] = {
        "prize": N_("{who}: turn up the next prize."),
        "seal": N_("The prize is {prize}: everyone chooses a card."),
        "open": N_("The prize is {prize}: the cards are turned up."),
        "over": N_("The game is over."),
    }
    open_fields, table_fields = ("suit", "prizes"), ("gone",)
    start_rule, end_rule = "G.setup", "G.end"

    def initial_state(self, event: Any) -> GoofspielState:
        suit = tuple(self.box.cards)
        make = partial(Bidder, suit=suit)
        return GoofspielState.begin(self.box, event, "prize", make, unseen=suit)

    def count_fortunes(self, state: GoofspielState) -> Mapping[str, int]:
        return count_score(state.players).totals

    def expected_cards(self, state: GoofspielState) -> dict[int, tuple[str | None, ...]]:
        return {1: (state.prize,) if state.prize else ()}


WORDS = {"suit": N_("in hand"), "prizes": N_("prizes won"), "gone": N_("prizes lost")}
GAME = Game(name="goofspiel", box=GoofspielBox, rulebook=Goofspiel, rules=RULES, words=WORDS)
