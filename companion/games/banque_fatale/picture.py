"""The picture of an auction: who showed how many chips of which colour, and what the values do.

Law: everything drawn comes from the steps of the verdict.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.i18n import N_, Message
from companion.core.verdict import Verdict, VerdictStep
from companion.games.picture import (
    LARGE,
    PLAIN,
    SMALL,
    WIDTH,
    AnyMark,
    Card,
    Chair,
    Frame,
    Picture,
    Rule,
    Text,
    Token,
    Tone,
)

HEAD_Y, FIRST_ROW, ROW = 62.0, 118.0, 35.0
NAMES_WIDE, TOTAL_X = 196.0, 606.0

Numbered = list[tuple[int, VerdictStep]]


def picture_auction(verdict: Verdict, players: Sequence[str]) -> Picture:
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
        *_pay_bonuses(steps, columns, under),
    ]  # fmt: skip
    return Picture(under + 142, tuple(marks))


def _name_card(steps: Numbered) -> list[AnyMark]:
    """Say on top who gets the card, and why among equals."""
    for n, step in steps:
        if "card" in step.facts and step.rule.startswith("F.auction"):
            facts = step.facts
            text = N_("{who} wins the card")
            if step.rule == "F.auction.tie":
                text = N_("Tie: {who} wins, first from {begins}")
            return [
                Card(x=0, y=0, height=52, face=facts["card"], at=1, comes="turn"),
                Text(x=56, y=36, say=Message(text, dict(facts)), size=LARGE, bold=True, at=n,
                     wide=WIDTH - 56),
            ]  # fmt: skip
    return []


def _head_columns(columns: Mapping[str, int]) -> list[AnyMark]:
    heads: list[AnyMark] = [
        Token(x=x, y=HEAD_Y + 26, size=40, colour=colour) for colour, x in columns.items()
    ]
    total = Text(x=TOTAL_X, y=HEAD_Y + 34, say="Σ", size=PLAIN, anchor="middle", tone="soft")
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
        Chair(x=14, y=y + 15, size=28, seat=players.index(name) + 1, at=1),
        Text(x=38, y=y + 24, say=name, at=1, wide=NAMES_WIDE - 38),
    ]
    for colour, x in columns.items():
        shown = hand.get(colour, 0)
        marks.append(
            Text(x=x, y=y + 24, say=str(shown or "·"), anchor="middle", at=1, bold=shown > 0,
                 tone="plain" if shown else "soft", comes="drop")
        )  # fmt: skip
    total = str(sum(hand.values()))
    marks.append(Text(x=TOTAL_X, y=y + 24, say=total, anchor="middle", at=1, bold=True))
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
            marks.append(Frame(x=x, y=y, width=WIDTH + 2 - x, height=ROW - 4, at=n))
    return marks


def _sum_column(x: float, y: float, n: int, facts: Mapping[str, Any]) -> list[AnyMark]:
    """Add up the chips of a colour, and move its value."""
    before, after = facts["before"], facts["after"]
    sign, tone = _direction(before, after)
    moved = f"{before} {sign}" if before != after else sign
    texts: tuple[tuple[int, str, float, Tone], ...] = (
        (30, str(facts["chips"]), PLAIN, "plain"),
        (62, moved, SMALL, tone),
        (98, str(after), LARGE, tone),
    )
    marks: list[AnyMark] = [Rule(x=x - 26, y=y + 2, to_x=x + 26, to_y=y + 2, at=n)]
    for down, say, size, colour in texts:
        marks.append(
            Text(x=x, y=y + down, say=say, size=size, tone=colour, anchor="middle", at=n, bold=True,
                 comes="rise")
        )  # fmt: skip
    return marks


def _direction(before: int, after: int) -> tuple[str, Tone]:
    if after > before:
        return "▲", "good"
    return ("▼", "bad") if after < before else ("=", "soft")


def _pay_bonuses(steps: Numbered, columns: Mapping[str, int], under: float) -> list[AnyMark]:
    """Say under a colour what each of its aces pays, and to the left who receives how much."""
    marks: list[AnyMark] = []
    paid: dict[str, int] = {}
    last = 0
    for n, step in steps:
        facts = step.facts
        if step.rule == "F.bonus" and "each" in facts:
            x = columns[facts["colour"]]
            marks.append(Frame(x=x - 32, y=under + 64, width=64, height=38, at=n))
            marks.append(
                Text(x=x, y=under + 128, say=f"+{facts['each']}", anchor="middle", tone="gold",
                     bold=True, at=n, comes="rise")
            )  # fmt: skip
        if step.rule == "F.bonus" and "millions" in facts:
            name, last = facts["who"][0], n
            paid[name] = paid.get(name, 0) + facts["millions"]
    if paid:
        told = ", ".join(f"{name} +{n}" for name, n in paid.items())
        marks.append(Text(x=0, y=under + 128, say=told, size=SMALL, tone="gold", bold=True, at=last,
                          wide=210))  # fmt: skip
    return marks
