"""Looking: the game at one moment, as the log now has it, and the verdicts that came with it.

Law: what is shown of a moment is its own sentence and the public view of its state, both built
for everyone. Who may look, and how far, is decided here and nowhere else.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.verdict import Verdict
from companion.games.disputes import Dispute, Kind
from companion.table.history import History, Retold, retold
from companion.table.provenance import Fact, Source, fact, source


class Ruling(msgspec.Struct, frozen=True):
    """A verdict as it was announced, its facts, and its case; no case for what is remembered."""

    kind: Kind
    verdict: Verdict
    facts: tuple[Fact, ...]
    case: dict[str, Any] | None


class Look(msgspec.Struct, frozen=True):
    """One moment of a game, out of `last`: what was told, the table then, the verdicts it brought.

    A moment that was struck out, or that no longer fits, shows the table without it.
    """

    game: str
    last: int
    told: Source
    struck: bool
    public: Any
    rulings: tuple[Ruling, ...]


def called(history: History) -> bool:
    """Whether everyone looks back together: the judge is called, or the game is over."""
    return bool(history.frozen) or history.over


def refuse(history: History) -> Refusal | None:
    """Why nobody may look back now."""
    if called(history):
        return None
    text = "The judge looks back in front of everyone: hold a button first, or wait for the end."
    return refusal("not_called", "T.freeze", text)


def look(history: History, at: int) -> Look | None:
    """The game at this moment; None if there is no such moment."""
    if history.moment(at) is None:
        return None
    return _look(history, _standing(history, at), at)


def last_verdict(history: History) -> Look | None:
    """The newest moment that brought a verdict; None while there is none."""
    pages = _standing(history, history.at)
    for n in range(len(pages) - 1, 0, -1):
        if _disputes(history, pages[: n + 1]):
            return _look(history, pages[: n + 1], pages[n].moment.at)
    return None


def _standing(history: History, at: int) -> list[Retold]:
    """What stands, up to and including this moment."""
    return [page for page in retold(history, at + 1) if page.stands]


def _look(history: History, pages: Sequence[Retold], at: int) -> Look:
    moment = history.moment(at)
    assert moment is not None
    public = history.rules.public_view(pages[-1].after.state)
    struck = at in history.struck or at in history.dropped
    decided = () if struck or pages[-1].moment.at != at else _disputes(history, pages)
    rulings = tuple(_ruling(history, pages, public, dispute) for dispute in decided)
    box = history.rules.box
    return Look(box.game, history.at, source(history, moment), struck, public, rulings)


def _disputes(history: History, pages: Sequence[Retold]) -> tuple[Dispute, ...]:
    if len(pages) < 2:
        return ()
    shown = history.state is not None and history.state.phase == "over"
    before, after = pages[-2].after.state, pages[-1].after.state
    return history.rules.dispute_rules.find_disputes(before, after, shown)


def _ruling(history: History, pages: Sequence[Retold], public: Any, dispute: Dispute) -> Ruling:
    told = called(history)
    facts = (fact(history, pages, one) for one in dispute.grounds if told or not one.remembered)
    verdict = public.score if dispute.kind == "score" else public.verdict
    case = dispute.case if told or not dispute.remembered else None
    return Ruling(dispute.kind, verdict, tuple(facts), case)
