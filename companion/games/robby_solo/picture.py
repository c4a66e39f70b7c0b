"""The picture of a round: a column for each bank, its visitors, and the way of its loot.

Law: everything drawn comes from the steps of the verdict; without a table its players are numbered
in the order of the case.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.core.i18n import N_, Facts, Message
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
from companion.games.picture import Card as Face
from companion.games.robby_solo.raid import Card, Round

HEAD_Y, NAME_Y, CREW_Y, SIGN_HIGH = 24.0, 68.0, 80.0, 32.0
CREW_ROW, LOOT_ROW, LINE = 32.0, 34.0, 34.0
NOTE, NOTE_HIGH, CELL = 100.0, 28.0, 213.0
"""Width and height of a loot card, and the room for a player who gives one up."""
ROOMY = 200.0
"""Width of a column in which the cause of a visit of the police fits."""
MOST_SHOWN, MOST_NAMED = 4, 3
"""Most cards of a bank shown in its column, and named in the line of their taker."""

Numbered = list[tuple[int, VerdictStep]]
Line = tuple[int, Message, Tone]
"""Fate of some players: its step, the words, and their tone."""


def picture_round(verdict: Verdict, players: Sequence[str]) -> VerdictPicture:
    """Return the picture of a round: players alone, players who met, cards for the police."""
    steps = [(n, s) for n, s in enumerate(verdict.steps, 1) if s.rule in ("R.solo", "R.police")]
    if not players and isinstance(verdict, Round):
        players = list(verdict.taken)
    banks = dict.fromkeys(s.facts["colour"] for _, s in steps if "colour" in s.facts)
    wide = WIDTH / max(len(banks), 3)
    visits = [s.facts for _, s in steps if s.rule == "R.solo" and "who" in s.facts]
    loot_y = CREW_Y + CREW_ROW * max((len(facts["who"]) for facts in visits), default=1) + SIGN_HIGH
    loots = [s.facts.get("cards", s.facts.get("gone", ())) for _, s in steps]
    rows = min(max(map(len, loots), default=0) or 1, MOST_SHOWN)
    marks: list[AnyMark] = []
    left = (WIDTH - wide * len(banks)) / 2
    for n, bank in enumerate(banks):
        here = {s.rule: (at, s.facts) for at, s in steps if s.facts.get("colour") == bank}
        at = 0 if "R.solo" in here else here["R.police"][0]  # Where nobody came, the police do.
        x = left + wide * n
        marks.append(RoundPiece(x=x + wide / 2, y=HEAD_Y, size=40, colour=bank, at=at))
        marks.append(Text(x=x + wide / 2, y=NAME_Y, say=bank, size=SMALL, anchor="middle", at=at,
                          wide=wide - 8))  # fmt: skip
        marks += _draw_visits(here, x, wide, loot_y, rows, players)
    y = loot_y + LOOT_ROW * rows + 16
    cell = 0
    for line in _list_lines(steps):
        card = line[1].facts.get("card")
        cell = cell % 3 + 1 if card is not None else 0
        y += LINE if cell < 2 else 0
        marks += _draw_line(line, y, players) if not cell else _draw_given(line, cell, y, players)
    return VerdictPicture(y + 16, tuple(marks))


def _draw_visits(
    here: Mapping[str, tuple[int, Facts]],
    left: float,
    wide: float,
    loot_y: float,
    rows: int,
    players: Sequence[str],
) -> list[AnyMark]:
    """Draw the visitors of a bank, its loot, and whether it was taken, stays, or went to the
    police; their frame is as high as this many rows of loot."""
    marks: list[AnyMark] = []
    raid, raided = here.get("R.police", (0, {}))
    if "R.solo" in here:
        at, facts = here["R.solo"]
        marks += _draw_crew(facts["who"], left, wide, players)
        marks += _draw_loot(facts["cards"], left + wide / 2, loot_y, wide)
        if len(facts["who"]) == 1:
            own = min(len(facts["cards"]), MOST_SHOWN)
            high = loot_y + LOOT_ROW * own + (8 if own else -4)
            marks.append(_frame(at, left, wide, 0, high))
        else:
            marks.append(_sign(at, left + wide / 2, loot_y, Message(N_("stays")), until=raid))
    elif raid:
        marks += _draw_loot(raided["gone"], left + wide / 2, loot_y, wide, raid)
    if raid:
        high, say = LOOT_ROW * rows + 12, N_("{count}: police") if wide > ROOMY else N_("police")
        why = Message(say, {"count": len(raided["gone"])})
        marks.append(_sign(raid, left + wide / 2, loot_y, why))
        marks.append(_frame(raid, left, wide, loot_y - 4, high, tone="bad"))
    return marks


def _frame(
    at: int, left: float, wide: float, y: float, height: float, tone: Tone = "gold"
) -> RoundFrame:
    return RoundFrame(x=left + 3, y=y, width=wide - 6, height=height, at=at, tone=tone)


def _sign(at: int, x: float, loot_y: float, sign: Message, until: int = 0) -> Text:
    """Write a remark under the visitors: they met, or the police come."""
    return Text(
        x=x, y=loot_y - 10, say=sign, size=SMALL, anchor="middle", tone="bad", at=at, until=until,
        bold=True,
    )  # fmt: skip


def _draw_crew(
    names: Sequence[str], left: float, wide: float, players: Sequence[str]
) -> list[AnyMark]:
    """Draw the seats and names of the visitors, one below the other."""
    marks: list[AnyMark] = []
    for n, (seat, name) in enumerate(zip(_find_seats(names, players), names, strict=True)):
        y = CREW_Y + CREW_ROW * n + 16
        marks.append(Chair(x=left + 22, y=y, size=28, seat=seat))
        marks.append(Text(x=left + 40, y=y + 9, say=name, size=SMALL, wide=wide - 46))
    return marks


def _find_seats(names: Sequence[str], players: Sequence[str]) -> list[int]:
    """Return the seats of these players; 0 for Robby Junior."""
    return [players.index(name) + 1 if name in players else 0 for name in names]


def _draw_loot(
    cards: Sequence[Card], x: float, y: float, wide: float, at: int = 0
) -> list[AnyMark]:
    """Lay out the loot of a bank; count the cards that do not fit into the column."""
    shown = list(cards) if len(cards) <= MOST_SHOWN else list(cards)[: MOST_SHOWN - 1]
    note = min(NOTE, wide - 12)
    marks: list[AnyMark] = [
        Face(x=x - note / 2, y=y + LOOT_ROW * n, height=NOTE_HIGH, width=note, face=one, at=at)
        for n, one in enumerate(shown)
    ]
    if len(shown) < len(cards):
        marks.append(Text(x=x, y=y + 22 + LOOT_ROW * len(shown), say=f"+ {len(cards) - len(shown)}",
                          size=SMALL, anchor="middle", tone="soft", at=at))  # fmt: skip
    return marks


def _draw_line(line: Line, y: float, players: Sequence[str]) -> list[AnyMark]:
    """Draw the chairs of a line's players, and beside them their result."""
    at, say, tone = line
    discs: list[AnyMark] = [
        Chair(x=14 + 32 * n, y=y - 9, size=28, seat=seat, at=at)
        for n, seat in enumerate(_find_seats(say.facts.get("who", ()), players))
    ] or [RoundPiece(x=14, y=y - 9, size=36, colour=say.facts["bank"], at=at)]
    x = 32.0 * len(discs) + 6
    words = Text(x=x, y=y, say=say, size=SMALL, at=at, tone=tone, wide=WIDTH - x, comes="rise")
    return [*discs, words]


def _draw_given(line: Line, cell: int, y: float, players: Sequence[str]) -> list[AnyMark]:
    """Draw a player who gives a card to the police, as one of three in a row."""
    at, say, _tone = line
    x, (name,) = CELL * (cell - 1), say.facts["who"]
    (seat,) = _find_seats((name,), players)
    return [
        Chair(x=x + 14, y=y - 9, size=28, seat=seat, at=at),
        Text(x=x + 34, y=y, say=name, size=SMALL, wide=CELL - NOTE - 42, at=at),
        Face(x=x + CELL - NOTE - 6, y=y - 23, height=NOTE_HIGH, width=NOTE, at=at, leaves=at,
             face=say.facts["card"], comes="rise"),
    ]  # fmt: skip


def _list_lines(steps: Numbered) -> Iterator[Line]:
    """Yield a line for each player who took or gave up something, and for those who met."""
    bank = ""
    for n, step in steps:
        bank = step.facts.get("colour", bank)
        facts = dict(step.facts)
        crew = facts.get("who", ()) if step.rule == "R.solo" else ()
        if len(crew) == 1:
            facts["cards"] = _add_up(cards := facts["cards"])
        if len(crew) == 1 and len(facts["cards"]) > MOST_NAMED:
            facts["count"] = len(cards)
            yield n, Message(N_("{who}: alone, takes {count}"), facts), "good"
        elif len(crew) == 1 and facts["cards"]:
            yield n, Message(N_("{who}: alone, takes {cards}"), facts), "good"
        elif len(crew) == 1:
            yield n, Message(N_("{who}: alone, but it was empty"), facts), "soft"
        elif crew:
            yield n, Message(N_("Together: nothing"), facts), "bad"
        elif step.rule == "R.police" and "card" in facts:
            yield n, Message("{card}", facts), "bad"
        elif step.rule == "R.police" and "count" in facts:
            text = N_("Police: the largest loot ({count}) loses its dearest")
            yield n, Message(text, {"count": facts["count"], "bank": bank}), "soft"


def _add_up(cards: Sequence[Card]) -> list[Card]:
    """Return the money of a loot as one sum, and beside it each object."""
    objects: list[Card] = [card for card in cards if isinstance(card, str)]
    money = sum(card for card in cards if isinstance(card, int))
    return [money, *objects] if money else objects
