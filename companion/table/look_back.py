"""Look back: the game at one moment, as the log now has it, and the verdicts that came with it.

Laws: what is shown of a moment is its own sentence and the public view of its state, both built for
everyone; no closed hand, no face-down card and no counted pile has a field in it. The judge looks
back in front of everyone: while the game goes on, only the last verdict is shown, without what
players are to remember. A fact of a verdict names the moments that brought it, through what device,
and whether a seal proves it; a hand that was closed again counts as closed when it was closed
first. Permission to look back is decided here and nowhere else.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec

from companion.core.errors import JsonObject, Refusal, refusal
from companion.core.events import Entered, Opened, Sealed
from companion.core.i18n import Message
from companion.core.sweep import Revealing
from companion.core.table_events import REPLAYED, Found
from companion.core.verdict import Verdict
from companion.games.disputes import Dispute, DisputeKind, Ground, Watch, find_disputes
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.table.history import History, Moment, ReplayedMoment, replay_moments
from companion.table.view import SHOWN_ENTRIES, LogEntry, describe_event, log_entries

ProofKind = Literal["", "proven", "entered"]
ReplayedMoments = Sequence[ReplayedMoment]


class CorrectionSource(msgspec.Struct, frozen=True):
    """The correction of a moment: its number, its source, and the reason."""

    at: int
    via: str
    reason: str


class MomentSource(msgspec.Struct, frozen=True):
    """A moment that brought a fact, in its own words."""

    at: int
    say: Message
    via: str
    when: float
    mended: CorrectionSource | None = None


class VerdictFact(msgspec.Struct, frozen=True):
    """A fact of a verdict, and where it came from: `proven` by a seal, or `entered` unproven.

    `swept` says of a card that those of its place were shown one by one for this verdict.
    """

    say: Message
    sources: tuple[MomentSource, ...]
    proof: ProofKind = ""
    swept: bool = False


class Ruling(msgspec.Struct, frozen=True):
    """A verdict as it was announced, its facts, and its case; no case for a remembered one."""

    kind: DisputeKind
    verdict: Verdict
    facts: tuple[VerdictFact, ...]
    case: JsonObject | None


class LookBack(msgspec.Struct, frozen=True):
    """One moment of a game, out of `last`: the event, the table after it, its verdicts.

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
    """Refuse to look up a moment, while the game goes on, unless the newest verdict or the last
    event rests on it."""
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
    """Return the moments behind the newest verdict, as far as they may be told now."""
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


def list_verdicts(history: History) -> tuple[LookBack, ...]:
    """Return every moment that brought a verdict, in order."""
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


# Where the facts of a verdict came from.


def moment_source(history: History, moment: Moment) -> MomentSource:
    """Return a moment as a source, as the log now has it."""
    event = history.event_of(moment)
    reason = getattr(event, "reason", "") if isinstance(event, REPLAYED) else ""
    mended = find_correction(history, moment.at)
    if reason:
        mended = CorrectionSource(moment.at, moment.via, reason)
    return MomentSource(moment.at, describe_event(history, event), moment.via, moment.when, mended)


def find_correction(history: History, at: int) -> CorrectionSource | None:
    """Return the correction that changes a moment, or None: its own, or that of the moment naming
    its card."""
    instead = history.replacements.get(at)
    made = None if instead is None else history.moment_at(instead.made_at)
    if made is None:
        return None
    return CorrectionSource(made.at, made.via, getattr(made.event, "reason", ""))


def verdict_fact(history: History, replayed: ReplayedMoments, ground: Ground) -> VerdictFact:
    """Return a ground with its moments; the last of `replayed` is the deciding one."""
    proof, moments = (
        _moments_of_hand(replayed, ground.hand)
        if ground.hand
        else ("", _moments_behind(history, replayed, ground))
    )
    found = (history.moment_at(at) for at in sorted(set(moments)))
    sources = tuple(moment_source(history, one) for one in found if one)
    swept = ground.card is not None and _was_swept(history, replayed, ground.card[0])
    return VerdictFact(ground.say, sources, proof, swept)


def _was_swept(history: History, replayed: ReplayedMoments, place: int) -> bool:
    """Return whether cards of a place were shown one by one for the newest verdict."""
    for page, before in pairwise(replayed[::-1]):
        sweep = history.rules.current_sweep(before.after)
        if sweep is None:
            return False
        shows = isinstance(page.event, Revealing) and hasattr(page.event, "card")
        if shows and sweep.place == place:
            return True
    return False


def _moments_behind(history: History, replayed: ReplayedMoments, ground: Ground) -> list[int]:
    if ground.card is not None:
        return _moments_of_card(history, replayed, *ground.card)
    assert ground.since is not None
    changed = list(_moments_of_change(replayed if ground.after else replayed[:-1], ground.since))
    return changed if ground.every else changed[-1:]


def _moments_of_change(replayed: ReplayedMoments, watch: Watch) -> Iterator[int]:
    """Yield the moments of a change of the watched value."""
    before: object = None
    for page in replayed:
        now = watch(page.after)
        if now != before:
            yield page.moment.at
        before = now


def _moments_of_card(
    history: History, replayed: ReplayedMoments, place: int, slot: int
) -> list[int]:
    """Return the moments that laid the card and named it."""
    rules, last = history.rules, replayed[-1]
    if isinstance(last.event, Found) and last.event.place == place:
        return [last.moment.at]
    laid = replayed[-2].laid[place][slot - 1]
    named = list(
        _moments_of_change(replayed[:-1], lambda state: _card_name(rules, state, place, slot))
    )
    known = _card_name(rules, last.before, place, slot) is not None
    return [laid, named[-1] if named and known else last.moment.at]


def _card_name(rules: AnyRulebook, state: GameState | None, place: int, slot: int) -> str | None:
    cards = rules.expected_cards(state).get(place, ())
    return cards[slot - 1] if slot <= len(cards) else None


def _moments_of_hand(replayed: ReplayedMoments, seat: int) -> tuple[ProofKind, list[int]]:
    """Return the moments that closed and opened a hand, and its proof by the seal."""
    opened = _find_last(replayed, seat, Opened, Entered)
    closed = _find_last(replayed, seat, Sealed)
    proof: ProofKind = "entered" if opened and isinstance(opened.event, Entered) else "proven"
    return proof, [page.moment.at for page in (closed, opened) if page]


def _find_last(replayed: ReplayedMoments, seat: int, *kinds: type) -> ReplayedMoment | None:
    for page in reversed(replayed):
        if isinstance(page.event, kinds) and getattr(page.event, "seat", 0) == seat:
            return page
    return None
