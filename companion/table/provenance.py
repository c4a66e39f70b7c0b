"""Provenance: which moments brought a fact, through what device, and whether it is proven.

Law: a moment says of itself what everyone may hear, and no more. A hand that was closed again
counts as closed when it was closed first.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from companion.core.events import Deciding, Entered, Opened, Sealed, Started
from companion.core.i18n import N_, Message
from companion.core.sweep import Revealing
from companion.core.table_events import REPLAYED, Found
from companion.games.disputes import Ground, Watch
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.table.activity_log import describe_event
from companion.table.history import History, Moment, ReplayedMoment

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

    `covered` says of a card that its reader heard it, and that it lay silent under others when it
    was revealed; `swept`, that the cards of its place were shown one by one for this verdict.
    """

    say: Message
    sources: tuple[MomentSource, ...]
    proof: ProofKind = ""
    covered: Message | None = None
    swept: bool = False


HEARD_WHEN_LAID = N_(
    "Reader {n} read it when it was laid; it lay covered by others when it counted."
)
HEARD_LATER = N_("Reader {n} read it after it was laid; it lay covered by others when it counted.")


def moment_source(history: History, moment: Moment) -> MomentSource:
    """Return a moment as a source, as the log now has it."""
    event = history.event_of(moment)
    reason = getattr(event, "reason", "") if isinstance(event, REPLAYED) else ""
    mended = (
        CorrectionSource(moment.at, moment.via, reason)
        if reason
        else find_correction(history, moment.at)
    )
    return MomentSource(moment.at, describe_event(history, event), moment.via, moment.when, mended)


def find_correction(history: History, at: int) -> CorrectionSource | None:
    """Return the correction by which a moment says something else, or None: its own, or that of the
    moment which named its card."""
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
    covered = ground.card and _describe_covered(history, replayed, ground.card, sources)
    swept = ground.card is not None and _was_swept(history, replayed, ground.card[0])
    return VerdictFact(ground.say, sources, proof, covered, swept)


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


def _describe_covered(
    history: History,
    replayed: ReplayedMoments,
    card: tuple[int, int],
    sources: tuple[MomentSource, ...],
) -> Message | None:
    """Describe a card that was heard and lay covered at the end; None if it was not so."""
    heard = [one for one in sources if one.via.startswith("reader ") and one.mended is None]
    if not heard or card not in _covered_cards(history, replayed):
        return None
    laid = history.moment_at(sources[0].at)
    is_at_once = heard[0] is sources[0] or (laid is not None and isinstance(laid.event, Started))
    text = HEARD_WHEN_LAID if is_at_once else HEARD_LATER
    return Message(text, {"n": heard[0].via.removeprefix("reader ")})


def _covered_cards(history: History, replayed: ReplayedMoments) -> Iterator[tuple[int, int]]:
    """Yield place and slot of the cards that lay covered when the newest sweep began or, without
    one, when the verdict came."""
    last = replayed[-1]
    if isinstance(last.event, Deciding) and last.event is last.moment.event:
        yield from last.event.covered
    for page, before in pairwise(replayed[::-1]):
        sweep = history.rules.current_sweep(before.after)
        event = page.event
        if sweep is None or isinstance(event, Found):
            return
        if isinstance(event, Revealing) and event is page.moment.event:
            yield from ((sweep.place, slot) for slot in event.covered)


def _moments_behind(history: History, replayed: ReplayedMoments, ground: Ground) -> list[int]:
    if ground.card is not None:
        return _moments_of_card(history, replayed, *ground.card)
    assert ground.since is not None
    changed = list(_moments_of_change(replayed if ground.after else replayed[:-1], ground.since))
    return changed if ground.every else changed[-1:]


def _moments_of_change(replayed: ReplayedMoments, watch: Watch) -> Iterator[int]:
    """Yield the moments at which the watched value changed."""
    before: object = None
    for page in replayed:
        now = watch(page.after)
        if now != before:
            yield page.moment.at
        before = now


def _moments_of_card(
    history: History, replayed: ReplayedMoments, place: int, slot: int
) -> list[int]:
    """Return the moments at which the card was laid, and its name became known."""
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
    """Return the moments at which a hand was closed and opened, and its proof by the seal."""
    opened = _find_last(replayed, seat, Opened, Entered)
    closed = _find_last(replayed, seat, Sealed)
    proof: ProofKind = "entered" if opened and isinstance(opened.event, Entered) else "proven"
    return proof, [page.moment.at for page in (closed, opened) if page]


def _find_last(replayed: ReplayedMoments, seat: int, *kinds: type) -> ReplayedMoment | None:
    for page in reversed(replayed):
        if isinstance(page.event, kinds) and getattr(page.event, "seat", 0) == seat:
            return page
    return None
