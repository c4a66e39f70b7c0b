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
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture, Tag, renew_tag

replace = msgspec.structs.replace

BOUNCE = 1.5
"""Seconds after its last answer in which a card that answers again is still the same tap."""


def apply_tap(
    picture: Picture, evidence: Arrived | Left | FellSilent, awaited: frozenset[int]
) -> Picture:
    """Return the picture after a tap, or after its end; it means nothing where none is awaited."""
    name = evidence.tag
    match evidence:
        case Arrived(place=place) if place not in picture.deaf:
            return _tap_card(picture, evidence, is_timely=place in awaited)
        case FellSilent(since=since):
            off = picture.tag(name).off if name in picture.pieces else "lifted"
            return picture.change([name], since=since, off=off)
    return picture


def is_same_tap(picture: Picture, evidence: Arrived) -> bool:
    """Return whether a card answers again that is still held over the reader."""
    tag = picture.tag(evidence.tag)
    return tag.place == evidence.place and evidence.at - tag.since <= BOUNCE


def _tap_card(picture: Picture, tap: Arrived, *, is_timely: bool) -> Picture:
    name, place = tap.tag, tap.place
    is_card, thing = picture.is_card(name), picture.pieces.get(name)
    if is_card:
        picture = _drop_unknown_taps(picture, place)
    tag = picture.tag(name)
    if tag.guess and tag.home != place:  # It was another card that was entered there.
        tag = replace(tag, home=0, guess=False)
    tapped = replace(
        tag,
        place=place,
        since=tap.at,
        off="" if tag.home in (0, place) else "elsewhere",
        late=not is_timely and thing != FIGURE,
        again=is_card and tag.home == place and tag.place in (0, place),
    )
    picture = replace(picture, tags={**picture.tags, name: tapped})
    return picture if tag.in_pile and tag.gone == place else renew_tag(picture, name)


def _drop_unknown_taps(picture: Picture, place: int) -> Picture:
    """Return the picture without the unknown stickers that were tapped here and taken away."""
    here = picture.lying(place)
    unknown = [t for t in here if t not in picture.pieces and picture.tag(t).off == "lifted"]
    return picture.change(unknown, place=0, off="")


def are_taps_looks(rules: AnyRulebook, state: GameState | None) -> bool:
    """Return whether cards that lie there are tapped now to look at them."""
    looking = (*rules.tracking.lifting_phases, "over")
    return state is None or rules.current_sweep(state) is not None or state.phase in looking


def forget_second_taps(picture: Picture) -> Picture:
    """Return the picture in which no card was tapped where it lay already."""
    return picture.change(picture.which(lambda tag: tag.again), again=False)


def forget_game(picture: Picture) -> Picture:
    """Return the picture for a new game: all that lies there has come, but what was tapped for the
    last one, and nothing is accepted."""

    def is_old(tag: Tag) -> bool:
        return tag.place in picture.taps and bool(tag.home or tag.gone or tag.off == "lifted")

    lying = {
        name: Tag(place=tag.place, since=tag.since)
        for name, tag in picture.tags.items()
        if tag.place and not is_old(tag)
    }
    return Picture(
        pieces=picture.pieces,
        tags=lying,
        taps=picture.taps,
        deaf=picture.deaf,
        found=picture.found,
        odd=picture.odd,
        one_reader=picture.one_reader,
    )
