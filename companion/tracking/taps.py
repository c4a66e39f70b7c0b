"""Taps: at some places the reader lies beside the pile, and a card is held over it as it is laid.

Laws: silence means nothing at a place of taps, so nothing is ever missing there. A card lies where
it was tapped last, until the game or another tap says otherwise. A tap at a moment when no card is
laid there places nothing later on. A tap where a card of that name was entered is taken for that
one, until the same card is tapped elsewhere. What lies on a reader that is switched on is no tap.
An unknown sticker is asked about until a known card is tapped there after it. People are told how a
card is laid just now; where all readers lie under their places, which notice it by themselves,
nothing is said.
"""

import msgspec

from companion.core.cards import FIGURE
from companion.core.i18n import N_, Message
from companion.core.sensor_events import Arrived, FellSilent, Left
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
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


LAY_AT = N_("{use}: hold the card to the reader beside it, then lay it down.")
LAY = N_("Hold the card to the reader beside its place, then lay it down.")
LAY_AT_SOME = N_("Hold the card to the reader beside {things}; elsewhere just lay it down.")
MEANT = N_("Hold the card that is meant to the reader beside its place.")
MEANT_AT_SOME = N_(
    "Hold the card that is meant to the reader beside {things}; elsewhere lift it and put it back."
)


def describe_laying(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> Message | None:
    """Return what to do with a card now at the places whose reader lies beside them; None if there
    are none."""
    if state is None or picture.one_reader or rules.current_sweep(state) is not None:
        return None
    game = rules.tracking
    moving = game.moving_places.get(state.phase, frozenset())
    places, is_laid = game.receiving_places(state) | moving, True
    if not places and state.phase in game.lifting_phases:
        places, is_laid = frozenset(rules.expected_cards(state)), False
    heard = sorted(place for place in places if picture.is_heard(place))
    beside = [place for place in heard if place in picture.taps]
    names = [game.name_place(place) for place in beside]
    if not beside:
        return None
    if len(heard) > len(beside):
        return Message(LAY_AT_SOME if is_laid else MEANT_AT_SOME, {"things": names})
    if is_laid and len(names) == 1:
        return Message(LAY_AT, {"use": names[0]})
    return Message(LAY if is_laid else MEANT)
