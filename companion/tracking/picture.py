"""The picture of the table: the state that the readers' evidence adds up to.

Laws: a missed read never loses a card, and a ghost never adds one: a tag that the game accounts
for keeps its home while it is lifted or unheard, and a tag that comes is at first only new. A tag
whose card has left the game stays *spent* until it is taken off, and is never mistaken for a new
one; a pile that has left the game stays spent until the next card comes to its place, because its
cards may be heard only as they are taken off.

A sticker under another card may be silent. A silent card in a pile is *covered*, which is as good
as lying there, unless it was on top when it fell silent, or answered elsewhere since.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.events import Event
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    Odd,
    Oddity,
    ReaderFound,
    ReaderLost,
)

replace = msgspec.structs.replace

Value = TypeVar("Value")

PiecesByTag = Mapping[str, str]
"""Which thing each tag is stuck to, by its mark in the deck."""

EIGHTH_SPOT = 8
CATCHING_UP = 2.0
"""Seconds in which a reader that was lost, once found, tells of what has been lying there."""
SETTLING = 1.5
"""Seconds after its arrival in which a card still comes down on a pile that may silence it."""


class Picture(msgspec.Struct, frozen=True):
    """The tags heard at each place, and which the game accounts for; tags by their marks.

    The homes of a place stand in the order in which the game got its cards. `piles` are the places
    at which the game has more than one card, or the figure; `lifted` fell silent at home with
    nothing on top, `away` answered elsewhere since; `discarded` left the game in a pile, `off` fell
    silent where it was spent, and when. At `taps` the reader lies beside the place, and what is
    `double` was tapped where it lay already; `guessed` was tapped where a card of its name had been
    entered, and may be that one. At the `swept_place` `passed` has come since its sweep began,
    `counted` is shown in the game, and `covered` was covered when it began; `is_doubted` tells
    whether only its reader can confirm the pile since then. Where `one_reader` serves all places by
    turns, a tap counts at the place that was `chosen`; `is_tap_missed` tells that the last tap
    counted nowhere.
    """

    lying: Mapping[int, tuple[str, ...]] = {}
    came: Mapping[str, float] = {}
    home: Mapping[str, int] = {}
    piles: frozenset[int] = frozenset()
    spent: Mapping[str, int] = {}
    off: Mapping[str, tuple[int, float]] = {}
    discarded: frozenset[str] = frozenset()
    double: frozenset[str] = frozenset()
    guessed: frozenset[str] = frozenset()
    taps: frozenset[int] = frozenset()
    lifted: frozenset[str] = frozenset()
    away: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    lost: frozenset[int] = frozenset()
    found: Mapping[int, float] = {}
    blind: frozenset[int] = frozenset(range(1, EIGHTH_SPOT + 1))
    by_hand: frozenset[int] = frozenset()
    accepted: Mapping[int, frozenset[str]] = {}
    odd: Mapping[int, Oddity] = {}
    idle: frozenset[str] = frozenset()
    swept_place: int = 0
    passed: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    covered: frozenset[str] = frozenset()
    is_doubted: bool = False
    one_reader: bool = False
    chosen: int = 0
    is_tap_missed: bool = False

    def new_tags(self, place: int) -> tuple[str, ...]:
        """Return the tags at a place for which the game accounts nowhere."""
        return tuple(
            tag
            for tag in self.lying.get(place, ())
            if tag not in self.home and self.spent.get(tag) != place
        )

    def home_tags(self, place: int) -> tuple[str, ...]:
        """Return the tags that the game has at a place, whether they lie there just now or not."""
        return tuple(tag for tag, home in self.home.items() if home == place)

    def place_of(self, tag: str) -> int:
        """Return the place where a tag lies, 0 for nowhere."""
        return next((place for place, tags in self.lying.items() if tag in tags), 0)

    def is_off(self, tag: str) -> bool:
        """Return whether a tag is known to have been taken from its home."""
        return not self.place_of(tag) and tag in self.lifted | self.away

    def is_covered(self, tag: str) -> bool:
        """Return whether a silent tag is taken to lie at its home, under others or untapped."""
        home = self.home.get(tag)
        if self.place_of(tag) or home is None:
            return False
        return home in self.taps or (home in self.piles and not self.is_off(tag))

    def is_heard(self, place: int) -> bool:
        """Return whether the reader of a place counts."""
        return place not in self.blind and place not in self.by_hand


def apply_evidence(picture: Picture, evidence: Evidence, pieces: PiecesByTag) -> Picture:
    """Return the picture after one more piece of evidence."""
    match evidence:
        case Arrived():
            return _add_tag(picture, evidence, pieces)
        case Left() | FellSilent():
            return _remove_tag(picture, evidence, pieces)
        case ReaderLost():
            place = {evidence.place}
            return replace(picture, blind=picture.blind | place, lost=picture.lost | place)
        case ReaderFound():
            return _reader_found(picture, evidence)
        case Odd():
            odd = {**picture.odd, evidence.place: evidence.what}
            accepted = {**picture.accepted, evidence.place: frozenset[str]()}
            return replace(picture, odd=odd, accepted=accepted)
    return picture


def _add_tag(picture: Picture, evidence: Arrived, pieces: PiecesByTag) -> Picture:
    """Add a tag that a reader reports, as late if it may have lain there before."""
    tag, place = evidence.tag, evidence.place
    if tag in picture.lying.get(place, ()):
        return picture
    picture = replace(
        picture,
        lying=lay_tag(picture.lying, tag, place),
        came={**picture.came, tag: evidence.at},
        late=picture.late - {tag},
        away=picture.away - {tag} if picture.home.get(tag) == place else picture.away | {tag},
    )
    if place in picture.blind:
        return picture
    spent_at, since = picture.off.get(tag, (0, 0.0))
    if spent_at == place and evidence.at - since <= SETTLING:
        return replace(picture, spent={**picture.spent, tag: place})  # It is still being taken off.
    if evidence.at - picture.found.get(place, float("-inf")) <= CATCHING_UP:
        return replace(picture, late=picture.late | {tag})
    if tag in picture.discarded and picture.spent.get(tag) == place:
        return picture  # The pile is still being taken off.
    return renew_tag(picture, tag, pieces)


def renew_tag(picture: Picture, tag: str, pieces: PiecesByTag) -> Picture:
    """Forget what was known of a tag that was laid just now: it had been taken off before."""
    figure = pieces.get(tag) == FIGURE
    home = _drop_tag(picture.home, tag) if figure else picture.home
    return replace(
        picture,
        home=home,
        spent=_drop_tag(picture.spent, tag),
        discarded=picture.discarded - {tag},
        idle=picture.idle - {tag},
        accepted=_clear_accepted(picture.accepted, tag),
    )


def _drop_tag(values: Mapping[str, Value], tag: str) -> dict[str, Value]:
    return {other: value for other, value in values.items() if other != tag}


def _reader_found(picture: Picture, evidence: ReaderFound) -> Picture:
    """Listen to a reader again; what lies there now may have come while it was not heard.

    A reader that was lost has still to report it; one that was just switched on has done so.
    """
    place = evidence.place
    again = {place: evidence.at} if place in picture.lost else {}
    return replace(
        picture,
        blind=picture.blind - {place},
        lost=picture.lost - {place},
        found={**picture.found, **again},
        late=picture.late | {*picture.lying.get(place, ())},
    )


def lay_tag(
    lying: Mapping[int, tuple[str, ...]], tag: str, place: int
) -> dict[int, tuple[str, ...]]:
    rest = {at: tuple(other for other in tags if other != tag) for at, tags in lying.items()}
    return {**rest, place: (*rest.get(place, ()), tag)}


def _remove_tag(picture: Picture, evidence: Left | FellSilent, pieces: PiecesByTag) -> Picture:
    tag, place = evidence.tag, evidence.place
    if tag not in picture.lying.get(place, ()):
        return picture
    rest = tuple(other for other in picture.lying[place] if other != tag)
    at_home = picture.home.get(tag) == place
    home = picture.home
    if at_home and pieces.get(tag) == FIGURE:  # It counts anew each time that it comes.
        home = _drop_tag(home, tag)
    return replace(
        picture,
        lying={**picture.lying, place: rest},
        came=_drop_tag(picture.came, tag),
        home=home,
        spent=picture.spent if tag in picture.discarded else _drop_tag(picture.spent, tag),
        off={**picture.off, tag: (place, evidence.at)}
        if picture.spent.get(tag) == place
        else _drop_tag(picture.off, tag),
        lifted=picture.lifted | {tag}
        if at_home and _is_lifted(picture, evidence, pieces)
        else picture.lifted,
        accepted=_clear_accepted(picture.accepted, tag),
    )


def _is_lifted(picture: Picture, evidence: Left | FellSilent, pieces: PiecesByTag) -> bool:
    """Return whether a tag that is no longer heard at home was taken off it.

    It was not if it lies under a card that the game got later, if it came down on others just now,
    where two stickers may silence each other, or if another piece came down on it just then: the
    figure, or a card that was looked at and put back.
    """
    tag, place = evidence.tag, evidence.place
    if isinstance(evidence, Left) or not is_card(pieces.get(tag)):
        return True
    came = picture.came.get(tag, float("-inf"))
    if evidence.since - came <= SETTLING and _has_other_cards(picture, place, tag, pieces):
        return False
    others = (picture.came.get(other, came) for other in picture.lying[place])
    if any(came < moment >= evidence.since - SETTLING for moment in others):
        return False
    homed = picture.home_tags(place)
    later = homed[homed.index(tag) + 1 :]
    return not any(
        is_card(pieces.get(top)) and picture.place_of(top) in (0, place) and not picture.is_off(top)
        for top in later
    )


POINTS_AT = {"seat", "bank", "slot"}
"""The fields of an event for which a card was looked at and put back on its pile."""


def explain_silence(picture: Picture, event: Event) -> Picture:
    """Return the picture after a card was put back, heard or not: it may silence the others."""
    if not {*event.__struct_fields__} >= POINTS_AT:
        return picture
    bank: int = event.bank  # type: ignore[attr-defined]
    return replace(picture, lifted=picture.lifted.difference(picture.home_tags(bank)))


def _has_other_cards(picture: Picture, place: int, tag: str, pieces: PiecesByTag) -> bool:
    """Return whether cards besides this one lie at a place, heard or not, spent or not."""
    spent = (other for other, at in picture.spent.items() if at == place)
    others = {*picture.home_tags(place), *picture.lying.get(place, ()), *spent} - {tag}
    return place in picture.piles or any(is_card(pieces.get(other)) for other in others)


def _clear_accepted(accepted: Mapping[int, frozenset[str]], tag: str) -> dict[int, frozenset[str]]:
    """Drop a touched tag from all that was accepted."""
    return {place: tags - {tag} for place, tags in accepted.items()}


def is_card(piece: str | None) -> bool:
    """Return whether a piece is a card: neither figure nor tile nor unknown."""
    return piece is not None and piece != FIGURE and not piece.startswith(TILE)


class InferredEvent(NamedTuple):
    """An event, and the tag at a place that shows it; place 0 if no reader does."""

    event: Event
    place: int
    tag: str


class Forgotten(NamedTuple):
    """A card that was laid and not tapped: its place, or 0 and the seat that laid it."""

    place: int
    seat: int = 0


class NewPiece(NamedTuple):
    """A tag and what it is stuck to."""

    tag: str
    name: str
    late: bool


class Arrivals(NamedTuple):
    """The new pieces on the table, as far as the readers count."""

    picture: Picture
    pieces_by_tag: PiecesByTag

    def pieces_at(self, place: int) -> Iterator[NewPiece]:
        """Yield the known pieces at a place for which the game accounts nowhere."""
        yield from self._known_pieces(place, self.picture.new_tags(place))

    def newest_piece(self, place: int) -> NewPiece | None:
        """Return the known piece that came last to a place, whether the game accounts for it."""
        here = self._known_pieces(place, self.picture.lying.get(place, ()))
        return next(iter([*here][::-1]), None)

    def cards_at(self, place: int) -> Iterator[NewPiece]:
        """Yield the new cards among them."""
        return (thing for thing in self.pieces_at(place) if is_card(thing.name))

    def cards_from_elsewhere(self, place: int) -> Iterator[NewPiece]:
        """Yield the cards that came here while the game has them elsewhere, or nowhere."""
        picture = self.picture
        known = {*picture.home_tags(place), *picture.idle, *picture.late}
        here = [tag for tag in picture.lying.get(place, ()) if tag not in known]
        away = tuple(tag for tag in here if picture.spent.get(tag) != place)
        yield from (thing for thing in self._known_pieces(place, away) if is_card(thing.name))

    def _known_pieces(self, place: int, tags: tuple[str, ...]) -> Iterator[NewPiece]:
        """Yield the pieces read here, without those accepted and not touched since."""
        accepted = self.picture.accepted.get(place, frozenset())
        for tag in tags if self.picture.is_heard(place) else ():
            name = self.pieces_by_tag.get(tag)
            if name is not None and tag not in accepted:
                yield NewPiece(tag, name, tag in self.picture.late)
