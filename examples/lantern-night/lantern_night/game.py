"""Lantern Night: its box, its state, its contest, its phases."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import msgspec

from companion.core.cards import Box, Count, Number
from companion.core.commitment import fresh_hands
from companion.core.events import Event
from companion.core.hand_choice import NumberChoice
from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Score, Verdict, VerdictStep, find_winners, step
from companion.games.commit_reveal import mark_unproven, sealed_round
from companion.games.game import Game
from companion.games.game_state import PlainState
from companion.games.rulebook import Choices, Row, Rulebook, left_of, refuse_unoffered
from lantern_night.rules import RULES

replace = msgspec.structs.replace


class LanternBox(Box, frozen=True):
    """Ten lanterns, each worth its number, and coins."""

    answers: ClassVar[Mapping[str, tuple[str, ...]]] = {"coins_at_end": ("nothing", "a_tenth")}
    game: Literal["lantern_night"]
    purse: Count
    cards: dict[Number, Count]


class Bidder(msgspec.Struct, frozen=True):
    """A player's name, coins behind the screen, lanterns in front of it."""

    name: str
    coins: int
    lanterns: tuple[str, ...] = ()


class LanternState(PlainState, frozen=True):
    """The whole table; `lit` is the lantern that is bid for, or "" between two."""

    pile: int
    lit: str = ""
    out: tuple[str, ...] = ()

    def unseen_lanterns(self) -> tuple[str, ...]:
        """Return the lanterns that the pile must still hold."""
        seen = Counter((*self.out, self.lit, *(one for p in self.players for one in p.lanterns)))
        return tuple(name for name, n in self.box.cards.items() if n > seen[name])


class LanternLit(Event, frozen=True):
    """The top card of the pile was laid open at the place."""

    card: str
    sentence: ClassVar[str] = N_("Lantern {card} is lit.")
    with_pieces: ClassVar[bool] = True


class Contest(Verdict, frozen=True, tag="contest"):
    """How the bidding for one lantern ended; without a winner it went out."""

    card: str
    winner: str
    price: int


def resolve_contest(card: str, bids: Mapping[str, int]) -> Contest:
    """Give the lantern to the highest bid made by one player alone."""
    steps, many = [step("L.bid", "The bids: {tally}.", tally=bids)], Counter(bids.values())
    for bid in sorted((bid for bid, n in many.items() if n > 1), reverse=True):
        who = [name for name, made in bids.items() if made == bid]
        text = "{who} bid the same, {bid}: it does not count."
        steps.append(step("L.alone", text, who=who, bid=bid))
    alone = [name for name, bid in bids.items() if many[bid] == 1]
    if not alone:
        text = "No bid was made only once: lantern {card} goes out."
        return Contest((*steps, step("L.out", text, card=card)), card, "", 0)
    winner = max(alone, key=lambda name: bids[name])
    text = "{who} made the highest bid that is left, takes lantern {card} and pays {coins}."
    steps.append(step("L.alone", text, who=[winner], card=card, coins=bids[winner]))
    return Contest(tuple(steps), card, winner, bids[winner])


def count_score(players: tuple[Bidder, ...], coins_at_end: str) -> Score:
    """Count everyone's lanterns, and coins where the house rule says so; the most wins."""
    steps, totals, rule = list[VerdictStep](), dict[str, int](), "coins_at_end"
    for player in players:
        light = sum(map(int, player.lanterns))
        extra = player.coins // 10 if coins_at_end == "a_tenth" else 0
        totals[player.name] = light + extra
        facts = {"light": light, "cards": player.lanterns, "coins": player.coins, "extra": extra}
        text = "{who} has lit {cards}: {light}. {coins} add {extra}."
        house = HouseRule(rule, coins_at_end)
        steps.append(VerdictStep("L.end", text, {"who": [player.name], **facts}, house))
    best = find_winners(totals)
    text = "{who} wins with {total}."
    steps.append(step("L.end", text, who=list(best), total=totals[best[0]]))
    return Score(tuple(steps), totals, best)


def light_lantern(state: LanternState, event: LanternLit) -> LanternState:
    return replace(state, phase="seal", lit=event.card, pile=state.pile - 1)


def lantern_choices(state: LanternState, seat: int) -> Choices:
    return [{"card": state.unseen_lanterns()}] if seat == state.active else ()


def choose_bid(state: LanternState, seat: int) -> NumberChoice:
    return NumberChoice(state.players[seat - 1].coins)


def pay_contest(state: LanternState) -> LanternState:
    """Resolve the contest: the lantern is won, or goes out; the last one ends the game."""
    bids: Any = dict(zip([p.name for p in state.players], state.hands.values, strict=True))
    verdict = mark_unproven(state, resolve_contest(state.lit, bids))
    players = tuple(
        replace(p, coins=p.coins - verdict.price, lanterns=(*p.lanterns, verdict.card))
        if p.name == verdict.winner else p for p in state.players
    )  # fmt: skip
    state = replace(
        state, phase="light", players=players, lit="", verdict=verdict,
        active=left_of(state.active, len(players)),
        hands=fresh_hands(state.hands.round + 1, len(players)),
        out=state.out if verdict.winner else (*state.out, state.lit),
    )  # fmt: skip
    score = count_score(players, state.house_rules["coins_at_end"])
    return state if state.pile else replace(state, phase="over", score=score)


class LanternNight(Rulebook[LanternState]):
    """Lantern Night with one box."""

    box: LanternBox
    rows = (
        Row("light", LanternLit, "active", "L.light", ("seal",),
            N_("Lay the top card of the pile open in the middle."),
            light_lantern, refuse_unoffered(lantern_choices, "L.light"), lantern_choices),
        *sealed_round("L.bid", choose_bid, pay_contest, ("light", "over"),
                      N_("Choose how many coins you bid, or none.")),
    )  # fmt: skip
    now: ClassVar[Mapping[str, str]] = {
        "light": N_("{who}: light the next lantern."),
        "seal": N_("Lantern {lit} is lit: everyone bids in secret."),
        "open": N_("Lantern {lit} is lit: the bids are revealed."),
        "over": N_("The game is over."),
    }
    open_fields, table_fields = {"lanterns": N_("lanterns")}, {"pile": N_("pile"), "out": N_("out")}
    start_rule, end_rule = "L.setup", "L.end"

    def initial_state(self, event: Any) -> LanternState:
        box, pile = self.box, sum(self.box.cards.values())
        return LanternState.begin(box, event, "light", lambda n: Bidder(n, box.purse), pile=pile)

    def count_fortunes(self, state: LanternState) -> Mapping[str, int]:
        return count_score(state.players, state.house_rules["coins_at_end"]).totals

    def expected_cards(self, state: LanternState) -> dict[int, tuple[str | None, ...]]:
        return {1: (state.lit,) if state.lit else ()}


GAME = Game(name="lantern_night", box=LanternBox, rulebook=LanternNight, rules=RULES)
