"""Accounting: which of the tags on the table the game accounts for, and where.

Law: it is worked out anew after every event from what the rules expect and what lies there, never
from how it came; so a restart or an undo finds the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.tracking.picture import Picture, Things, is_card

replace = msgspec.structs.replace


class Expected(NamedTuple):
    """What the rules expect: the cards at each place (None for one that nobody has named), the
    places that just take a new card, the tiles that have been turned since they were shuffled,
    whether the figure means something if it comes, and the places to which a card is now moved
    that lay elsewhere before."""

    lies: Mapping[int, tuple[str | None, ...]]
    taking: frozenset[int]
    turned: Mapping[str, int]
    figure: bool
    moving: frozenset[int]


def bind(picture: Picture, place: int, tags: tuple[str, ...]) -> Picture:
    """The game accounts for these tags at this place from now on."""
    home = {**picture.home, **dict.fromkeys(tags, place)}
    spent = {tag: at for tag, at in picture.spent.items() if tag not in tags}
    return replace(picture, home=home, spent=spent, lifted=picture.lifted - {*tags})


def account(picture: Picture, expected: Expected, things: Things) -> Picture:
    """The picture after something happened: homes as the rules have them now.

    What should no longer lie at a place is spent there. Where the rules know a card that no tag
    stands for, and such a card lies there new, that is the card; only where the game just takes
    cards a card that came is a new one, unless it came late.
    """
    home = {tag: at for tag, at in picture.home.items() if at not in expected.lies}
    spent = dict(picture.spent)
    for tag in _face_down_again(home, expected.turned, things):
        spent[tag] = home.pop(tag)
    for place, cards in expected.lies.items():
        kept, dropped, unmatched = _matched(picture.homed(place), cards, things)
        home.update(dict.fromkeys(kept, place))
        spent.update(dict.fromkeys(dropped, place))
        for gone, tag in _stand_ins(picture, place, kept, things).items():
            del home[gone]
            home[tag] = place
        for tag in _known_again(picture, place, unmatched, things, place in expected.taking):
            home[tag] = place
            spent.pop(tag, None)
    if not expected.figure:
        home.update(_figures(picture, things))
    return replace(picture, home=home, spent=spent, idle=_idle(picture, expected.moving))


def _idle(picture: Picture, moving: frozenset[int]) -> frozenset[str]:
    """The tags that came to a place when nothing was to be moved there: they mean nothing."""
    waiting = {tag for place in moving for tag in picture.lying.get(place, ())}
    lying = {tag for tags in picture.lying.values() for tag in tags}
    return frozenset((lying - waiting) | (picture.idle & lying))


def _face_down_again(
    home: Mapping[str, int], turned: Mapping[str, int], things: Things
) -> list[str]:
    """The tiles that were turned once and count as face down: all are shuffled, or it is undone."""
    left = dict(turned)
    found = list[str]()
    for tag in home:
        thing = things.get(tag, "")
        if thing.startswith(TILE):
            left[thing] = left.get(thing, 0) - 1
            found += [tag] if left[thing] < 0 else []
    return found


def _figures(picture: Picture, things: Things) -> Iterator[tuple[str, int]]:
    for place, tags in picture.lying.items():
        yield from ((tag, place) for tag in tags if things.get(tag) == FIGURE)


def _matched(
    tags: tuple[str, ...], expected: tuple[str | None, ...], things: Things
) -> tuple[list[str], list[str], Counter[str]]:
    """Which homes still stand, which do not, and the names that no home stands for.

    A home whose name is not expected may stand for a card that nobody has named.
    """
    names = Counter(card for card in expected if card is not None)
    kept, rest = list[str](), list[str]()
    for tag in tags:
        thing = things.get(tag)
        if not is_card(thing) or (thing is not None and names[thing] > 0):
            kept.append(tag)
            names.subtract([thing] if is_card(thing) and thing else [])
        else:
            rest.append(tag)
    unnamed = sum(card is None for card in expected)
    return kept + rest[:unnamed], rest[unnamed:], +names


def _stand_ins(picture: Picture, place: int, kept: list[str], things: Things) -> dict[str, str]:
    """The tags that came late, each for an equal one that lies nowhere any more.

    While nobody looked the one was taken off and the other laid.
    """
    gone = [tag for tag in kept if is_card(things.get(tag)) and not picture.where(tag)]
    found: dict[str, str] = {}
    for tag in picture.new(place):
        equal = [other for other in gone if things.get(other) == things.get(tag)]
        if tag in picture.late and equal:
            gone.remove(equal[0])
            found[equal[0]] = tag
    return found


def _known_again(
    picture: Picture, place: int, names: Counter[str], things: Things, taking: bool
) -> Iterator[str]:
    """The tags lying here, new or spent, that stand for a card which the game knows here."""
    for tag in picture.lying.get(place, ()):
        thing = things.get(tag)
        fresh = tag not in picture.home and not (taking and tag not in picture.late)
        if thing is not None and names[thing] > 0 and (fresh or picture.spent.get(tag) == place):
            names[thing] -= 1
            yield tag
