"""The example game Lantern Night, registered with the laws that every game is tested by.

Law: once the shelf is left, every list is as it was, so that no other test sees a fourth box.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar

import msgspec

from companion.core.events import Value
from tests.laws import test_two_worlds, test_whole_games
from tests.worlds import (
    conservation,
    rulebook_players,
    standing_tables,
    two_worlds,
    verdict_recount,
)
from tests.worlds.installed_games import installed
from tests.worlds.rulebook_players import Evening, shuffled

replace = msgspec.structs.replace
GAME = "lantern_night"
SETUPS: list[tuple[str, int, dict[str, Any]]] = [
    (GAME, 2, {}),
    (GAME, 3, {"house_rules": {"coins_at_end": "a_tenth"}}),
    (GAME, 4, {"first": 3}),
]


class Lanterns:
    """The pieces of Lantern Night."""

    empty: ClassVar[Value] = 0

    def __init__(self, evening: Evening, _seats: int) -> None:
        self.e = evening
        self.pile = shuffled(list(evening.rules.box.tagged_pieces()), evening.choose)
        self.lit = ""

    def lay_out(self) -> None:
        """There is only the pile."""

    def look(self) -> None:
        """Nothing is told but what is done."""

    def fill(self, _seat: int, do: str, fields: dict[str, Any]) -> None:
        assert do == "lantern_lit"
        self.lit = fields["card"] = self.pile.pop()

    def lying(self) -> dict[int, list[str]]:
        return {1: [self.lit] if self.e.state.phase in ("seal", "open") else []}

    def fist(self, seat: int) -> int:
        return self.e.choose.number(0, min(4, self.e.state.players[seat - 1].coins))


def holds(state: Any) -> None:
    """Every lantern is in one place only, and nobody owes a coin."""
    seen = Counter([*state.out, *filter(None, [state.lit])])
    for player in state.players:
        seen.update(player.lanterns)
        assert player.coins >= 0
    assert all(n <= state.box.cards[card] for card, n in seen.items())
    assert state.pile + seen.total() == 10


def moves(before: Any, after: Any) -> None:
    """Only a new verdict moves a lantern and coins, and only as it says."""
    verdict = conservation.new(before, after)
    for was, now in zip(before.players, after.players, strict=True):
        won = verdict is not None and verdict.winner == now.name
        assert now.coins == was.coins - (verdict.price if won else 0)
        assert now.lanterns == was.lanterns + ((before.lit,) if won else ())


def contest(verdict: Any) -> None:
    """The bids in the first step lead to the same winner and price."""
    bids: dict[str, int] = next(s.facts["tally"] for s in verdict.steps if "tally" in s.facts)
    alone = [name for name, bid in bids.items() if [*bids.values()].count(bid) == 1]
    winner = max(alone, key=bids.__getitem__, default="")
    assert (verdict.winner, verdict.price) == (winner, bids.get(winner, 0))


def score(verdict: Any) -> None:
    """The lanterns and the coins in the steps add up to the totals."""
    counted = [step.facts for step in verdict.steps if "cards" in step.facts]
    tenth = verdict.steps[0].house_rule.value == "a_tenth"
    totals = {
        facts["who"][0]: sum(map(int, facts["cards"])) + (facts["coins"] // 10 if tenth else 0)
        for facts in counted
    }
    best = max(totals.values())
    assert verdict.totals == totals
    assert verdict.winners == tuple(name for name, total in totals.items() if total == best)


def other_world(state: Any, viewer: int, _random: Random) -> Any:
    """Other coins behind the screens, other hands."""
    if state.phase != "over":
        players = tuple(
            p if n == viewer else replace(p, coins=p.coins + n)
            for n, p in enumerate(state.players, 1)
        )
        state = replace(state, players=players)
    return two_worlds.other_hands(state, viewer, lambda _, bid: bid + 1)


OWN: list[tuple[dict[str, Any], Any]] = [
    (rulebook_players.PIECES, Lanterns),
    (conservation.HOLDS, holds),
    (conservation.MOVES, moves),
    (two_worlds.OTHER_WORLD, other_world),
    (test_two_worlds.WORDS, ("1", "7", "10")),
    (test_two_worlds.NOTHING_HIDDEN, set()),
    (test_whole_games.LAST_ROUND, lambda state: not state.pile),
    (standing_tables.SEATS, 3),
]
"""What the tests of the laws ask of every game."""


@contextmanager
def on_the_shelf() -> Iterator[None]:
    """For a while there are four boxes."""
    lists: list[Any] = [
        rulebook_players.SETUPS, verdict_recount.RECOUNT, *(known for known, _ in OWN)
    ]  # fmt: skip
    kept = [(each, each.copy()) for each in lists]
    rulebook_players.SETUPS += SETUPS
    verdict_recount.RECOUNT.update({"Contest": contest, "Score": score})
    for known, own in OWN:
        known[GAME] = own
    try:
        with installed("lantern-night", {GAME: "lantern_night.game:GAME"}):
            yield
    finally:
        for each, was in kept:
            each.clear()
            (each.extend if isinstance(each, list) else each.update)(was)
