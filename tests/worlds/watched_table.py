"""A table whose readings the test scripts: no chips, no wires, only evidence.

Law: hands lay and lift things by their names; every copy of a thing has a tag of its own. What
comes of it is read from the table's own journal and views.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.core.commitment import make_seal
from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Opened, Sealed
from companion.core.i18n import get_language
from companion.core.sensor_events import Arrived, ButtonPressed, FellSilent, ReaderFound, ReaderLost
from companion.core.table_events import Settled
from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal
from companion.table.history import event_union
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from tests.worlds.event_story import NAMES, NONCE, from_text
from tests.worlds.journal_lines import every_line
from tests.worlds.left_open import closed_later

EN = get_language("en").with_names(NAMES)


class Watched:
    """One game at a table with eight readers, or only some of them, and a phone for every seat."""

    def __init__(
        self,
        path: Path,
        game: str = "bankueberfall",
        seats: int = 3,
        readers: Iterable[int] = range(1, 9),
        taps: Iterable[int] = (),
        **started: Any,
    ) -> None:
        self.rules = self.choose_rules(game)
        self.path = path
        self.readers = set(readers)
        self.taps = frozenset(taps)
        self.tags = tagged(self.rules.box)
        self.deck = Deck({tag: thing for thing, tags in self.tags.items() for tag in tags})
        self.where: dict[str, int] = {}
        self.silent = set[str]()
        self.now = 0.0
        self.begun = self.rules.start_event(id="g1", players=seats, **started)
        self.open()
        self.begin()

    def begin(self) -> None:
        """The game begins."""
        refused = self.table.start(self.begun, HOST_AUTHOR)
        assert refused is None, refused

    def choose_rules(self, game: str) -> AnyRulebook:
        """The rules of a game, for the box as it is sold."""
        return make_rulebook(game)

    # The Pi.

    def open(self) -> None:
        """Switch the Pi on: the readers tell of all that lies there, and then that they listen."""
        self.journal = closed_later(Journal(self.path))
        self.table = Table(
            self.rules, self.journal, self.deck, lambda: 1000.0 + self.now, lambda _game: self.taps
        )
        self.resumed = self.table.resume()
        for tag, place in self.where.items():
            if tag not in self.silent and place not in self.taps:
                self.table.sense(Arrived(self.tick(0.1), place, tag))
        self.listen(*sorted(self.readers))

    def pull_the_plug(self) -> None:
        """Off, and on again."""
        self.journal.close()
        self.open()

    def tick(self, seconds: float = 5.0) -> float:
        """Time passes."""
        self.now += seconds
        return self.now

    def listen(self, *places: int) -> None:
        """The readers of these places work; what they see at once has lain there before."""
        for place in places:
            self.readers.add(place)
            self.table.sense(ReaderFound(self.tick(0.0), place))

    def lose(self, place: int) -> None:
        """The reader of a place dies."""
        self.readers.discard(place)
        self.table.sense(ReaderLost(self.tick(), place))

    # Hands.

    def lay(self, thing: str, place: int, n: int = 0) -> str:
        """Lay a thing at a place, the n-th of its kind that lies nowhere; its tag."""
        free = [tag for tag in self.tags[thing] if tag not in self.where]
        return self.lay_tag(free[n], place)

    def lay_tag(self, tag: str, place: int) -> str:
        """Lay this very tag."""
        if tag in self.where:
            self.lift(tag)
        self.where[tag] = place
        self.table.sense(Arrived(self.tick(), place, tag))
        return tag

    def tap(self, thing: str, place: int, n: int = 0) -> str:
        """Hold a thing over the reader beside a place, and lay it there."""
        free = [tag for tag in self.tags[thing] if tag not in self.where]
        return self.tap_tag(free[n], place)

    def tap_tag(self, tag: str, place: int) -> str:
        """Hold this very tag over the reader beside a place."""
        self.where[tag] = place
        self.table.sense(Arrived(self.tick(), place, tag))
        self.table.sense(FellSilent(self.tick(1.0), place, tag, self.now - 0.5))
        return tag

    def lift(self, tag: str) -> str:
        """Lift a tag off the table."""
        self.silence(tag)
        self.silent.discard(tag)
        del self.where[tag]
        return tag

    def silence(self, tag: str, after: float = 5.0) -> str:
        """A tag answers no more, `after` so many seconds; its card may lie there all the same."""
        since = self.now + after - 0.5
        if tag not in self.silent:
            self.table.sense(FellSilent(self.tick(after), self.where[tag], tag, since))
        self.silent.add(tag)
        return tag

    def wake(self, tag: str, after: float = 5.0) -> None:
        """A silent tag answers again where it lies."""
        self.silent.discard(tag)
        self.table.sense(Arrived(self.tick(after), self.where[tag], tag))

    def lay_unheard(self, thing: str, place: int) -> str:
        """Lay a thing whose tag does not answer there."""
        tag = next(tag for tag in self.tags[thing] if tag not in self.where)
        self.where[tag] = place
        self.silent.add(tag)
        return tag

    def clear(self, place: int) -> None:
        """Take everything off a place."""
        for tag in [tag for tag, at in self.where.items() if at == place]:
            self.lift(tag)

    def press(self, seat: int, held: bool = False) -> None:
        """Press a button."""
        self.table.sense(ButtonPressed(self.tick(), seat, held))

    # Phones.

    def ask(self, seat: int | Author, *asked: Any, **how: Any) -> Refusal | None:
        """Ask for one thing after another; the first refusal."""
        author = seat or HOST_AUTHOR
        if isinstance(author, int):
            author = Author(author, f"phone {author}")
        for one in asked:
            event = from_text(one, event_union(self.rules)) if isinstance(one, str) else one
            refused = self.table.request(event, author, **how)
            if refused is not None:
                return refused
        return None

    def do(self, seat: int | Author, *asked: Any) -> "Watched":
        """Ask, and be granted."""
        refused = self.ask(seat, *asked)
        assert refused is None, (asked, refused, EN(refused.say))
        return self

    def close(self, *values: Any) -> "Watched":
        """Everyone closes a hand."""
        for seat, value in enumerate(values, 1):
            text = make_seal(self.state.id, self.state.hands.round, seat, value, NONCE)
            self.do(seat, Sealed(seat, text))
        return self

    def show(self, *values: Any) -> "Watched":
        """Everyone opens the hand."""
        for seat, value in enumerate(values, 1):
            self.show_one(seat, value)
        return self

    def show_one(self, seat: int, value: Any) -> "Watched":
        """One opens the hand."""
        return self.do(seat, Opened(seat, value, NONCE))

    def settle(self, place: int, way: Any, seat: int = 1) -> "Watched":
        """The table settles a to-do."""
        return self.do(seat, Settled(place, way))

    # What there is to see.

    @property
    def state(self) -> Any:
        return self.table.state

    def todos(self) -> list[tuple[int, str]]:
        """The place of each to-do, and its question as `mismatches.py` has it."""
        view: Any = self.table.view()
        return [(todo.place, todo.say.text) for todo in view.table.todos]

    def todos_in_words(self) -> list[str]:
        view: Any = self.table.view()
        return [EN(todo.say) for todo in view.table.todos]

    def written(self) -> list[tuple[str, dict[str, Any]]]:
        """The journal: through what, and which event."""
        return [(line.via, json.loads(bytes(line.event))) for line in every_line(self.journal)]

    def last(self) -> tuple[str, str]:
        """The last line: through what, and the kind of event."""
        via, event = self.written()[-1]
        return via, event["event"]


def code_of(answer: object) -> str:
    """Return the code of a refusal; nothing if it was granted."""
    return answer.code if isinstance(answer, Refusal) else ""


def tagged(box: Any) -> dict[str, list[str]]:
    """A tag for every copy of every thing in a box."""
    numbers = iter(range(1, 500))
    return {
        t: [f"04{next(numbers):012x}" for _ in range(n)] for t, n in box.tagged_pieces().items()
    }


def seen_at_bank_1(path: Path) -> Watched:
    """A table of three where reader 1 alone listens, and has seen a ten come to bank 1."""
    made = Watched(path, readers=(1,))
    made.lay("10", 1)
    for bank in range(2, 6):
        made.settle(bank, "hand")
    return made


READER = 1
"""The place by which the reader is wired."""


class OneReader(Watched):
    """A table with one reader, to which every card is held."""

    def open(self) -> None:
        self.journal = closed_later(Journal(self.path))
        self.table = Table(
            self.rules,
            self.journal,
            self.deck,
            lambda: 1000.0 + self.now,
            lambda _game: frozenset(range(1, 9)),
            lambda: True,
        )
        self.resumed = self.table.resume()
        self.table.sense(ReaderFound(self.tick(0.0), READER))

    def hold(self, tag: str) -> str:
        """Hold this card to the reader for a moment."""
        self.table.sense(Arrived(self.tick(), READER, tag))
        self.table.sense(FellSilent(self.tick(1.0), READER, tag, self.now - 0.5))
        return tag

    def hold_new(self, thing: str) -> str:
        """Hold a card that was not used yet to the reader."""
        tag = next(tag for tag in self.tags[thing] if tag not in self.where)
        self.where[tag] = READER
        return self.hold(tag)

    def listening(self) -> tuple[str, int, list[int]]:
        """What is said of the reader, for which place it waits, and which there are to choose."""
        view: Any = self.table.view()
        said = view.table.listening
        return (EN(said.say), said.place, [*said.choices]) if said else ("", 0, [])
