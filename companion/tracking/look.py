"""A look at the table: the new things at each place, by their names."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.events import Event
from companion.tracking.picture import Picture, Things, is_card


class Fact(NamedTuple):
    """An event, and the tag at a place that shows it."""

    event: Event
    place: int
    tag: str


class Thing(NamedTuple):
    """A tag and what it is stuck to."""

    tag: str
    name: str
    late: bool


class Look(NamedTuple):
    """What is new on the table, as far as the readers count."""

    picture: Picture
    things: Things

    def new(self, place: int) -> Iterator[Thing]:
        """The known things at a place for which the game accounts nowhere."""
        yield from self._things(place, self.picture.new(place))

    def cards(self, place: int) -> Iterator[Thing]:
        """The new cards among them."""
        return (thing for thing in self.new(place) if is_card(thing.name))

    def strangers(self, place: int) -> Iterator[Thing]:
        """The cards that came here while the game has them elsewhere, or nowhere."""
        picture = self.picture
        known = {*picture.homed(place), *picture.idle, *picture.late}
        here = [tag for tag in picture.lying.get(place, ()) if tag not in known]
        away = tuple(tag for tag in here if picture.spent.get(tag) != place)
        yield from (thing for thing in self._things(place, away) if is_card(thing.name))

    def _things(self, place: int, tags: tuple[str, ...]) -> Iterator[Thing]:
        """What is read here; of what the table has accepted nothing follows until it is touched."""
        accepted = self.picture.accepted.get(place, frozenset())
        for tag in tags if self.picture.hears(place) else ():
            name = self.things.get(tag)
            if name is not None and tag not in accepted:
                yield Thing(tag, name, tag in self.picture.late)
