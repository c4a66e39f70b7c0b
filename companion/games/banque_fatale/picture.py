"""The picture of an auction: each player's chips by colour, and the change of the values.

Law: everything drawn comes from the steps of the verdict.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.i18n import N_, Facts, Message
from companion.core.verdict import Verdict, VerdictStep, find_fact
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
NAMES_WIDE, TOTAL_X = 196.0, 593.0
BONUS_ROW = 30.0
BONUS = N_("{colour:C}, {n} for each ace: {use}")
FIRST_AFTER = N_("Tie: {who} wins, next after {begins}")

TONES: tuple[Tone, Tone] = ("soft", "plain")
"""Of a colour without a chip shown, and of any other."""

Numbered = list[tuple[int, VerdictStep]]


def picture_auction(verdict: Verdict, players: Sequence[str]) -> VerdictPicture:
    """Return the picture of an auction: a line for each player, a column for each colour."""
    steps: Numbered = list(enumerate(verdict.steps, 1))
    hands: Mapping[str, Mapping[str, int]] = find_fact(verdict, "fists")
    players = players or list(hands)
    moved = {s.facts["colour"]: (n, s.facts) for n, s in steps if s.rule == "F.track"}
    fallen = {s.facts["colour"]: (n, s.facts["after"]) for n, s in steps
              if s.rule == "F.bonus" and "after" in s.facts}  # fmt: skip
    columns = {colour: 250 + 68 * n for n, colour in enumerate(moved)}
    under = FIRST_ROW + ROW * len(hands)
    marks = [*_name_card(steps), *_head_columns(columns)]
    for n, (name, hand) in enumerate(hands.items()):
        seat = players.index(name) + 1
        marks += _draw_hand(FIRST_ROW + ROW * n, seat, name, hand, columns)
    marks += _crown_winner(steps, list(hands))
    for colour, x in columns.items():
        marks += _sum_column(x, under, *moved[colour], fallen.get(colour, (0, 0)))
    at = min(n for n, _ in moved.values())
    for down, name in ((30, N_("Chips")), (94, N_("Value"))):
        marks.append(Text(x=0, y=under + down, say=Message(name), size=SMALL, tone="soft", at=at))
    pays = [(n, s.facts) for n, s in steps if s.rule == "F.bonus" and "each" in s.facts]
    for n, (at, facts) in enumerate(pays):
        marks += _pay_bonus(at, facts, steps, columns[facts["colour"]], under, n)
    return VerdictPicture(under + 112 + BONUS_ROW * len(pays), tuple(marks))


def _name_card(steps: Numbered) -> list[AnyMark]:
    """Name the winner of the card on top, and the reason in a tie."""
    n, won = next((n, s) for n, s in steps if "card" in s.facts and s.rule.startswith("F.auction"))
    text = N_("{who} wins the card")
    if won.rule == "F.auction.tie":
        is_first = won.facts["who"] == [won.facts["begins"]]
        text = N_("Tie: {who} began and wins") if is_first else FIRST_AFTER
    says = Message(text, dict(won.facts))
    return [
        Card(x=0, y=0, height=52, face=won.facts["card"]),
        Text(x=56, y=36, say=says, size=LARGE, bold=True, at=n, wide=WIDTH - 56),
    ]


def _head_columns(columns: Mapping[str, int]) -> list[AnyMark]:
    heads = [RoundPiece(x=x, y=HEAD_Y + 26, size=40, colour=c) for c, x in columns.items()]
    total = Message(N_("Total"))
    return [*heads, Text(x=TOTAL_X, y=HEAD_Y + 34, say=total, size=SMALL, anchor="middle",
                         tone="soft", wide=94)]  # fmt: skip


def _draw_hand(
    y: float, seat: int, name: str, hand: Mapping[str, int], columns: Mapping[str, int]
) -> list[AnyMark]:
    """Draw the chips of one player."""
    marks: list[AnyMark] = [
        Chair(x=14, y=y + 15, size=28, seat=seat),
        Text(x=38, y=y + 24, say=name, wide=NAMES_WIDE - 38),
    ]
    for colour, x in columns.items():
        shown = hand.get(colour, 0)
        say, tone = str(shown or "·"), TONES[shown > 0]
        marks.append(Text(x=x, y=y + 24, say=say, anchor="middle", bold=shown > 0, tone=tone))
    total = str(sum(hand.values()))
    return [*marks, Text(x=TOTAL_X, y=y + 24, say=total, anchor="middle", bold=True)]


def _crown_winner(steps: Numbered, names: Sequence[str]) -> list[AnyMark]:
    """Frame the totals of equals, and then the line of the winner."""
    marks: list[AnyMark] = []
    for n, step in steps:
        x = -4.0 if "card" in step.facts else TOTAL_X - 24
        for name in step.facts.get("who", ()) if step.rule.startswith("F.auction") else ():
            y = FIRST_ROW + ROW * names.index(name)
            marks.append(RoundFrame(x=x, y=y, width=WIDTH + 2 - x, height=ROW - 4, at=n))
    return marks


def _sum_column(
    x: float, y: float, n: int, facts: Mapping[str, Any], fallen: tuple[int, int]
) -> list[AnyMark]:
    """Add up the chips of a colour, and move its value; once it has paid it falls, at a step, to a
    value."""
    moves, back = [(n, facts["before"], facts["after"])], fallen[0]
    if back:
        moves.append((back, facts["after"], fallen[1]))
    texts = [(n, 0, x, 30, str(facts["chips"]), PLAIN, TONES[1])]
    for at, before, after in moves:
        until, (sign, tone) = back if at == n else 0, _direction(before, after)
        old = str(before) if before != after else ""
        texts += [
            (at, until, x - 14 - 4 * (before > 9), 62, old, SMALL, TONES[0]),
            (at, until, x + 14 * (before != after), 62, sign, SMALL, tone),
            (at, until, x, 98, str(after), LARGE, tone),
        ]
    line = StraightLine(x=x - 26, y=y + 2, to_x=x + 26, to_y=y + 2, at=n)
    return [line, *(
        Text(x=middle, y=y + down, say=say, size=size, tone=colour, anchor="middle", at=at,
             until=until, bold=True, comes="rise")
        for at, until, middle, down, say, size, colour in texts
    )]  # fmt: skip


def _direction(before: int, after: int) -> tuple[str, Tone]:
    if after > before:
        return "▲", "good"
    return ("▼", "bad") if after < before else ("=", "soft")


def _pay_bonus(
    at: int, facts: Facts, steps: Numbered, x: float, under: float, row: int
) -> list[AnyMark]:
    """Frame a value that pays, and list the pay-out of its aces in a line below."""
    colour = facts["colour"]
    paid = [(n, s.facts) for n, s in steps
            if "millions" in s.facts and s.facts.get("colour") == colour]  # fmt: skip
    told = Message("{tally}", {"tally": {own["who"][0]: f"+{own['millions']}" for _, own in paid}})
    say = Message(BONUS, {"colour": colour, "n": facts["each"], "use": told if paid else "–"})
    last, y = max([at, *(n for n, _ in paid)]), under + 134 + BONUS_ROW * row
    return [
        RoundFrame(x=x - 32, y=under + 64, width=64, height=38, at=at),
        Text(x=0, y=y, say=say, size=SMALL, tone="gold", bold=True, at=last, wide=WIDTH),
    ]
