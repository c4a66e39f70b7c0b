"""The picture of a verdict for a game that draws none of its own: a row for each player.

Laws: it is drawn from the facts of the steps alone. What a step says of each player by name stands
in their rows; cards and a number that it says of one player lie in that row, and cards that it says
of none or of several lie above. A row is framed with the steps that name its player, golden with
the last one if that names no other.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from companion.core.i18n import Facts, Message
from companion.core.verdict import Verdict, VerdictStep
from companion.games.picture import (
    CARD_SHAPE,
    WIDTH,
    AnyMark,
    Card,
    Chair,
    RoundFrame,
    Text,
    VerdictPicture,
)

ROW, HEAD = 60.0, 84.0
"""The heights of a player's row, and of the cards above all rows."""
NAME_X, VALUE_X, CARD_X = 44.0, 318.0, 346.0
CARD_HEIGHT, GAP = 50.0, 6.0
MOST_CARDS = 5

T = TypeVar("T")
Numbered = Sequence[tuple[int, VerdictStep]]


def picture_any_verdict(verdict: Verdict, players: Sequence[str]) -> VerdictPicture | None:
    """Return the picture of a verdict; None if its steps name no player."""
    steps = list(enumerate(verdict.steps, 1))
    players = players or list(dict.fromkeys(name for _, step in steps for name in _named(step)))
    if not any(name in players for _, step in steps for name in _named(step)):
        return None
    above = list(_cards_above(steps))
    top = HEAD if above else 0.0
    marks: list[AnyMark] = [*_draw_cards(above, WIDTH / 2 - _width(above) / 2, 4.0, HEAD - 16)]
    for n, name in enumerate(players):
        marks += _row(top + ROW * n, n + 1, name, steps)
    return VerdictPicture(top + ROW * len(players), tuple(marks))


def _named(step: VerdictStep) -> list[str]:
    """Return the players whom a step names: in its list of them, or each with a value."""
    who = step.facts.get("who", ())
    listed = [who] if isinstance(who, str) else [str(name) for name in who]
    return [*listed, *(name for values in _values_by_player(step.facts) for name in values)]


def _values_by_player(facts: Facts) -> Iterator[Mapping[str, str | int]]:
    """Yield what the facts say of each player by name."""
    for value in facts.values():
        if isinstance(value, Mapping) and all(isinstance(one, str | int) for one in value.values()):
            yield value


def _listed(step: VerdictStep) -> list[str]:
    who = step.facts.get("who", ())
    return [who] if isinstance(who, str) else [str(name) for name in who]


def _cards(step: VerdictStep) -> list[str]:
    found = step.facts.get("cards", ())
    faces = [step.facts.get("card"), *(found if isinstance(found, list | tuple) else ())]
    return [str(face) for face in faces if isinstance(face, str | int)][:MOST_CARDS]


def _cards_above(steps: Numbered) -> Iterator[tuple[int, str]]:
    """Yield the cards that belong to no one player, each with its step."""
    for at, step in steps:
        if len(_listed(step)) != 1:
            yield from ((at, face) for face in _cards(step))


def _width(cards: Sequence[object]) -> float:
    return len(cards) * ((HEAD - 16) * CARD_SHAPE + GAP)


def _draw_cards(
    cards: Sequence[tuple[int, str]], x: float, y: float, height: float
) -> Iterator[Card]:
    for n, (at, face) in enumerate(cards):
        beside = n * (height * CARD_SHAPE + GAP)
        yield Card(x=x + beside, y=y, height=height, face=face, at=at, comes="turn")


def _row(y: float, seat: int, name: str, steps: Numbered) -> list[AnyMark]:
    """Draw one player: seat, name, what the steps say of them, and what they got."""
    line = y + 39
    marks: list[AnyMark] = list(_frames(y, name, steps))
    marks += [
        Chair(x=22, y=y + 30, size=32, seat=seat),
        Text(x=NAME_X, y=line, say=name, wide=190),
    ]
    told = [
        (at, str(values[name]))
        for at, step in steps
        for values in _values_by_player(step.facts)
        if name in values
    ]
    for (at, value), until in _until_next(told):
        marks.append(
            Text(x=VALUE_X, y=line, say=value, at=at, until=until, anchor="end", wide=90,
                 bold=True, comes="rise")
        )  # fmt: skip
    alone = [(at, step) for at, step in steps if _listed(step) == [name]]
    cards = [(at, face) for at, step in alone for face in _cards(step)][-MOST_CARDS:]
    marks += _draw_cards(cards, CARD_X, y + 5, CARD_HEIGHT)
    beside = CARD_X + len(cards) * (CARD_HEIGHT * CARD_SHAPE + GAP) + 8
    for (at, said), until in _until_next(
        [(at, said) for at, step in alone if (said := _amount(step)) is not None]
    ):
        marks.append(
            Text(x=beside, y=line, say=said, at=at, until=until, wide=WIDTH - beside, comes="rise")
        )
    return marks


def _amount(step: VerdictStep) -> Message | None:
    """Return the first number of a step in words."""
    numbers = (key for key, value in step.facts.items() if type(value) is int)
    key = next(numbers, None)
    return None if key is None else Message(f"{{{key}}}", {key: step.facts[key]})


def _frames(y: float, name: str, steps: Numbered) -> Iterator[RoundFrame]:
    """Yield a frame for each step that names this player among others or alone."""
    named = [(at, _listed(step)) for at, step in steps if name in _listed(step)]
    for (at, who), until in _until_next(named):
        is_last = at == len(steps) and len(who) == 1
        yield RoundFrame(
            x=0, y=y + 2, width=WIDTH, height=ROW - 4, at=at, until=until,
            tone="gold" if is_last else "soft",
        )  # fmt: skip


def _until_next(told: Sequence[tuple[int, T]]) -> Iterator[tuple[tuple[int, T], int]]:
    """Yield each with the step at which the next one takes its place, 0 for the last."""
    for one, after in pairwise([*told, None]):
        assert one is not None
        yield one, 0 if after is None else after[0]
