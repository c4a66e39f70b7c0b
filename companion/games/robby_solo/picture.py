"""The picture of a round: a column for each bank, who came there, and where its loot went.

Law: everything drawn comes from the steps of the verdict; without a table its players are numbered
in the order in which the case names them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.core.i18n import N_, Message
from companion.core.verdict import Verdict, VerdictStep
from companion.games.picture import (
    SMALL,
    WIDTH,
    AnyMark,
    Chair,
    RoundFrame,
    RoundPiece,
    Text,
    Tone,
    VerdictPicture,
)
from companion.games.robby_solo.raid import Card, Round

HEAD_Y, CREW_Y, LOOT_Y = 24.0, 58.0, 154.0
LOOT_ROW, LINE = 28.0, 32.0
MOST_SHOWN = 4
MANY_LINES = 5
"""So many lines stand in two columns: who came on the left, the police on the right."""

Numbered = list[tuple[int, VerdictStep]]


class Fate(NamedTuple):
    """What became of some players, with the step that says so."""

    at: int
    names: Sequence[str]
    say: Message
    tone: Tone
    is_raid: bool = False


def picture_round(verdict: Verdict, players: Sequence[str]) -> VerdictPicture:
    """Return the picture of a round: who was alone, who met, what the police took."""
    steps: Numbered = list(enumerate(verdict.steps, 1))
    if not players and isinstance(verdict, Round):
        players = list(verdict.taken)
    banks = _list_banks(steps)
    wide = WIDTH / max(len(banks), 4)
    marks: list[AnyMark] = []
    for n, bank in enumerate(banks):
        marks += _column(bank, wide * (n + 0.5), wide, steps, players)
    lines = list(_lines(steps))
    most = max((len(step.facts["cards"]) for _, step in steps if "cards" in step.facts), default=0)
    under = LOOT_Y + LOOT_ROW * min(most, MOST_SHOWN) + 24
    columns = [lines]
    if len(lines) >= MANY_LINES:
        visits = sum(not line.is_raid for line in lines)
        columns = [lines[:visits], lines[visits:]]
    rows, each = max(map(len, columns)), WIDTH / len(columns)
    for column, found in enumerate(columns):
        for row, line in enumerate(found):
            y = under + 24 + LINE * row
            marks += _draw_line(line, column * each, y, each - 8, players)
    return VerdictPicture(under + 8 + LINE * max(rows, 1), tuple(marks))


def _list_banks(steps: Numbered) -> list[str]:
    """Return the banks to which players or the police come, in the order of the steps."""
    came = [step for _, step in steps if step.rule in ("R.solo", "R.police")]
    return list(dict.fromkeys(step.facts["colour"] for step in came if "colour" in step.facts))


def _column(
    bank: str, x: float, wide: float, steps: Numbered, players: Sequence[str]
) -> list[AnyMark]:
    """Draw a bank: its colour, who came, and its loot."""
    marks: list[AnyMark] = [RoundPiece(x=x, y=HEAD_Y, size=40, colour=bank)]
    for n, step in steps:
        facts = step.facts
        if step.rule == "R.solo" and facts.get("colour") == bank:
            marks += _crew(facts["who"], x, wide, players)
            marks += _loot(n, facts["cards"], x, wide)
            if len(facts["who"]) == 1:
                rows = min(len(facts["cards"]), MOST_SHOWN)
                high = LOOT_Y + LOOT_ROW * rows + (8 if rows else -4)
                marks.append(RoundFrame(x=x - wide / 2 + 3, y=0, width=wide - 6, height=high, at=n))
            else:
                raid = _find_raid(bank, steps)
                marks.append(_sign(n, x, Message(N_("stays")), until=raid))
        if step.rule == "R.police" and facts.get("colour") == bank:
            marks += [_sign(n, x, Message(N_("police"))), *_police(n, x, wide)]
    return marks


def _find_raid(bank: str, steps: Numbered) -> int:
    """Return the step with which the police come to a bank, 0 if they do not."""
    raids = (n for n, s in steps if s.rule == "R.police" and s.facts.get("colour") == bank)
    return next(raids, 0)


def _sign(at: int, x: float, sign: Message, until: int = 0) -> Text:
    """Say under those who came that they met and nothing moves, or that the police come."""
    return Text(
        x=x, y=LOOT_Y - 10, say=sign, size=SMALL, anchor="middle", tone="bad", at=at, until=until,
        bold=True,
    )  # fmt: skip


def _police(at: int, x: float, wide: float) -> list[AnyMark]:
    frame = RoundFrame(
        x=x - wide / 2 + 3, y=LOOT_Y - 4, width=wide - 6, height=LOOT_ROW * MOST_SHOWN + 12, at=at,
        tone="bad",
    )  # fmt: skip
    return [frame]


def _crew(names: Sequence[str], x: float, wide: float, players: Sequence[str]) -> list[AnyMark]:
    """Draw the seats of those who came in two rows; Robby Junior has none."""
    per_row = max(2, (len(names) + 1) // 2) if len(names) > 1 else 1
    size = 32.0 if per_row < 3 else 28.0
    apart, marks = size + (4 if per_row < 3 else 1), list[AnyMark]()
    for n, name in enumerate(names):
        seat = players.index(name) + 1 if name in players else 0
        row, in_row = divmod(n, per_row)
        beside = min(per_row, len(names) - row * per_row)
        left = x + (in_row - (beside - 1) / 2) * apart
        y = CREW_Y + 16 + row * (size + 2)
        marks.append(Chair(x=left, y=y, size=size, seat=seat))
    return marks


def _loot(at: int, cards: Sequence[Card], x: float, wide: float) -> list[AnyMark]:
    """List the loot of a bank; what is too much for the column is counted."""
    shown = list(cards) if len(cards) <= MOST_SHOWN else list(cards)[: MOST_SHOWN - 1]
    marks: list[AnyMark] = []
    for n, card in enumerate(shown):
        text = Message(N_("{money}"), {"money": card}) if isinstance(card, int) else card
        y = LOOT_Y + 22 + LOOT_ROW * n
        marks.append(Text(x=x, y=y, say=text, size=SMALL, anchor="middle", at=at, wide=wide - 10))
    if len(shown) < len(cards):
        y = LOOT_Y + 22 + LOOT_ROW * len(shown)
        more = f"+ {len(cards) - len(shown)}"
        marks.append(Text(x=x, y=y, say=more, size=SMALL, anchor="middle", at=at, tone="soft"))
    return marks


def _find_seats(names: Sequence[str], players: Sequence[str]) -> list[int]:
    """Return the seats of these players; 0 is Robby Junior's."""
    return [players.index(name) + 1 if name in players else 0 for name in names]


def _draw_line(
    line: Fate, x: float, y: float, wide: float, players: Sequence[str]
) -> list[AnyMark]:
    """Draw the players of a line at their banks, and their results."""
    seats = _find_seats(line.names, players)
    marks: list[AnyMark] = [
        Chair(x=x + 14 + 32 * n, y=y - 9, size=28, seat=seat, at=line.at)
        for n, seat in enumerate(seats)
    ]
    after = 32.0 * len(seats) + 6
    text = Text(
        x=x + after, y=y, say=line.say, size=SMALL, at=line.at, tone=line.tone, wide=wide - after,
        comes="rise",
    )  # fmt: skip
    return [*marks, text]


def _lines(steps: Numbered) -> Iterator[Fate]:
    """Yield a line for each who took something or gave something up, and for those who met."""
    for n, step in steps:
        facts = dict(step.facts)
        names = facts.get("who", ())
        if step.rule == "R.solo" and len(names) == 1 and facts["cards"]:
            yield Fate(n, names, Message(N_("{who}: alone, takes {cards}"), facts), "good")
        elif step.rule == "R.solo" and len(names) == 1:
            yield Fate(n, names, Message(N_("{who}: alone, but it was empty"), facts), "soft")
        elif step.rule == "R.solo" and names:
            yield Fate(n, names, Message(N_("{who} together: nothing"), facts), "bad")
        if step.rule == "R.police" and "card" in facts:
            text = N_("{who}: the police take {card}")
            yield Fate(n, names, Message(text, facts), "bad", is_raid=True)
        elif step.rule == "R.police" and "count" in facts:
            text = N_("Police: most loot ({count})")
            yield Fate(n, (), Message(text, facts), "soft", is_raid=True)
