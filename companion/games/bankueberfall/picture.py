"""The picture of a robbery: the cards at the bank, the loot as a bar, and the payments in order.

Law: everything drawn comes from the steps of the verdict; a step that is missing, as in a dispute
where no fortunes are known, leaves its part empty.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.core.i18n import N_, Facts, Message
from companion.core.verdict import Verdict, VerdictStep
from companion.games.picture import (
    CARD_SHAPE,
    LARGE,
    PLAIN,
    WIDTH,
    AnyMark,
    Bar,
    Card,
    Chair,
    RoundPiece,
    Said,
    Text,
    Tone,
    VerdictPicture,
)

CARDS_Y, CARD_HEIGHT, ALONE_HEIGHT = 46.0, 108.0, 146.0
"""Cards are higher where no bar lies below them."""
LOOT_Y, BAR_Y, BAR_HEIGHT = 182.0, 192.0, 34.0
ROWS_Y, ROW, LEAST_HEIGHT = 234.0, 36.0, 330.0
COIN, COIN_Y, NAME = 112.0, 130.0, 30.0
BID_X, RESULT_X = 268.0, 292.0
CLEARING = ("policeman", "thief")
"""Cards that have every other one leave; those left by then are not crossed out."""

Numbered = list[tuple[int, VerdictStep]]


def picture_robbery(verdict: Verdict, players: Sequence[str]) -> VerdictPicture:
    """Return the picture of a robbery; without a table the seats are numbered as the bids stand."""
    steps: Numbered = list(enumerate(verdict.steps, 1))
    bids = next(step.facts["tally"] for _, step in steps if "tally" in step.facts)
    at, lying = next((n, step.facts) for n, step in steps if "cards" in step.facts)
    players = players or list(bids)
    watched = any(step.facts.get("direction") == "highest_first" for _, step in steps)
    order = sorted(bids, key=lambda name: -bids[name] if watched else bids[name])
    bar = _fill_bar(steps, players)
    has_bar = any(isinstance(mark, Bar) for mark in bar)
    cards = _lay_cards(at, lying["cards"], steps, CARD_HEIGHT if has_bar else ALONE_HEIGHT)
    marks: list[AnyMark] = [*_head(lying.get("bank"), at, steps), *cards, *bar]
    marks += _show_hands(at, bids, players)
    for n, name in enumerate(order):
        marks += _row(at, ROWS_Y + ROW * n, players.index(name) + 1, name, bids[name], steps)
    return VerdictPicture(max(ROWS_Y + ROW * len(order), LEAST_HEIGHT), tuple(marks))


def _head(bank: int | None, turned: int, steps: Numbered) -> list[AnyMark]:
    """Name the bids until the cards are turned, then the bank and on the right its outcome."""
    title = Message(N_("Bank {bank}"), {"bank": bank}) if bank else Message(N_("The bank"))
    endings = [
        Text(x=WIDTH, y=34, say=Message(say), size=PLAIN, anchor="end", tone="gold", at=n, wide=420)
        for n, step in steps
        if (say := ENDINGS.get(step.facts.get("direction", "" if step.facts else step.rule)))
    ]
    bids = Text(
        x=WIDTH / 2, y=34, say=Message(N_("The bids")), size=LARGE, anchor="middle", bold=True,
        until=turned,
    )  # fmt: skip
    return [bids, Text(x=0, y=34, say=title, size=LARGE, bold=True, at=turned), *endings[:1]]


ENDINGS = {
    "highest_first": N_("Detective: highest bid first"),
    "lowest_first": N_("Lowest bid first"),
    "B.rob.2": N_("Policeman: no loot"),
    "B.rob.4": N_("Thief: every bid is lost"),
}
"""Headline of a robbery: the direction of pay, or the rule of the first step without facts."""


def _show_hands(turned: int, bids: Mapping[str, int], players: Sequence[str]) -> list[AnyMark]:
    """Show every hand's coins, large, side by side, until the cards are turned."""
    wide = WIDTH / max(len(bids), 3)
    left = (WIDTH - wide * len(bids)) / 2
    marks: list[AnyMark] = []
    for n, name in enumerate(sorted(bids, key=players.index)):
        x, seat = left + wide * (n + 0.5), players.index(name) + 1
        marks += [
            RoundPiece(x=x, y=COIN_Y, size=COIN, colour="coin", number=bids[name], until=turned),
            Chair(x=x, y=COIN_Y + 92, size=40, seat=seat, until=turned),
            Text(x=x, y=COIN_Y + 146, say=name, size=NAME, anchor="middle", wide=wide - 8,
                 until=turned),
        ]  # fmt: skip
    return marks


def _lay_cards(n: int, faces: Sequence[str], steps: Numbered, height: float) -> list[AnyMark]:
    """Lay the cards in a row, in the middle; cross out each with the step that removes it."""
    wide, gaps = height * CARD_SHAPE, len(faces) - 1
    apart = min(wide + 8, (WIDTH - wide) / max(gaps, 1))
    left = (WIDTH - wide - apart * gaps) / 2
    leaves = _leaving_steps(faces, steps)
    return [
        Card(x=left + i * apart, y=CARDS_Y, height=height, face=face, at=n, comes="turn",
             leaves=leaves.get(i, 0))
        for i, face in enumerate(faces)
    ]  # fmt: skip


def _leaving_steps(faces: Sequence[str], steps: Numbered) -> dict[int, int]:
    """Return, for each card that leaves, by its place in the row, the step that removes it."""
    leaves: dict[int, int] = {}
    for at, step in steps:
        gone = list(step.facts.get("gone", ()))
        clears = step.rule in ("B.rob.2", "B.rob.4") and not step.facts
        for i, face in enumerate(faces):
            if i not in leaves and (face in gone or (clears and face not in CLEARING)):
                leaves[i] = at
                if not clears:
                    gone.remove(face)
    return leaves


def _fill_bar(steps: Numbered, players: Sequence[str]) -> list[AnyMark]:
    """Draw the loot as a bar, filled bid by bid in the order of pay."""
    at, counted = next(((n, step.facts) for n, step in steps if "loot" in step.facts), (0, {}))
    loot = counted.get("loot", 0)
    if not loot:
        return [Text(x=WIDTH / 2, y=ROWS_Y - 14, say=Message(N_("No money here")), at=at,
                     tone="soft", anchor="middle")] if at else []  # fmt: skip
    times_one, more_times = N_("Loot: {loot}"), N_("Loot: {money_sum} × {times} = {loot}")
    told = Message(times_one if counted["times"] == 1 else more_times, counted)
    marks: list[AnyMark] = [
        Text(x=0, y=LOOT_Y, say=told, at=at, bold=True),
        Bar(x=0, y=BAR_Y, width=WIDTH, height=BAR_HEIGHT, at=at),
    ]
    x, unit = 0.0, WIDTH / loot
    for n, step in steps:
        for name in step.facts.get("who", ()) if step.facts.get("paid") else ():
            width = step.facts["paid"] * unit
            seat = players.index(name) + 1
            marks.append(
                Bar(x=x, y=BAR_Y, width=width, height=BAR_HEIGHT, seat=seat, at=n, comes="grow")
            )
            x += width
        if step.rule == "B.pay.short" and "coins" in step.facts:
            back = Message(N_("{n} back to the reserve"), {"n": step.facts["coins"]})
            marks.append(Text(x=WIDTH, y=LOOT_Y, say=back, at=n, anchor="end", tone="soft"))
    return marks


def _row(turned: int, y: float, seat: int, name: str, bid: int, steps: Numbered) -> list[AnyMark]:
    """Draw one bidder: seat, name, bid and result."""
    line = y + 24
    marks: list[AnyMark] = [
        Chair(x=14, y=y + 15, size=30, seat=seat, at=turned),
        Text(x=40, y=line, say=name, wide=150, at=turned),
        Text(x=BID_X, y=line, say=Message(N_("bid {n}"), {"n": bid}), anchor="end", bold=True,
             at=turned),
    ]  # fmt: skip
    results = list(_results(name, bid, steps))
    next_ones = [*(at for at, _, _ in results), 0][1:]  # What is said later takes the place.
    for (at, say, tone), until in zip(results, next_ones, strict=False):
        marks.append(
            Text(x=RESULT_X, y=line, say=say, at=at, until=until, tone=tone,
                 wide=WIDTH - RESULT_X, bold=tone != "soft", comes="rise")
        )  # fmt: skip
    return marks


def _results(name: str, bid: int, steps: Numbered) -> Iterator[tuple[int, Said, Tone]]:
    """Yield a bidder's gains and losses, each with its step."""
    for n, step in steps:
        facts = step.facts
        if step.rule == "B.rob.4" and "tally" in facts:
            yield (n, f"−{bid}", "bad") if bid else (n, Message(N_("0: bid nothing")), "soft")
        if facts.get("loot") == 0:
            yield n, Message(N_("0: no loot")), "soft"
        if name not in facts.get("who", ()):
            continue
        if step.rule == "B.rob.4":
            gaps = {"lost": bid, "n": facts["purse"]}
            yield n, Message(N_("−{lost}; takes {n} and a red credit"), gaps), "bad"
        if step.rule == "B.rob.2" and facts.get("coins"):
            yield n, Message(N_("+{n} for bidding nothing"), {"n": facts["coins"]}), "good"
        elif step.rule == "B.rob.2":
            yield n, Message(N_("0: only a bid of 0 is rewarded")), "soft"
        if step.rule == "B.pay.short":
            yield n, _word_shortfall(facts), "bad"
        if step.rule == "B.pay":
            yield n, f"+{bid}" if bid else "0", "good" if facts["paid"] else "soft"


def _word_shortfall(facts: Facts) -> Said:
    """Word the sum of equal bids, and the small rest of the loot."""
    if "rest" not in facts:
        return Message(N_("0: not paid after a shortfall"))
    if not facts["rest"]:
        return Message(N_("0: nothing left"))
    if "sums" in facts:
        return Message(N_("0: {sums}, only {rest} there"), facts)
    return Message(N_("0: only {rest} there"), facts)
