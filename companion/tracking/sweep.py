"""The sweep of a place as its reader hears it: which tags have come since it began, and counted.

Laws: a tag counts once. A card that a phone named already is not counted again when the reader
hears it after all. What was shown and then undone counts again only when it comes again. The
readers themselves believe a pile only if every card of it answers at its place at this moment, or
if its cards lie open, no reader is under them, and none was tapped elsewhere. A card counts as
covered if its reader heard it there and it is silent when the sweep begins, with nothing of its
pile lifted by then.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.core.events import Event
from companion.core.sensor_events import Arrived, Evidence
from companion.core.sweep import Revealing, Sweep, note_passed
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
    return replace(picture, passed=note_passed(picture.passed, *tags))


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
        covered=_covered_tags(picture, place),
        is_doubted=_is_under_pile(picture, place) or _is_contested(picture, place),
        spent={tag: at for tag, at in picture.spent.items() if tag not in back},
        discarded=picture.discarded - back,
    )


def _covered_tags(picture: Picture, place: int) -> frozenset[str]:
    """Return the tags that lie silent under others at a place whose reader listens beneath them."""
    homed = picture.home_tags(place)
    is_lifted = any(picture.is_off(tag) for tag in homed)
    if is_lifted or not _is_under_pile(picture, place):
        return frozenset()
    return frozenset(tag for tag in homed if picture.is_covered(tag))


def covered_slots(
    picture: Picture, cards: Sequence[str | None], pieces: PiecesByTag
) -> dict[int, str]:
    """Return which of the cards at the swept place lay covered: the tag of each, by its slot."""
    return _slots_of(picture, picture.swept_place, picture.covered, cards, pieces)


def covered_now(
    picture: Picture, place: int, cards: Sequence[str | None], pieces: PiecesByTag
) -> list[int]:
    """Return the slots of the cards that lie covered at a place at this moment."""
    return sorted(_slots_of(picture, place, _covered_tags(picture, place), cards, pieces))


def _slots_of(
    picture: Picture,
    place: int,
    covered: frozenset[str],
    cards: Sequence[str | None],
    pieces: PiecesByTag,
) -> dict[int, str]:
    """Return the covered tags of a place by the slots of their cards.

    Cards of one name are told apart by the order in which they came, if every one has its tag.
    """
    found = dict[int, str]()
    for name in {card for card in cards if card is not None}:
        slots = [slot for slot, card in enumerate(cards, 1) if card == name]
        tags = [t for t in picture.home_tags(place) if pieces.get(t) == name]
        if len(slots) == len(tags):
            found |= {s: t for s, t in zip(slots, tags, strict=True) if t in covered}
    return found


def note_covered(
    event: Event, tags: Sequence[str], covered: Mapping[int, str], cards: Sequence[str | None]
) -> Event:
    """Return an event with the covered cards that it reveals; one that reveals none as it is.

    It reveals the card of its tag, or those of its name where a phone said it, or the whole pile.
    """
    if not isinstance(event, Revealing):
        return event
    name = getattr(event, "card", None)
    slots = [slot for slot, tag in covered.items() if not tags or tag in tags]
    if name is not None:
        slots = [slot for slot in slots if cards[slot - 1] == str(name)]
    return replace(event, covered=tuple(sorted(slots)))


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


def is_undoubted(picture: Picture, sweep: Sweep, pieces: PiecesByTag, lie_open: bool) -> bool:
    """Return whether a pile is what was noted, as far as readers and people can know unswept.

    Where a reader was under it when the sweep began, only that one can tell.
    """
    if lie_open and not picture.is_doubted and not sweep.shown:
        return True
    return _is_whole_pile_heard(picture, sweep, pieces)


def _is_under_pile(picture: Picture, place: int) -> bool:
    """Return whether a reader listens under the pile of a place, not beside it."""
    return picture.is_heard(place) and place not in picture.taps


def _is_contested(picture: Picture, place: int) -> bool:
    """Return whether a card was tapped here that is not of this place, or one of it elsewhere."""
    here = picture.lying.get(place, ()) if picture.is_heard(place) else ()
    homed = picture.home_tags(place)
    strange = [tag for tag in here if tag not in homed and picture.spent.get(tag) != place]
    moved = [t for t in homed if t in picture.double or picture.place_of(t) not in (0, place)]
    return not {*strange, *moved} <= picture.accepted.get(place, frozenset())


def _is_whole_pile_heard(picture: Picture, sweep: Sweep, pieces: PiecesByTag) -> bool:
    """Return whether the believed cards, and no others, answer at their place at this moment."""
    place = sweep.place
    if not _is_under_pile(picture, place) or picture.odd.get(place, "nothing") != "nothing":
        return False
    here = picture.lying.get(place, ())
    unknown = any(tag not in pieces for tag in here)
    cards = [tag for tag in here if is_card(pieces.get(tag))]
    homed = [tag for tag in picture.home_tags(place) if is_card(pieces.get(tag))]
    names = Counter(pieces.get(tag) for tag in cards)
    return not unknown and {*cards} == {*homed} and names == Counter(sweep.believed)
