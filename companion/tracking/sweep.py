"""The sweep of a place as its reader hears it.

Laws: a tag counts once. A card that a phone named already is not counted again when the reader
hears it after all. What was shown and then undone counts again only when it comes again. The
readers themselves believe a pile only if every card of it answers at its place at this moment, or
if its cards lie open, no reader is under them, and none was tapped elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.core.sensor_events import Arrived, Evidence
from companion.core.sweep import Sweep
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import InferredEvent, Passing, Picture


def note_passing(picture: Picture, evidence: Evidence) -> Picture:
    """Return the picture with a tag that evidence has just brought to the swept place."""
    if not isinstance(evidence, Arrived) or evidence.place != picture.sweep.place:
        return picture
    name, place = evidence.tag, evidence.place
    is_late = picture.tag(name).late and place not in picture.taps
    return picture if is_late or not picture.is_heard(place) else mark_passed(picture, (name,))


def mark_passed(picture: Picture, names: Sequence[str]) -> Picture:
    """Return the picture with these tags as heard in the sweep."""
    passed = tuple(dict.fromkeys((*picture.sweep.passed, *names)))  # Each where it came first.
    return replace(picture, sweep=replace(picture.sweep, passed=passed))


def match_sweep(picture: Picture, sweep: Sweep | None) -> Picture:
    """Match the tags of a sweep with the cards shown in the game."""
    place = 0 if sweep is None else sweep.place
    if place != picture.sweep.place:
        picture = _begin_sweep(picture, place)
    if sweep is None:
        return picture
    heard, left, counted = picture.sweep, Counter(sweep.shown), list[str]()
    known = [name for name in heard.counted if name in heard.passed]
    for name in (*known, *(name for name in heard.passed if name not in known)):
        thing = picture.pieces.get(name, "")
        if left[thing] > 0 and _belongs_to(picture, name, place):
            left[thing] -= 1
            counted.append(name)
    taken_back = {*known} - {*counted}
    passed = tuple(name for name in heard.passed if name not in taken_back)
    return replace(picture, sweep=replace(heard, passed=passed, counted=tuple(counted)))


def _begin_sweep(picture: Picture, place: int) -> Picture:
    """Begin to hear a place, whose pile counts again if it had left the game; 0 ends the sweep.

    The cards that were shown at the place before are a pile, wherever they are taken to.
    """
    is_doubted = _is_under_pile(picture, place) or _is_contested(picture, place)
    back = picture.select(lambda tag: tag.in_pile and tag.gone == place and not tag.place)
    before = picture.sweep
    shown = [name for name in before.passed if picture.tag(name).home == before.place]
    picture = picture.change(back, gone=0, in_pile=False).change(shown, in_pile=True)
    return replace(picture, sweep=Passing(place, is_doubted=is_doubted))


def infer_sweep(rules: AnyRulebook, state: GameState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield each card that came to the swept place, and the whole pile if nothing is in doubt."""
    sweep, events = rules.current_sweep(state), rules.tracking.sweep_events
    if sweep is None or events is None:
        return
    place = sweep.place
    listening = place if picture.is_heard(place) else 0
    for name in picture.sweep.passed if listening else ():
        is_counted = name in picture.sweep.counted
        if picture.is_card(name) and not is_counted and _belongs_to(picture, name, place):
            shown = events.show_card(state, picture.pieces[name])
            yield InferredEvent(shown, place, name)
    # Where no card is ever lifted to be seen, all lie open. Where a reader was under the pile when
    # the sweep began, only that one can tell.
    is_open = not rules.tracking.lifting_phases
    is_believed = is_open and not picture.sweep.is_doubted and not sweep.shown
    if not sweep.is_always and (is_believed or _is_whole_pile_heard(picture, sweep)):
        yield InferredEvent(events.believe_pile(state), listening, "")


def _belongs_to(picture: Picture, name: str, place: int) -> bool:
    """Return whether the game has this tag at the place, or nowhere."""
    return picture.tag(name).home in (0, place)


def _is_under_pile(picture: Picture, place: int) -> bool:
    """Return whether a reader listens under the pile of a place, not beside it."""
    return picture.is_heard(place) and place not in picture.taps


def _is_contested(picture: Picture, place: int) -> bool:
    """Return whether a card was tapped here that is not of this place, or one of it elsewhere."""
    names = {*picture.at_home(place), *(picture.lying(place) if picture.is_heard(place) else ())}
    strange = (name for name in names if picture.life(name) in ("arrived", "elsewhere"))
    tapped = {name for name in names if picture.tag(name).again}
    tapped.update(name for name in strange if picture.tag(name).place)
    return any((place, name) not in picture.accepted for name in tapped)


def _is_whole_pile_heard(picture: Picture, sweep: Sweep) -> bool:
    """Return whether the believed cards, and no others, answer at their place at this moment."""
    place = sweep.place
    if not _is_under_pile(picture, place) or picture.is_odd(place):
        return False
    here = picture.lying(place)
    cards = [name for name in here if picture.is_card(name)]
    is_unknown = any(name not in picture.pieces for name in here)
    names = Counter(picture.pieces[name] for name in cards)
    is_home = {*cards} == {*picture.cards_at_home(place)}
    return not is_unknown and is_home and names == Counter(sweep.believed)
