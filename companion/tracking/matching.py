"""Match the tags on the table with the cards that the rules expect.

Law: it is worked out anew after every event from what the rules expect and what lies there, never
from how it came; so a restart or an undo finds the same.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.sweep import Sweep
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture, PiecesByTag, is_card
from companion.tracking.sweep import match_sweep
from companion.tracking.taps import drop_taps

replace = msgspec.structs.replace

FIGURE_COUNTS = ("tile", "rob")
"""While a tile is turned the figure may come early; at any other time that it comes is moot."""


class ExpectedTable(NamedTuple):
    """The table as the rules expect it: the cards at each place (None for one without a name), the
    places that just take a new card, the tiles turned since they were shuffled, whether the figure
    means something if it comes, the places to which a card is now moved from elsewhere, the sweep
    that is under way, whether cards that were taken off may be laid again, and the place at which
    the figure stands, 0 for none: unheard, it may silence what lies there.
    """

    cards: Mapping[int, tuple[str | None, ...]]
    receiving: frozenset[int]
    turned_tiles: Mapping[str, int]
    figure_counts: bool
    moving_places: frozenset[int]
    sweep: Sweep | None = None
    cards_return: bool = False
    deciding_place: int = 0


def expected_table(rules: AnyRulebook, state: GameState) -> ExpectedTable:
    """Return what the rules expect to lie on the table now."""
    game, phase = rules.tracking, state.phase
    return ExpectedTable(
        rules.expected_cards(state),
        game.receiving_places(state),
        game.count_turned_tiles(state),
        phase in FIGURE_COUNTS,
        game.moving_places.get(phase, frozenset()),
        rules.current_sweep(state),
        game.cards_return,
        rules.deciding_place(state),
    )


def bind_tags(picture: Picture, place: int, tags: tuple[str, ...]) -> Picture:
    """Account for these tags at this place from now on, on top of what lies there."""
    before = {tag: at for tag, at in picture.home.items() if tag not in tags}
    gone = {t for t in picture.discarded if picture.spent.get(t) == place} if tags else set()
    gone = {tag for tag in gone if not picture.place_of(tag)}
    spent = {t: at for t, at in picture.spent.items() if t not in gone and t not in tags}
    return replace(
        picture,
        home={**before, **dict.fromkeys(tags, place)},
        spent=spent,
        discarded=picture.discarded & spent.keys(),
        lifted=picture.lifted - {*tags, *picture.home_tags(place)},
        away=picture.away - {*tags},
        guessed=picture.guessed - {*tags},
    )


def bind_all(picture: Picture, place: int, tags: tuple[str, ...]) -> Picture:
    """Account for these tags at this place, and for no others there."""
    others = {t: at for t, at in picture.home.items() if at != place or t in tags}
    if place in picture.taps:
        picture = drop_taps(picture, place, [t for t in picture.home if t not in others])
    return bind_tags(replace(picture, home=others), place, tags)


class Accounts(NamedTuple):
    """The homes of the tags while they are matched, and what is known of those without one.

    `explained` are the tags over which a card, or the unheard figure, came: what is silent of them
    may lie under it; `guessed` those that stand for a card which was entered at a place of taps.
    """

    home: dict[str, int]
    spent: dict[str, int]
    discarded: set[str]
    explained: set[str]
    guessed: set[str]


def match_tags(picture: Picture, expected: ExpectedTable, pieces: PiecesByTag) -> Picture:
    """Match the tags with the cards that the rules expect; return the picture with their homes.

    What should no longer lie at a place is spent there. Where the rules know a card that no tag
    stands for, and such a card lies there new, that is the card; only where the game just takes
    cards that are tapped a card that came is a new one, unless it came late.
    """
    home = {tag: at for tag, at in picture.home.items() if at not in expected.cards}
    accounts = Accounts(
        home, dict(picture.spent), set(picture.discarded), set(), set(picture.guessed)
    )
    for tag in _face_down_again(home, expected.turned_tiles, pieces):
        accounts.spent[tag] = home.pop(tag)
    for place in expected.cards:
        picture = _match_cards(picture, expected, place, pieces, accounts)
    if not expected.figure_counts:
        home.update(_figure_homes(picture, pieces))
    discarded = accounts.discarded & accounts.spent.keys()
    if expected.cards_return:  # What is heard before it is taken off is known to be off then.
        discarded = {t for t in discarded if picture.place_of(t) != accounts.spent[t]}
    matched = replace(
        picture,
        home=home,
        piles=frozenset(
            place
            for place, cards in expected.cards.items()
            if len(cards) > 1 or place == expected.deciding_place
        ),
        spent=accounts.spent,
        discarded=frozenset(discarded),
        double=frozenset(tag for tag in picture.double if tag in home),
        guessed=frozenset(accounts.guessed & home.keys()),
        lifted=picture.lifted - accounts.explained,
        away=frozenset(t for t in picture.away if home.get(t) != (picture.place_of(t) or None)),
        idle=_idle_tags(picture, expected.moving_places),
    )
    is_swept = picture.swept_place or expected.sweep is not None
    return match_sweep(matched, expected.sweep, pieces) if is_swept else matched


def _match_cards(
    picture: Picture, expected: ExpectedTable, place: int, pieces: PiecesByTag, accounts: Accounts
) -> Picture:
    """Account for the tags of one place; return the picture without the taps that count no more."""
    home, cards = accounts.home, expected.cards[place]
    kept, dropped, unmatched = _match_place(picture.home_tags(place), cards, pieces)
    home.update(dict.fromkeys(kept, place))
    picture = _spend_tags(picture, expected, place, dropped, accounts)
    for gone, tag in _find_stand_ins(picture, place, kept, pieces).items():
        del home[gone]
        home[tag] = place
    for tag in _recognise_tags(picture, place, unmatched, pieces, place in expected.receiving):
        home[tag] = place
        accounts.guessed.update({tag} if place in picture.taps else ())
        accounts.spent.pop(tag, None)
        accounts.discarded.discard(tag)
    here = {tag for tag, at in home.items() if at == place and is_card(pieces.get(tag))}
    is_under_figure = place == expected.deciding_place and not _is_figure_at(picture, place, pieces)
    if len(cards) > len(here) or not here <= picture.home.keys() or is_under_figure:
        accounts.explained.update(here)
    return picture


def _is_figure_at(picture: Picture, place: int, pieces: PiecesByTag) -> bool:
    return any(pieces.get(tag) == FIGURE for tag in picture.lying.get(place, ()))


def _spend_tags(
    picture: Picture, expected: ExpectedTable, place: int, dropped: list[str], accounts: Accounts
) -> Picture:
    """Spend the tags whose cards have left a place, where they may still lie; what is tapped beside
    its place, or known to be off, lies there no more."""
    discarded = _find_discarded(picture, expected, place, dropped)
    accounts.discarded.update(discarded)
    is_tapped = place in picture.taps
    lying = [tag for tag in dropped if not (is_tapped or picture.is_off(tag))]
    accounts.spent.update(dict.fromkeys([*lying, *discarded], place))
    return drop_taps(picture, place, dropped) if is_tapped else picture


def _find_discarded(
    picture: Picture, expected: ExpectedTable, place: int, dropped: list[str]
) -> set[str]:
    """Return which tags stay spent even when they are silent: a pile, or a card under others."""
    is_tapped = place in picture.taps
    if is_tapped and expected.cards_return:
        return set()
    is_emptied = not expected.cards[place] and place not in expected.receiving
    is_swept = place == picture.swept_place
    if len(dropped) > 1 or is_swept or (is_emptied and is_tapped):
        return {*dropped}
    return {tag for tag in dropped if picture.is_heard(place) and picture.is_covered(tag)}


def _idle_tags(picture: Picture, moving: frozenset[int]) -> frozenset[str]:
    """Return the tags that came to a place when no card was to be moved there."""
    waiting = {tag for place in moving for tag in picture.lying.get(place, ())}
    lying = {tag for tags in picture.lying.values() for tag in tags}
    return frozenset((lying - waiting) | (picture.idle & lying))


def _face_down_again(
    home: Mapping[str, int], turned: Mapping[str, int], pieces: PiecesByTag
) -> list[str]:
    """Return the tiles that were turned but count as face down: shuffled again, or undone."""
    left = dict(turned)
    found = list[str]()
    for tag in home:
        thing = pieces.get(tag, "")
        if thing.startswith(TILE):
            left[thing] = left.get(thing, 0) - 1
            found += [tag] if left[thing] < 0 else []
    return found


def _figure_homes(picture: Picture, pieces: PiecesByTag) -> Iterator[tuple[str, int]]:
    for place, tags in picture.lying.items():
        yield from ((tag, place) for tag in tags if pieces.get(tag) == FIGURE)


def _match_place(
    tags: tuple[str, ...], expected: tuple[str | None, ...], pieces: PiecesByTag
) -> tuple[list[str], list[str], Counter[str]]:
    """Return the homes that still stand, those that do not, and the cards that no home stands for.

    A home whose name is not expected may stand for a card that has no name yet.
    """
    names = Counter(card for card in expected if card is not None)
    rest = list[str]()
    for tag in tags:
        thing = pieces.get(tag)
        if thing is not None and is_card(thing) and names[thing] > 0:
            names[thing] -= 1
        elif is_card(thing):
            rest.append(tag)
    unnamed = sum(card is None for card in expected)
    dropped = rest[unnamed:]
    return [tag for tag in tags if tag not in dropped], dropped, +names


def _find_stand_ins(
    picture: Picture, place: int, kept: list[str], pieces: PiecesByTag
) -> dict[str, str]:
    """Map each tag that lies nowhere any more to an equal one that came late.

    The one was taken off and the other laid while the reader was not heard.
    """
    silent = (tag for tag in kept if not picture.place_of(tag) and not picture.is_covered(tag))
    gone = [tag for tag in silent if is_card(pieces.get(tag))]
    found: dict[str, str] = {}
    for tag in picture.new_tags(place):
        equal = [other for other in gone if pieces.get(other) == pieces.get(tag)]
        if tag in picture.late and equal:
            gone.remove(equal[0])
            found[equal[0]] = tag
    return found


def _recognise_tags(
    picture: Picture, place: int, names: Counter[str], pieces: PiecesByTag, taking: bool
) -> Iterator[str]:
    """Yield the tags lying here, new or spent, that stand for a card which the game knows here.

    While a card is awaited, a tap brings that one. Over a reader, a card that was entered unheard
    may be heard when the next one moves the pile, so it is told from that one by its name first.
    """
    is_tapped = place in picture.taps
    for tag in picture.lying.get(place, ()):
        thing = pieces.get(tag)
        fresh = tag not in picture.home and not (taking and is_tapped and tag not in picture.late)
        if thing is not None and names[thing] > 0 and (fresh or picture.spent.get(tag) == place):
            names[thing] -= 1
            yield tag
