"""Match the tags on the table with the cards that the rules expect.

Law: it is worked out again after every event from what the rules expect and what lies there, never
from how it came; so a restart or an undo finds the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.cards import FIGURE, TILE
from companion.core.events import Event
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture, Tag
from companion.tracking.sweep import mark_passed, match_sweep

FIGURE_COUNTS = ("tile", "rob")
"""While a tile is turned the figure may come early; at any other time that it comes is moot."""


# What was said.


POINTS_AT = {"seat", "bank", "slot"}
"""The fields of an event with a card looked at and put back on its pile."""


def explain_silence(picture: Picture, event: Event) -> Picture:
    """Return the picture after a card was put back, heard or not: it may silence the others."""
    if not {*event.__struct_fields__} >= POINTS_AT:
        return picture
    return forget_lifting(picture, picture.at_home(event.bank))  # type: ignore[attr-defined]


def forget_lifting(picture: Picture, names: Iterable[str]) -> Picture:
    """Return the picture with these tags not lifted: another piece silenced them."""
    return picture.change([name for name in names if picture.tag(name).off == "lifted"], off="")


def bind_tags(picture: Picture, place: int, names: Sequence[str]) -> Picture:
    """Account for these tags at this place from now on, on top of the others there."""
    if not names:
        return picture
    off = picture.select(lambda tag: tag.in_pile and tag.gone == place and not tag.place)
    picture = forget_lifting(picture, picture.at_home(place)).change(off, gone=0, in_pile=False)
    return picture.bring_home(names, place, off="", guess=False)


def bind_all(picture: Picture, place: int, names: Sequence[str]) -> Picture:
    """Account for these tags at this place, and for no others there."""
    others = [name for name in picture.at_home(place) if name not in names]
    tapped = [name for name in others if place in picture.taps and picture.life(name) == "lying"]
    return bind_tags(picture.change(tapped, place=0).change(others, home=0), place, names)


def exchange_tag(picture: Picture, old: str, new: str, place: int) -> Picture:
    """Return the picture with the new tag at this place instead of the old one.

    What the game has of the card stays as it is.
    """
    before, others = picture.tag(old), forget_tag(picture, new)
    is_at_home = before.home == place
    after = replace(before, place=before.place or (place if is_at_home else 0), off="")
    tags = {new if name == old else name: tag for name, tag in others.tags.items()}
    tags |= {new: after} if new in tags else {}
    passed = tuple(new if name == old else name for name in others.sweep.passed)
    picture = replace(others, tags=tags, sweep=replace(others.sweep, passed=passed))
    return mark_passed(picture, (new,)) if is_at_home and place == picture.sweep.place else picture


def forget_tag(picture: Picture, name: str) -> Picture:
    """Return the picture as if a tag had not come yet: it counts where it is laid next."""
    tags = {other: tag for other, tag in picture.tags.items() if other != name}
    passed = tuple(other for other in picture.sweep.passed if other != name)
    return replace(picture, tags=tags, sweep=replace(picture.sweep, passed=passed))


# What follows from it.


def match_tags(rules: AnyRulebook, state: GameState, picture: Picture) -> Picture:
    """Match the tags with the cards that the rules expect; return the picture with their homes.

    A card that should no longer lie at a place is gone from there. Where the rules know a card that
    no tag stands for, and such a card lies there new, that is the card; only where the game just
    takes cards that are tapped a card that came is a new one, unless it came late.
    """
    was, cards = picture, rules.expected_cards(state)
    has_figure = FIGURE in picture.pieces.values()
    under_figure = rules.places_at_stake(state) if has_figure else ()
    for tile in _tiles_face_down(state, picture):
        picture = picture.change([tile], home=0, gone=picture.tag(tile).home)
    for place, expected in cards.items():
        dropped, untagged = _compare(was, place, expected)
        picture = _take_off(rules, state, picture, place, dropped)
        found = tuple(_recognise(rules, state, was, place, untagged))
        picture = picture.bring_home(found, place, guess=place in picture.taps)
        here = picture.cards_at_home(place)
        lying = {picture.pieces.get(name) for name in picture.lying(place)}
        is_figure_unheard = place in under_figure and FIGURE not in lying
        is_card_new = len(expected) > len(here) or any(not was.tag(name).home for name in here)
        if is_figure_unheard or is_card_new:
            picture = forget_lifting(picture, here)
    if state.phase not in FIGURE_COUNTS:
        for name in picture.select(lambda tag: tag.place > 0):
            if picture.pieces.get(name) == FIGURE:
                picture = picture.bring_home([name], picture.tag(name).place)
    piled = (at for at, expected in cards.items() if len(expected) > 1 or at in under_figure)
    picture = _tidy(replace(picture, piles=frozenset(piled)), rules)
    sweep = rules.current_sweep(state)
    return match_sweep(picture, sweep) if picture.sweep.place or sweep is not None else picture


def _tidy(picture: Picture, rules: AnyRulebook) -> Picture:
    """Clear facts about tags that their new homes have made obsolete."""

    def tidy(tag: Tag) -> Tag:
        if not tag.home:
            # A card that comes again and is heard before it is taken off is known to be off then.
            is_heard = rules.cards_come_again and tag.gone == tag.place
            in_pile = tag.in_pile and not is_heard
            return replace(tag, again=False, guess=False, in_pile=in_pile)
        return replace(tag, off="") if tag.off == "elsewhere" and tag.home == tag.place else tag

    return replace(picture, tags={name: tidy(tag) for name, tag in picture.tags.items()})


def _compare(
    picture: Picture, place: int, expected: Sequence[str | None]
) -> tuple[list[str], Counter[str]]:
    """Return the place's tags without an expected card, and the expected cards without a tag.

    A tag whose name is not expected may stand for a card that has no name yet.
    """
    names = Counter(card for card in expected if card is not None)
    rest = list[str]()
    for name in picture.cards_at_home(place):
        if names[picture.pieces[name]] > 0:
            names[picture.pieces[name]] -= 1
        else:
            rest.append(name)
    return rest[sum(card is None for card in expected) :], +names


def _take_off(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int, dropped: Sequence[str]
) -> Picture:
    """Let the tags be gone whose cards have left a place, where they may still lie.

    What is tapped beside its place, or known to be off, lies there no more. A pile, or a card under
    others, stays gone even when it is silent.
    """
    is_tapped, is_swept = place in picture.taps, place == picture.sweep.place
    is_receiving = place in rules.tracking.receiving_places(state)
    is_emptied = is_tapped and not rules.expected_cards(state)[place] and not is_receiving
    is_whole = len(dropped) > 1 or is_swept or is_emptied
    for name in dropped:
        tag = picture.tag(name)
        comes_again = is_tapped and rules.cards_come_again and not is_swept
        is_under = picture.life(name) == "covered" and picture.is_heard(place)
        in_pile = tag.in_pile or (not comes_again and (is_whole or is_under))
        is_off = is_tapped or (tag.off and not tag.place)
        gone = place if in_pile or not is_off else 0
        at = 0 if is_tapped and tag.place == place else tag.place
        picture = picture.change([name], home=0, gone=gone, in_pile=in_pile, place=at)
    return picture


def _recognise(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int, names: Counter[str]
) -> Iterator[str]:
    """Yield the tags lying here, new or gone, that stand for a card which the game knows here.

    While a card is awaited, a tap brings that one. Over a reader, a card that was entered unheard
    may be heard when the next one moves the pile, so it is told from that one by its name first.
    """
    for name in picture.lying(place) if +names else ():
        card, tag = picture.pieces.get(name, ""), picture.tag(name)
        if names[card] <= 0 or (tag.home and tag.gone != place):
            continue
        is_tap_in_time = place in picture.taps and not tag.late and tag.gone != place
        if not (is_tap_in_time and takes_card(rules, state, picture, place, card)):
            names[card] -= 1
            yield name


def takes_card(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int, card: str
) -> bool:
    """Return whether the rules would grant it if this card came new to a place now."""
    if place not in rules.tracking.receiving_places(state):
        return False
    trial = replace(picture, pieces={"any": card}, tags={"any": Tag(place=place)})
    implied = rules.tracking.infer_events(state, trial)
    return any(fact.tag and rules.refuse(state, fact.event) is None for fact in implied)


def count_turned_tiles(state: Any) -> dict[str, int]:
    """Count the tiles that lie face up, by their tags: those of the box's `tiles` that the state
    has face down no more."""
    every: Mapping[str, int] = getattr(state.box, "tiles", {})
    return {TILE + tile: n - state.tiles[tile] for tile, n in every.items()}


def _tiles_face_down(state: GameState, picture: Picture) -> Iterator[str]:
    """Yield the tiles that were turned but count as face down: shuffled again, or undone."""
    left = Counter(count_turned_tiles(state))
    for name in picture.select(lambda tag: tag.home > 0):
        thing = picture.pieces.get(name, "")
        left[thing] -= 1
        if thing.startswith(TILE) and left[thing] < 0:
            yield name
