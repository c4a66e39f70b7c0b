"""The new pieces at each place, by their names."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.events import Event
from companion.tracking.picture import Picture, PiecesByTag, is_card


class InferredEvent(NamedTuple):
    """An event, and the tag at a place that shows it."""

    event: Event
    place: int
    tag: str


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
