"""The picture of an auction: who showed how many chips of which colour, and what the values do.

Law: everything drawn comes from the steps of the verdict.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.i18n import N_, Facts, Message
from companion.core.verdict import Verdict, VerdictStep
from companion.games.picture import (
    LARGE,
    PLAIN,
    SMALL,
    WIDTH,
    AnyMark,
    Card,
    Chair,
    RoundFrame,
    RoundPiece,
    StraightLine,
    Text,
    Tone,
    VerdictPicture,
)

HEAD_Y, FIRST_ROW, ROW = 62.0, 118.0, 35.0
NAMES_WIDE, TOTAL_X = 196.0, 598.0
BONUS_ROW = 30.0
BONUS = N_("{colour:C}, {n} for each ace: {use}")
FIRST_AFTER = N_("Tie: {who} wins, next after {begins}")

Numbered = list[tuple[int, VerdictStep]]


def picture_auction(verdict: Verdict, players: Sequence[str]) -> VerdictPicture:
    """Return the picture of an auction: a line for each player, a column for each colour."""
    steps: Numbered = list(enumerate(verdict.steps, 1))
    hands: Mapping[str, Mapping[str, int]] = next(
        step.facts["fists"] for _, step in steps if "fists" in step.facts
    )
    players = players or list(hands)
    moved = {s.facts["colour"]: (n, s.facts) for n, s in steps if s.rule == "F.track"}
    columns = {colour: 250 + 68 * n for n, colour in enumerate(moved)}
    under = FIRST_ROW + ROW * len(hands)
    marks = [
        *_name_card(steps),
        *_head_columns(columns),
        *(mark for n, name in enumerate(hands)
          for mark in _row(n, name, hands[name], columns, players)),
        *_crown_winner(steps, list(hands)),
        *(mark for colour, x in columns.items() for mark in _sum_column(x, under, *moved[colour])),
        *_head_rows(under, min(n for n, _ in moved.values())),
        *_pay_bonuses(steps, columns, under),
    ]  # fmt: skip
    rows = sum(s.rule == "F.bonus" and "each" in s.facts for _, s in steps)
    return VerdictPicture(under + 112 + BONUS_ROW * rows, tuple(marks))


def _name_card(steps: Numbered) -> list[AnyMark]:
    """Say on top who gets the card, and why among equals."""
    for n, step in steps:
        if "card" in step.facts and step.rule.startswith("F.auction"):
            facts = step.facts
            text = N_("{who} wins the card")
            if step.rule == "F.auction.tie":
                is_first = facts["who"] == [facts["begins"]]
                text = N_("Tie: {who} began and wins") if is_first else FIRST_AFTER
            return [
                Card(x=0, y=0, height=52, face=facts["card"]),
                Text(x=56, y=36, say=Message(text, dict(facts)), size=LARGE, bold=True, at=n,
                     wide=WIDTH - 56),
            ]  # fmt: skip
    return []


def _head_columns(columns: Mapping[str, int]) -> list[AnyMark]:
    heads: list[AnyMark] = [
        RoundPiece(x=x, y=HEAD_Y + 26, size=40, colour=colour) for colour, x in columns.items()
    ]
    total = Text(
        x=TOTAL_X,
        y=HEAD_Y + 34,
        say=Message(N_("Total")),
        size=SMALL,
        anchor="middle",
        tone="soft",
        wide=66,
    )
    return [*heads, total]


def _row(
    n: int,
    name: str,
    hand: Mapping[str, int],
    columns: Mapping[str, int],
    players: Sequence[str],
) -> list[AnyMark]:
    """Draw the chips of one player."""
    y = FIRST_ROW + ROW * n
    marks: list[AnyMark] = [
        Chair(x=14, y=y + 15, size=28, seat=players.index(name) + 1),
        Text(x=38, y=y + 24, say=name, wide=NAMES_WIDE - 38),
    ]
    for colour, x in columns.items():
        shown = hand.get(colour, 0)
        marks.append(
            Text(x=x, y=y + 24, say=str(shown or "·"), anchor="middle", bold=shown > 0,
                 tone="plain" if shown else "soft")
        )  # fmt: skip
    total = str(sum(hand.values()))
    marks.append(Text(x=TOTAL_X, y=y + 24, say=total, anchor="middle", bold=True))
    return marks


def _crown_winner(steps: Numbered, names: Sequence[str]) -> list[AnyMark]:
    """Frame the totals of equals, and then the line of the winner."""
    marks: list[AnyMark] = []
    for n, step in steps:
        if not step.rule.startswith("F.auction") or "who" not in step.facts:
            continue
        wins = "card" in step.facts
        for name in step.facts["who"]:
            y = FIRST_ROW + ROW * names.index(name)
            x = -4.0 if wins else TOTAL_X - 24
            marks.append(RoundFrame(x=x, y=y, width=WIDTH + 2 - x, height=ROW - 4, at=n))
    return marks


def _sum_column(x: float, y: float, n: int, facts: Mapping[str, Any]) -> list[AnyMark]:
    """Add up the chips of a colour, and move its value."""
    before, after = facts["before"], facts["after"]
    sign, tone = _direction(before, after)
    texts: tuple[tuple[float, int, str, float, Tone], ...] = (
        (x, 30, str(facts["chips"]), PLAIN, "plain"),
        (x - 14 - 4 * (before > 9), 62, str(before) if before != after else "", SMALL, "soft"),
        (x + 14 * (before != after), 62, sign, SMALL, tone),
        (x, 98, str(after), LARGE, tone),
    )
    marks: list[AnyMark] = [StraightLine(x=x - 26, y=y + 2, to_x=x + 26, to_y=y + 2, at=n)]
    for middle, down, say, size, colour in texts:
        marks.append(
            Text(x=middle, y=y + down, say=say, size=size, tone=colour, anchor="middle", at=n,
                 bold=True, comes="rise")
        )  # fmt: skip
    return marks


def _head_rows(under: float, at: int) -> list[AnyMark]:
    """Name the rows of sums and of values."""
    return [
        Text(x=0, y=under + 30, say=Message(N_("Chips")), size=SMALL, tone="soft", at=at),
        Text(x=0, y=under + 94, say=Message(N_("Value")), size=SMALL, tone="soft", at=at),
    ]


def _direction(before: int, after: int) -> tuple[str, Tone]:
    if after > before:
        return "▲", "good"
    return ("▼", "bad") if after < before else ("=", "soft")


def _pay_bonuses(steps: Numbered, columns: Mapping[str, int], under: float) -> list[AnyMark]:
    """Frame each value that pays, and say in a line under all what its aces brought to whom."""
    pays = [(n, s.facts) for n, s in steps if s.rule == "F.bonus" and "each" in s.facts]
    marks: list[AnyMark] = []
    for row, (n, facts) in enumerate(pays):
        x, y = columns[facts["colour"]], under + 134 + BONUS_ROW * row
        marks.append(RoundFrame(x=x - 32, y=under + 64, width=64, height=38, at=n))
        gained = [
            (at, step.facts)
            for at, step in steps
            if "millions" in step.facts and step.facts.get("colour") == facts["colour"]
        ]
        at = max([n, *(at for at, _ in gained)])
        marks.append(_line_of_bonus(y, at, facts, {f["who"][0]: f["millions"] for _, f in gained}))
    return marks


def _line_of_bonus(y: float, at: int, facts: Facts, gained: Mapping[str, int]) -> Text:
    """Word the bonus of a colour: each ace's pay, and each player's sum."""
    told = Message("{tally}", {"tally": {who: f"+{n}" for who, n in gained.items()}})
    say = Message(
        BONUS, {"colour": facts["colour"], "n": facts["each"], "use": told if gained else "–"}
    )
    return Text(x=0, y=y, say=say, size=SMALL, tone="gold", bold=True, at=at, wide=WIDTH)
