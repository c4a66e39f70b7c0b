"""Look back: the game at one moment, as the log now has it, and the verdicts that came with it.

Laws: what is shown of a moment is its own sentence and the public view of its state, both built for
everyone; no closed hand, no face-down card and no counted pile has a field in it. The judge looks
back in front of everyone: while the game goes on, only the last verdict is shown, without what
players are to remember. Permission to look back is decided here and nowhere else.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games.disputes import Dispute, DisputeKind, find_disputes
from companion.table.activity_log import SHOWN_ENTRIES, LogEntry, log_entries
from companion.table.history import History, ReplayedMoment, replay_moments
from companion.table.provenance import MomentSource, VerdictFact, moment_source, verdict_fact


class Ruling(msgspec.Struct, frozen=True):
    """A verdict as it was announced, its facts, and its case; no case for what is remembered."""

    kind: DisputeKind
    verdict: Verdict
    facts: tuple[VerdictFact, ...]
    case: JsonObject | None


class LookBack(msgspec.Struct, frozen=True):
    """One moment of a game, out of `last`: what was told, the table then, the verdicts it brought.

    A moment that was struck out, or that no longer fits, shows the table without it.
    """

    game: str
    last: int
    told: MomentSource
    struck: bool
    public: Any
    rulings: tuple[Ruling, ...]


def look_back(history: History, at: int = 0) -> LookBack | Refusal | None:
    """Return the game at this moment, or without one at the last verdict.

    None if there is no such moment, or no verdict yet.
    """
    if history.state is None or not at:
        return find_last_verdict(history)
    return check_look_back(history) or look_back_at(history, at)


def is_judge_called(history: History) -> bool:
    """Return whether everyone looks back together: in a freeze or after the game."""
    return bool(history.frozen) or history.is_over


def check_look_back(history: History) -> Refusal | None:
    """Refuse to look back while the game goes on."""
    if is_judge_called(history):
        return None
    text = "The judge looks back in front of everyone: hold a button first, or wait for the end."
    return refusal("not_called", "T.freeze", text)


def check_moment(history: History, at: int) -> Refusal | None:
    """Refuse to look up a moment on which neither the newest verdict nor what happened last rests,
    while the game goes on."""
    is_recent = at > history.at - SHOWN_ENTRIES
    if is_recent or is_judge_called(history) or at in _moments_behind_verdict(history):
        return None
    return check_look_back(history)


def list_log(history: History) -> tuple[LogEntry, ...]:
    """Return the moments that may be looked up, in order: all of them once everyone looks back,
    until then the last ones and those on which the newest verdict rests."""
    entries = log_entries(history)
    if is_judge_called(history):
        return tuple(entries)
    behind = _moments_behind_verdict(history)
    return tuple(one for one in entries if one.at > history.at - SHOWN_ENTRIES or one.at in behind)


def _moments_behind_verdict(history: History) -> set[int]:
    """Return the moments on which the newest verdict rests, as far as they may be told now."""
    last = find_last_verdict(history)
    rulings = last.rulings if last is not None else ()
    facts = [fact for ruling in rulings for fact in ruling.facts]
    return {source.at for fact in facts for source in fact.sources}


def look_back_at(history: History, at: int) -> LookBack | None:
    """Return the game at this moment; None if there is no such moment."""
    if history.moment_at(at) is None:
        return None
    return _build_look_back(history, _standing_moments(history, at), at)


def find_last_verdict(history: History) -> LookBack | None:
    """Return the newest moment that brought a verdict; None while there is none."""
    pages = _standing_moments(history, history.at)
    for n in range(len(pages) - 1, 0, -1):
        if _decided_disputes(history, pages[: n + 1]):
            return _build_look_back(history, pages[: n + 1], pages[n].moment.at)
    return None


def list_verdicts(history: History) -> tuple[LookBack, ...] | Refusal:
    """Return every moment that brought a verdict, in order; refused while the game goes on."""
    refused = check_look_back(history)
    if refused is not None:
        return refused
    pages = _standing_moments(history, history.at)
    decided = [n for n in range(1, len(pages)) if _decided_disputes(history, pages[: n + 1])]
    return tuple(_build_look_back(history, pages[: n + 1], pages[n].moment.at) for n in decided)


def _standing_moments(history: History, at: int) -> list[ReplayedMoment]:
    """Return the moments that stand, up to and including this one."""
    return [page for page in replay_moments(history, at + 1) if page.stands]


def _build_look_back(history: History, replayed: Sequence[ReplayedMoment], at: int) -> LookBack:
    moment = history.moment_at(at)
    assert moment is not None
    public = history.rules.public_view(replayed[-1].after)
    struck = not history.stands(moment)
    decided = () if struck or replayed[-1].moment.at != at else _decided_disputes(history, replayed)
    rulings = tuple(_build_ruling(history, replayed, public, dispute) for dispute in decided)
    box = history.rules.box
    return LookBack(box.game, history.at, moment_source(history, moment), struck, public, rulings)


def _decided_disputes(history: History, replayed: Sequence[ReplayedMoment]) -> tuple[Dispute, ...]:
    if len(replayed) < 2:
        return ()
    shown = history.state is not None and history.state.phase == "over"
    before, after = replayed[-1].before, replayed[-1].after
    return find_disputes(history.rules.disputes, before, after, shown)


def _build_ruling(
    history: History, replayed: Sequence[ReplayedMoment], public: Any, dispute: Dispute
) -> Ruling:
    told = is_judge_called(history)
    facts = (
        verdict_fact(history, replayed, one)
        for one in dispute.grounds
        if told or not one.remembered
    )
    verdict = public.score if dispute.kind == "score" else public.verdict
    case = dispute.case if told or not dispute.remembered else None
    return Ruling(dispute.kind, verdict, tuple(facts), case)
