"""What a verdict brings to each player, in words."""

from collections.abc import Mapping
from typing import Any

from companion.core.i18n import N_, Message
from companion.core.verdict import Score, Verdict
from companion.games.disputes import DisputeRules

GETS, LOSES = N_("{who} gets {use}"), N_("{who} loses {use}")
NOTHING = N_("{who} gets nothing")

Gains = dict[str, dict[str, int]]


def gains_of(verdict: Verdict, rules: DisputeRules[Any]) -> Gains:
    """Return everyone's gains by name; none of a score, of which only the winner counts."""
    return {} if isinstance(verdict, Score) else rules.count_gains(verdict)


def say_gain(name: str, gains: Mapping[str, int]) -> tuple[Message, ...]:
    """Say what a player gets or loses."""
    some = {what: n for what, n in gains.items() if n}
    if not some:
        return (Message(NOTHING, {"who": [name]}),)
    return tuple(
        Message(GETS if n > 0 else LOSES, {"who": [name], "use": say_amount(what, abs(n))})
        for what, n in some.items()
    )


def say_amount(what: str, n: int | str) -> Message:
    """Return an amount of something in words, or a word of a game as a card of that name."""
    return Message(f"{{{what}}}", {what: n})
