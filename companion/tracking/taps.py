"""Taps: at some places the reader lies beside the pile, and a card is held over it as it is laid.

Laws: silence means nothing at a place of taps, so nothing is ever missing there. A card lies where
it was tapped last, until the game or another tap says otherwise. A tap at a moment when no card is
laid there places nothing later on. A tap where a card of that name was entered is taken for that
one, until the same card is tapped elsewhere. What lies on a reader that is switched on is no tap.
An unknown sticker is asked about until a known card is tapped there after it.
"""

import msgspec

from companion.core.cards import FIGURE
from companion.core.sensor_events import Arrived, FellSilent, Left
from companion.tracking.picture import (
    Picture,
    PiecesByTag,
    is_card,
    lay_tag,
    renew_tag,
)

replace = msgspec.structs.replace

BOUNCE = 1.5
"""Seconds after its last answer in which a card that answers again is still the same tap."""


def apply_tap(
    picture: Picture,
    evidence: Arrived | Left | FellSilent,
    pieces: PiecesByTag,
    awaited: frozenset[int],
) -> Picture:
    """Return the picture after a tap, or after the end of one."""
    match evidence:
        case Arrived(place=place) if place not in picture.blind:
            return _tap_card(picture, evidence, pieces, awaited)
        case FellSilent(tag=tag, since=since):
            lifted = picture.lifted if tag in pieces else picture.lifted | {tag}
            return replace(picture, came={**picture.came, tag: since}, lifted=lifted)
    return picture


def _tap_card(
    picture: Picture, tap: Arrived, pieces: PiecesByTag, awaited: frozenset[int]
) -> Picture:
    tag, place = tap.tag, tap.place
    picture = _drop_guess(picture, tag, place)
    before, at = picture.place_of(tag), picture.came.get(tag, float("-inf"))
    picture = replace(picture, came={**picture.came, tag: tap.at})
    if before == place and tap.at - at <= BOUNCE:
        return replace(picture, lifted=picture.lifted - {tag})
    if is_card(pieces.get(tag)):
        picture = _drop_unknown_taps(picture, place, pieces)
    untimely = place not in awaited and pieces.get(tag) != FIGURE
    again = is_card(pieces.get(tag)) and picture.home.get(tag) == place and before in (0, place)
    picture = replace(
        picture,
        lying=lay_tag(picture.lying, tag, place),
        lifted=picture.lifted - {tag} if tag not in pieces else picture.lifted,
        late=picture.late | {tag} if untimely else picture.late - {tag},
        double=picture.double | {tag} if again else picture.double - {tag},
    )
    discarded = tag in picture.discarded and picture.spent.get(tag) == place
    return picture if discarded else renew_tag(picture, tag, pieces)


def _drop_guess(picture: Picture, tag: str, place: int) -> Picture:
    """Return the picture without the guess that this tag is a card entered at another place."""
    if tag not in picture.guessed or picture.home.get(tag) == place:
        return picture
    home = {other: at for other, at in picture.home.items() if other != tag}
    return replace(picture, home=home, guessed=picture.guessed - {tag})


def _drop_unknown_taps(picture: Picture, place: int, pieces: PiecesByTag) -> Picture:
    """Return the picture without the unknown stickers that were tapped here and taken away."""
    here = picture.lying.get(place, ())
    unknown = [tag for tag in here if tag not in pieces and tag in picture.lifted]
    dropped = drop_taps(picture, place, unknown)
    return replace(dropped, lifted=picture.lifted.difference(unknown))


def is_second_tap(picture: Picture, evidence: object) -> bool:
    """Return whether this was a tap of a card that the game has there already."""
    return isinstance(evidence, Arrived) and evidence.tag in picture.double


def drop_taps(picture: Picture, place: int, tags: list[str]) -> Picture:
    """Return the picture without these tags, whose cards are no longer at a place of taps."""
    here = tuple(tag for tag in picture.lying.get(place, ()) if tag not in tags)
    return replace(picture, lying={**picture.lying, place: here})


def forget_old_taps(picture: Picture) -> Picture:
    """Return the picture without the taps of cards that the last game had, and of unknown ones."""
    known = {*picture.home, *picture.spent, *picture.lifted}
    for place in picture.taps:
        picture = drop_taps(picture, place, [t for t in picture.lying.get(place, ()) if t in known])
    return picture
