"""A round of Lantern Night: a lantern is lit, the hands close and open, the next one follows."""

import msgspec

from companion.core.commitment import fresh_hands
from companion.core.errors import Refusal, refusal
from companion.core.events import Value
from companion.core.i18n import N_
from companion.games.commit_reveal import (
    HandRules,
    closing_row,
    mark_unproven,
    opening_rows,
    reseal_row,
)
from companion.games.rulebook import Choices, Row, left_of
from examples.lantern_night.contest import Contest, count_score, resolve_contest
from examples.lantern_night.state import LanternLit, LanternNightPlayer, LanternNightState

replace = msgspec.structs.replace


def refuse_lantern(state: LanternNightState, event: LanternLit) -> Refusal | None:
    """Refuse a lantern that is not in the pile any more."""
    if event.card in state.unseen_lanterns():
        return None
    return refusal("no_such_card", "L.light", "The pile holds no card {card}.", card=event.card)


def light_lantern(state: LanternNightState, event: LanternLit) -> LanternNightState:
    """Set the lantern in the middle; then everyone bids."""
    return replace(state, phase="seal", lit=event.card, pile=state.pile - 1)


def lantern_choices(state: LanternNightState, seat: int) -> Choices:
    """Offer the seat at turn the lanterns that may have come up."""
    return [{"card": state.unseen_lanterns()}] if seat == state.active else ()


def refuse_value(_state: LanternNightState, value: Value) -> Refusal | None:
    """Refuse what is not a whole number of coins."""
    if type(value) is int and value >= 0:
        return None
    return refusal("not_coins", "L.bid", "A bid is a whole number of coins, 0 or more.")


def refuse_unowned(state: LanternNightState, seat: int, bid: int) -> Refusal | None:
    """Refuse more coins than the player has."""
    if bid <= state.players[seat - 1].coins:
        return None
    return refusal("too_much", "L.bid", "Seat {seat} does not own that much.", seat=seat)


def limit_to_owned(state: LanternNightState, seat: int, bid: int) -> int:
    """Return the bid as far as its player owns it."""
    return min(bid, state.players[seat - 1].coins)


def open_hands(state: LanternNightState) -> LanternNightState:
    return replace(state, phase="open")


def pay_contest(state: LanternNightState) -> LanternNightState:
    """Resolve the contest: the lantern is won, or goes out."""
    names = [player.name for player in state.players]
    bids: dict[str, int] = dict(zip(names, state.hands.values, strict=True))  # type: ignore[arg-type]
    verdict = mark_unproven(state, resolve_contest(state.lit, bids))
    state = replace(
        state,
        phase="light",
        players=tuple(_pay_player(player, verdict) for player in state.players),
        active=left_of(state.active, len(names)),
        hands=fresh_hands(state.hands.round + 1, len(names)),
        lit="",
        out=state.out if verdict.winner else (*state.out, state.lit),
        verdict=verdict,
    )
    return state if state.pile else _end_game(state)


def _pay_player(player: LanternNightPlayer, verdict: Contest) -> LanternNightPlayer:
    if player.name != verdict.winner:
        return player
    return LanternNightPlayer(
        player.name, player.coins - verdict.price, (*player.lanterns, verdict.card)
    )


def _end_game(state: LanternNightState) -> LanternNightState:
    fortunes = {player.name: (player.coins, player.lanterns) for player in state.players}
    return replace(
        state, phase="over", score=count_score(fortunes, state.house_rules["coins_at_end"])
    )


LIGHT = N_("Lay the top card of the pile open in the middle.")
CLOSE = N_("Take coins into your hand, or none, and close it.")
OPEN = N_("Open your hand.")
COINS = HandRules(refuse_value, refuse_unowned, limit_to_owned)

ROWS = (
    Row(
        "light", LanternLit, "active", "L.light", ("seal",),
        LIGHT, light_lantern, refuse_lantern, lantern_choices,
    ),
    closing_row("L.bid", ("seal", "open"), CLOSE, open_hands),
    reseal_row("seal"),
    *opening_rows("L.bid", ("open", "light", "over"), OPEN, COINS, pay_contest),
    reseal_row("open"),
)  # fmt: skip
