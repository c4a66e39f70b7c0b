"""The picture of the table: the sum of the readers' evidence.

The life of a tag, which `Picture.life` reads from its fields:

    arrived ── the game takes its card ──> lying ── falls silent on top ────> lifted
       ^                                     |                                  |
       |                                     |---- falls silent under others -> covered
       | laid anew                           |                                  |
       |                                     |---- answers at another place --> elsewhere
       |                                     |                                  |
       |                                     | <----- answers at home again ----|
       |                                     v
       +------------- taken off ----------- gone: the game has its card there no more

Laws: a missed read never loses a card, and a ghost never adds one: a tag that the game accounts
for keeps its home while it is silent, and a tag that comes is at first only *arrived*. A *covered*
tag is as good as lying there, because a sticker under another one may be silent. A *gone* tag is
never mistaken for a new one until it was taken off; a whole pile stays gone until the next card
comes to its place, because its cards may be heard only as they are taken off.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.core.cards import FIGURE, TILE
from companion.core.events import Event
from companion.core.sensor_events import Oddity

Life = Literal["", "arrived", "lying", "covered", "lifted", "elsewhere", "gone"]

EIGHTH_SPOT = 8
NEVER = float("-inf")


class Tag(msgspec.Struct, frozen=True):
    """Knowledge about one tag.

    `place` is where it is heard, or was tapped last, `since` when that began or ended; `home` is
    where the game has its card, `off` how it left that, `gone` the place at which the game has its
    card no more; `in_pile` tells that it is gone until the next card comes there. What is `late`
    may have lain there before; what is `again` was tapped where it lay already; a `guess` was
    tapped where a card of its name had been entered, and may be that one.
    """

    place: int = 0
    since: float = NEVER
    home: int = 0
    off: Literal["", "lifted", "elsewhere"] = ""
    gone: int = 0
    in_pile: bool = False
    late: bool = False
    again: bool = False
    guess: bool = False


UNKNOWN = Tag()


class Passing(msgspec.Struct, frozen=True):
    """A sweep as its reader hears it: the tags that `passed` since it began, those `counted` in the
    game, and whether only the reader can confirm the pile."""

    place: int = 0
    passed: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    is_doubted: bool = False


class Picture(msgspec.Struct, frozen=True):
    """The tags of a table by their marks, in the order the game got their cards.

    `pieces` names what each is stuck to. `piles` are the places at which the game has more than one
    card, or the figure; at `taps` the reader lies beside the place. A reader that was lost is
    `found` again at that second, until then never. `accepted` are tags that mean nothing at a place
    until they are touched. `put_back` is the tag that was just put back, or tapped, where it lies.
    Where `one_reader` serves all places by turns, a tap counts at the place that was `chosen`;
    `is_tap_missed` tells that the last one counted nowhere.
    """

    pieces: Mapping[str, str] = {}
    tags: Mapping[str, Tag] = {}
    piles: frozenset[int] = frozenset()
    taps: frozenset[int] = frozenset()
    deaf: frozenset[int] = frozenset(range(1, EIGHTH_SPOT + 1))
    found: Mapping[int, float] = {}
    odd: Mapping[int, Oddity] = {}
    by_hand: frozenset[int] = frozenset()
    accepted: frozenset[tuple[int, str]] = frozenset()
    put_back: str = ""
    sweep: Passing = Passing()
    one_reader: bool = False
    chosen: int = 0
    is_tap_missed: bool = False

    # Questions.

    def tag(self, name: str) -> Tag:
        """Return the facts known of a tag."""
        return self.tags.get(name, UNKNOWN)

    def life(self, name: str) -> Life:
        """Return the stage of a tag's life; "" if it lies nowhere, and should not."""
        tag = self.tag(name)
        if not tag.home:
            return ("gone" if tag.gone == tag.place else "arrived") if tag.place else ""
        if tag.place:
            return "lying" if tag.place == tag.home else "elsewhere"
        if tag.home in self.taps or (tag.home in self.piles and not tag.off):
            return "covered"
        return tag.off or "lifted"

    def lying(self, place: int) -> list[str]:
        """Return the tags heard or tapped at a place, the first to come first."""
        here = [(tag.since, name) for name, tag in self.tags.items() if tag.place == place]
        return [name for _, name in sorted(here, key=lambda one: one[0])]

    def at_home(self, place: int) -> list[str]:
        """Return the tags that the game has at a place, whether they lie there just now or not."""
        return [name for name, tag in self.tags.items() if tag.home == place]

    def cards_at_home(self, place: int) -> list[str]:
        """Return the cards among them."""
        return [name for name in self.at_home(place) if self.is_card(name)]

    def arrived(self, place: int) -> list[str]:
        """Return the tags at a place that the game has nowhere."""
        return [name for name in self.lying(place) if self.life(name) == "arrived"]

    def is_card(self, name: str) -> bool:
        return is_card(self.pieces.get(name))

    def is_odd(self, place: int) -> bool:
        """Return whether something lies over the reader of a place that it cannot name."""
        return self.odd.get(place, "nothing") != "nothing"

    def is_heard(self, place: int) -> bool:
        """Return whether the reader of a place counts."""
        return place not in self.deaf and place not in self.by_hand

    # What a game asks.

    def new_pieces(self, place: int) -> "Iterator[NewPiece]":
        """Yield the known pieces at a place that the game has nowhere."""
        yield from self._known_pieces(place, self.arrived(place))

    def new_cards(self, place: int) -> "Iterator[NewPiece]":
        """Yield the cards among them."""
        return (piece for piece in self.new_pieces(place) if is_card(piece.name))

    def newest_piece(self, place: int) -> "NewPiece | None":
        """Return the known piece that came last to a place, whether the game accounts for it."""
        return next(self._known_pieces(place, self.lying(place)[::-1]), None)

    def cards_from_elsewhere(self, place: int) -> "Iterator[NewPiece]":
        """Yield the cards that came here while the game has them elsewhere, or nowhere."""
        lives = ("arrived", "elsewhere")
        moved = [name for name in self.lying(place) if self.life(name) in lives]
        pieces = self._known_pieces(place, moved)
        yield from (piece for piece in pieces if is_card(piece.name) and not piece.late)

    def put_back_at(self, place: int) -> str | None:
        """Return the piece just put back at this place, or None."""
        is_here = self.put_back and self.tag(self.put_back).home == place
        return self.pieces.get(self.put_back) if is_here else None

    def _known_pieces(self, place: int, names: Iterable[str]) -> "Iterator[NewPiece]":
        """Yield the pieces read here, without those accepted and not touched since."""
        for name in names if self.is_heard(place) else ():
            if name in self.pieces and (place, name) not in self.accepted:
                yield NewPiece(name, self.pieces[name], self.tag(name).late)

    # Changes.

    def change(self, names: Iterable[str], **fields: Any) -> "Picture":
        """Return the picture with these fields of these tags changed."""
        changed = {name: replace(self.tag(name), **fields) for name in names}
        return replace(self, tags={**self.tags, **changed}) if changed else self

    def bring_home(self, names: Iterable[str], place: int, **fields: Any) -> "Picture":
        """Return the picture with these tags accounted for at a place, on top of the others."""
        names = tuple(names)
        rest = {name: tag for name, tag in self.tags.items() if name not in names}
        known = {"home": place, "gone": 0, "in_pile": False, **fields}
        moved = {name: replace(self.tag(name), **known) for name in names}
        return replace(self, tags={**rest, **moved})

    def select(self, is_meant: Callable[[Tag], bool]) -> list[str]:
        """Return the tags that pass this test."""
        return [name for name, tag in self.tags.items() if is_meant(tag)]


class NewPiece(NamedTuple):
    """A tag and the piece it is stuck to."""

    tag: str
    name: str
    late: bool


class InferredEvent(NamedTuple):
    """An event, and the tag at a place that shows it; place 0 if no reader does."""

    event: Event
    place: int
    tag: str


def is_card(piece: str | None) -> bool:
    """Return whether a piece is a card: neither figure nor tile nor unknown."""
    return piece is not None and piece != FIGURE and not piece.startswith(TILE)
