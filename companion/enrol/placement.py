"""Update the enrolment walk with what the readers sense.

Laws: one thing lies on the table at a time, so it is never a guess which sticker is on it. A pile
may be passed over one reader card by card, in the order in which it is asked for: the next card
counts once the one before is gone. What cannot be right is said at once, in one sentence with what
to do, and enrols nothing.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.core.deck import name_piece
from companion.core.i18n import Message, message
from companion.core.sensor_events import (
    Arrived,
    ButtonPressed,
    Evidence,
    FellSilent,
    Left,
    Odd,
    ReaderLost,
)
from companion.enrol.walk import (
    LyingTag,
    Trouble,
    Walk,
    WalkUpdate,
    describe_lost_reader,
    describe_oddity,
    drop_place,
    enrol_mark,
    skip_thing,
    undo_step,
    update_oddities,
    without_last_step,
)

TOGETHER = 1.0
"""Seconds: what arrives within them came in one hand, in an unknown order."""
TOGETHER_HERE = 0.4
"""The same at one reader, which hears in one look, or else in the next, what is laid together."""
STICKER_PREFIX, STICKER_BYTES = "04", 7
"""First byte and length of the UIDs of the stickers that the table is built for."""


def is_sticker(tag: str) -> bool:
    """Return whether a UID is that of a sticker of the right kind."""
    return len(tag) == 2 * STICKER_BYTES and tag.startswith(STICKER_PREFIX)


def take_evidence(walk: Walk, evidence: Evidence) -> WalkUpdate:
    """Return the walk after a sensor event, and the message, if any."""
    match evidence:
        case Arrived():
            return _tag_arrived(walk, evidence)
        case Left() | FellSilent():
            return _tag_left(walk, walk.deck.mark(evidence.tag), evidence.place)
        case Odd():
            return _oddity_changed(walk, evidence)
        case ReaderLost():
            return _reader_lost(walk, evidence)
        case ButtonPressed():
            return skip_thing(walk) if evidence.held else undo_step(walk)
    return walk, None


def _tag_arrived(walk: Walk, arrived: Arrived) -> WalkUpdate:
    mark, others = walk.deck.mark(arrived.tag), walk.lying
    if mark in others:
        return _tag_twice(walk, others[mark], arrived.place)
    fits = is_sticker(arrived.tag)
    walk = _with_lying(walk, {**others, mark: LyingTag(arrived.place, arrived.at, fits)})
    if not walk.has_begun:
        return walk, None
    if not others:
        return _judge_alone(walk, mark)
    if any(_came_together(arrived, other) for other in others.values()):
        return _undo_together(walk, arrived)
    if walk.trouble == "all off":
        return walk, None
    text = (
        "Something still lies on reader {numbers}: take it off; only the next card may lie there."
    )
    return _with_trouble(walk, "one off"), message(text, numbers=_list_places(others.values()))


def _came_together(arrived: Arrived, other: LyingTag) -> bool:
    """Return whether a tag may have come in one hand with another one."""
    apart = TOGETHER_HERE if arrived.place == other.place else TOGETHER
    return arrived.at - other.since < apart


def _with_lying(walk: Walk, lying: Mapping[str, LyingTag]) -> Walk:
    return msgspec.structs.replace(walk, lying=lying)


def _with_trouble(walk: Walk, trouble: Trouble) -> Walk:
    return msgspec.structs.replace(walk, trouble=trouble)


def _list_places(lying: Iterable[LyingTag]) -> list[int]:
    return sorted({one.place for one in lying})


def _tag_twice(walk: Walk, known: LyingTag, place: int) -> WalkUpdate:
    """Report a tag that two readers hear; on its own reader that is no news."""
    if known.place == place or not walk.has_begun:
        return walk, None
    return _with_trouble(walk, "all off"), describe_oddity("twin", place)


def _undo_together(walk: Walk, arrived: Arrived) -> WalkUpdate:
    """Report tags that came in one hand, and take back what the first of them enrolled."""
    first = walk.lying.get(walk.latest)
    if first is not None and _came_together(arrived, first):
        walk = without_last_step(walk)
    text = "Several stickers came at once, on reader {numbers}: take all off, lay one at a time."
    return _with_trouble(walk, "all off"), message(text, numbers=_list_places(walk.lying.values()))


def _judge_alone(walk: Walk, mark: str) -> WalkUpdate:
    """Judge a tag that lies alone: enrol it, or say why not."""
    lying = msgspec.structs.replace(walk.lying[mark], is_judged=True)
    walk = _with_trouble(_with_lying(walk, {mark: lying}), "refused")
    if not lying.is_sticker:
        text = (
            "What lies on reader {place} is no sticker of the right kind: take one of the kind "
            "NTAG213, whose number has seven bytes."
        )
        return walk, message(text, place=lying.place)
    if mark in walk.deck.things:
        return _say_known(walk, walk.deck.things[mark])
    if walk.asked is None:
        text = "Everything is enrolled; what lies on reader {place} belongs to nothing."
        return walk, message(text, place=lying.place)
    return enrol_mark(walk, mark)


def _say_known(walk: Walk, thing: str) -> WalkUpdate:
    facts = {"thing": name_piece(thing), "other_thing": walk.wanted_name}
    if walk.asked is None or walk.asked[0] == thing:
        text = (
            "This sticker was enrolled before, as {thing}: lay another card; if that one has its "
            "own, the two are twins, and one needs a new sticker."
        )
        return walk, Message(text, facts)
    text = (
        "This sticker was enrolled before, as {thing}: lay another card, or press r if it is on "
        "{other_thing} now; if both have one, they are twins, and one needs a new sticker."
    )
    return _with_trouble(walk, "known"), Message(text, facts)


def _tag_left(walk: Walk, mark: str, place: int) -> WalkUpdate:
    lying = walk.lying.get(mark)
    if lying is None or lying.place != place:
        return walk, None
    walk = _with_lying(walk, {other: there for other, there in walk.lying.items() if other != mark})
    return _judge_remaining(walk) if walk.has_begun else (walk, None)


def _judge_remaining(walk: Walk) -> WalkUpdate:
    """Judge what is left after a tag was taken off."""
    was = walk.trouble
    if not walk.lying:
        walk = _with_trouble(walk, "")
        return walk, walk.instruction if was and walk.asked else None
    if was != "one off" or len(walk.lying) > 1:
        return walk, None
    ((mark, last),) = walk.lying.items()
    if not last.is_judged:
        return _judge_alone(walk, mark)
    walk = _with_trouble(walk, "")
    return walk, walk.instruction if walk.asked else None


def _oddity_changed(walk: Walk, odd: Odd) -> WalkUpdate:
    walk = msgspec.structs.replace(walk, odd=update_oddities(walk.odd, odd))
    if not walk.has_begun:
        return walk, None
    if odd.what != "nothing":
        return walk, describe_oddity(odd.what, odd.place)
    calm = not walk.trouble and not walk.odd
    return walk, walk.instruction if calm and walk.asked else None


def _reader_lost(walk: Walk, report: ReaderLost) -> WalkUpdate:
    """Take what lies on a silent reader as taken off."""
    kept = {mark: there for mark, there in walk.lying.items() if there.place != report.place}
    walk = msgspec.structs.replace(walk, lying=kept, odd=drop_place(walk.odd, report.place))
    return (walk if kept else _with_trouble(walk, "")), describe_lost_reader(report)
