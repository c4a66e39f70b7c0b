"""What the readers tell during the walk, and what it means for it.

Laws: one thing lies on the table at a time, so nobody has to guess which is which. What cannot be
right is said at once, in one sentence with what to do, and enrols nothing.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.core.deck import name_piece
from companion.core.i18n import Message, message
from companion.core.sensor_events import Arrived, ButtonPressed, Evidence, Left, Odd, ReaderLost
from companion.enrol.walk import (
    Lying,
    Told,
    Trouble,
    Walk,
    after,
    back,
    enrol,
    lost,
    skip,
    undo,
    why,
    without,
)

TOGETHER = 1.0
"""Seconds: what arrives within them came in one hand, and nobody knows in which order."""
STICKER, STICKER_BYTES = "04", 7
"""How the UIDs of the stickers begin that the table is built for, and how long they are."""


def heard(walk: Walk, evidence: Evidence) -> Told:
    """The walk after a piece of evidence, and what there is to say."""
    match evidence:
        case Arrived():
            return _arrived(walk, evidence)
        case Left():
            return _left(walk, walk.deck.mark(evidence.tag), evidence.place)
        case Odd():
            return _odd(walk, evidence)
        case ReaderLost():
            return _lost(walk, evidence)
        case ButtonPressed():
            return skip(walk) if evidence.held else undo(walk)
    return walk, None


def _arrived(walk: Walk, arrived: Arrived) -> Told:
    mark, others = walk.deck.mark(arrived.tag), walk.lying
    if mark in others:
        return _twin(walk, others[mark], arrived.place)
    fits = len(arrived.tag) == 2 * STICKER_BYTES and arrived.tag.startswith(STICKER)
    walk = _lay(walk, {**others, mark: Lying(arrived.place, arrived.at, fits)})
    if not walk.begun:
        return walk, None
    if not others:
        return _alone(walk, mark)
    if any(arrived.at - other.since < TOGETHER for other in others.values()):
        return _together(walk, arrived)
    if walk.trouble == "all off":
        return walk, None
    text = (
        "Something still lies on reader {numbers}: take it off; only the next card may lie there."
    )
    return _in(walk, "one off"), message(text, numbers=_places(others.values()))


def _lay(walk: Walk, lying: Mapping[str, Lying]) -> Walk:
    return msgspec.structs.replace(walk, lying=lying)


def _in(walk: Walk, trouble: Trouble) -> Walk:
    return msgspec.structs.replace(walk, trouble=trouble)


def _places(lying: Iterable[Lying]) -> list[int]:
    return sorted({one.place for one in lying})


def _twin(walk: Walk, known: Lying, place: int) -> Told:
    """A tag arrives that lies there already: at its own place that is no news."""
    if known.place == place or not walk.begun:
        return walk, None
    return _in(walk, "all off"), why("twin", place)


def _together(walk: Walk, arrived: Arrived) -> Told:
    """Several came in one hand. What was made of the first of them is taken back."""
    first = walk.lying.get(walk.latest)
    if first is not None and arrived.at - first.since < TOGETHER:
        walk = back(walk)
    text = "Several stickers came at once, on reader {numbers}: take all off, lay one at a time."
    return _in(walk, "all off"), message(text, numbers=_places(walk.lying.values()))


def _alone(walk: Walk, mark: str) -> Told:
    """A tag lies alone: what is it?"""
    lying = msgspec.structs.replace(walk.lying[mark], judged=True)
    walk = _in(_lay(walk, {mark: lying}), "refused")
    if not lying.fits:
        text = (
            "What lies on reader {place} is no sticker of the right kind: take one of the kind "
            "NTAG213, whose number has seven bytes."
        )
        return walk, message(text, place=lying.place)
    if mark in walk.deck.things:
        return _known(walk, walk.deck.things[mark])
    if walk.asked is None:
        text = "Everything is enrolled; what lies on reader {place} belongs to nothing."
        return walk, message(text, place=lying.place)
    return enrol(walk, mark)


def _known(walk: Walk, thing: str) -> Told:
    facts = {"thing": name_piece(thing), "other_thing": walk.wanted}
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
    return _in(walk, "known"), Message(text, facts)


def _left(walk: Walk, mark: str, place: int) -> Told:
    lying = walk.lying.get(mark)
    if lying is None or lying.place != place:
        return walk, None
    walk = _lay(walk, {other: there for other, there in walk.lying.items() if other != mark})
    return _fewer(walk) if walk.begun else (walk, None)


def _fewer(walk: Walk) -> Told:
    """Something was taken off; perhaps that puts right what was wrong."""
    was = walk.trouble
    if not walk.lying:
        walk = _in(walk, "")
        return walk, walk.next if was and walk.asked else None
    if was != "one off" or len(walk.lying) > 1:
        return walk, None
    ((mark, last),) = walk.lying.items()
    if not last.judged:
        return _alone(walk, mark)
    walk = _in(walk, "")
    return walk, walk.next if walk.asked else None


def _odd(walk: Walk, odd: Odd) -> Told:
    walk = msgspec.structs.replace(walk, odd=after(walk.odd, odd))
    if not walk.begun:
        return walk, None
    if odd.what != "nothing":
        return walk, why(odd.what, odd.place)
    calm = not walk.trouble and not walk.odd
    return walk, walk.next if calm and walk.asked else None


def _lost(walk: Walk, news: ReaderLost) -> Told:
    """What lies on a reader that fell silent is as good as taken off."""
    kept = {mark: there for mark, there in walk.lying.items() if there.place != news.place}
    walk = msgspec.structs.replace(walk, lying=kept, odd=without(walk.odd, news.place))
    return (walk if kept else _in(walk, "")), lost(news)
