"""The sweep of a place as its reader hears it: which tags have come since it began, and counted.

Laws: a tag counts once. A card that a phone named already is not counted again when the reader
hears it after all. What was shown and then undone counts again only when it comes again. The
readers themselves believe a pile only if every card of it answers at its place at this moment.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from companion.core.sensor_events import Arrived, Evidence
from companion.core.sweep import Sweep
from companion.tracking.picture import Picture, PiecesByTag, is_card

replace = msgspec.structs.replace


def note_passing(before: Picture, after: Picture, evidence: Evidence) -> Picture:
    """Return the picture with a tag that evidence has just brought to the swept place."""
    if not isinstance(evidence, Arrived) or evidence.place != after.swept_place:
        return after
    tag, place = evidence.tag, evidence.place
    came = replace(after, came=before.came) != before
    late = tag in after.late and place not in after.taps
    return mark_passed(after, (tag,)) if came and not late and after.is_heard(place) else after


def mark_passed(picture: Picture, tags: tuple[str, ...]) -> Picture:
    """Return the picture with these tags as heard in the sweep."""
    return replace(picture, passed=tuple(dict.fromkeys((*picture.passed, *tags))))


def match_sweep(picture: Picture, sweep: Sweep | None, pieces: PiecesByTag) -> Picture:
    """Match the tags that came with the cards that the game says were shown."""
    place = 0 if sweep is None else sweep.place
    if place != picture.swept_place:
        picture = _begin_sweep(picture, place)
    if sweep is None:
        return picture
    left, counted = Counter(sweep.shown), list[str]()
    known = [tag for tag in picture.counted if tag in picture.passed]
    for tag in (*known, *(tag for tag in picture.passed if tag not in known)):
        name = pieces.get(tag)
        if name is not None and left[name] > 0 and _belongs_to(picture, tag, place):
            left[name] -= 1
            counted.append(tag)
    taken_back = {*known} - {*counted}
    passed = tuple(tag for tag in picture.passed if tag not in taken_back)
    return replace(picture, passed=passed, counted=tuple(counted))


def _begin_sweep(picture: Picture, place: int) -> Picture:
    """Begin to hear a place, whose pile counts again if it had left the game; 0 ends the sweep."""
    back = {t for t in picture.discarded if picture.spent.get(t) == place} if place else set()
    back = {tag for tag in back if not picture.place_of(tag)}
    return replace(
        picture,
        swept_place=place,
        passed=(),
        counted=(),
        spent={tag: at for tag, at in picture.spent.items() if tag not in back},
        discarded=picture.discarded - back,
    )


def _belongs_to(picture: Picture, tag: str, place: int) -> bool:
    """Return whether the game has this tag at the place, or nowhere."""
    return picture.home.get(tag, place) == place


def uncounted_cards(picture: Picture, pieces: PiecesByTag) -> Iterator[tuple[str, str]]:
    """Yield tag and name of each card that came to the swept place and does not count yet."""
    for tag in picture.passed:
        name = pieces.get(tag)
        if tag in picture.counted or name is None or not is_card(name):
            continue
        if _belongs_to(picture, tag, picture.swept_place):
            yield tag, name


def is_whole_pile_heard(picture: Picture, sweep: Sweep, pieces: PiecesByTag) -> bool:
    """Return whether the believed cards, and no others, answer at their place at this moment."""
    place = sweep.place
    if place in picture.taps or picture.odd.get(place, "nothing") != "nothing":
        return False
    here = picture.lying.get(place, ())
    unknown = any(tag not in pieces for tag in here)
    cards = [tag for tag in here if is_card(pieces.get(tag))]
    homed = [tag for tag in picture.home_tags(place) if is_card(pieces.get(tag))]
    names = Counter(pieces.get(tag) for tag in cards)
    return not unknown and {*cards} == {*homed} and names == Counter(sweep.believed)
