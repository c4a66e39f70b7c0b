"""A game told as events in lines of text, and the state they lead to.

    Story("bankueberfall", "Ana", "Ben").when('tile_turned seat=1 tile="rob"').then(phase="rob")

An event is written in its text form. What happens in `when` must be granted; what stands in
`refused` must not be, and leaves the game as it was.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Self

import msgspec

from companion.core import commitment
from companion.core.events import Event, EventTypes, Opened, Value, from_fields
from companion.core.i18n import get_language
from companion.games import make_rulebook
from companion.seating.seats import Seats

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emma", "Finn")


def with_names(value: Any, names: Sequence[str]) -> Any:
    """The same value, with each seat key in it as its name."""
    if isinstance(value, str):
        return get_language("en").with_names(names).name_player(value)
    if isinstance(value, dict):
        return {with_names(key, names): with_names(one, names) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(with_names(one, names) for one in value)
    if isinstance(value, msgspec.Struct):
        fields = {name: with_names(getattr(value, name), names) for name in value.__struct_fields__}
        return type(value)(**fields)
    return value


def named_seats(names: Sequence[str] = NAMES, game: str = "g1", **how: Any) -> Seats:
    """The seats of a table at which a game of these people is played."""
    seats = Seats(**how)
    seats.names.keep_names(game, ((seat, name, "") for seat, name in enumerate(names, 1)))
    return seats


NAME = re.compile(r" ([a-z_]+)=")


def to_text(event: Event) -> str:
    """Write an event as one line: its name, then its fields."""
    fields = msgspec.to_builtins(event)
    name = fields.pop("event")
    return " ".join([name, *(f"{field}={_spell(value)}" for field, value in fields.items())])


def _spell(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_text(line: str, event_type: EventTypes) -> Event:
    """Read an event from its line."""
    name, at = line.partition(" ")[0], len(line.partition(" ")[0])
    fields: dict[str, Any] = {"event": name}
    while field := NAME.match(line, at):
        fields[field[1]], at = json.JSONDecoder().raw_decode(line, field.end())
    assert at == len(line), f"{line[at:]} is not of the form field=value."
    return from_fields(fields, event_type)


NONCE = "0123456789abcdef" * 2


class Story:
    def __init__(self, game: str, *players: str, box: Any = None, **started: Any) -> None:
        self.rules, self.names = make_rulebook(game, box), players
        self.events: list[Event] = []
        self.states: list[Any] = [None]
        self.say(self.rules.start_event(id="story", players=len(players), **started))

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def verdict(self) -> Any:
        """The last verdict, with the names of the story in it."""
        return with_names(self.state.verdict, self.names)

    @property
    def score(self) -> Any:
        """The score, with the names of the story in it."""
        return with_names(self.state.score, self.names)

    def public(self) -> Any:
        """What everyone sees, with the names of the story in it."""
        return with_names(self.rules.public_view(self.state), self.names)

    def read(self, event: Event | str) -> Event:
        return from_text(event, self.rules.event_types) if isinstance(event, str) else event

    def say(self, event: Event) -> None:
        refused = self.rules.refuse(self.state, event)
        assert refused is None, f"{event} is refused: {refused}"
        self.events.append(event)
        self.states.append(self.rules.apply(self.state, event))

    def when(self, *events: Event | str) -> Self:
        """These happen, one after the other."""
        for event in events:
            self.say(self.read(event))
        return self

    def refused(self, event: Event | str, code: str, rule: str) -> Self:
        """This is refused with this code, citing this rule, and changes nothing."""
        told = self.read(event)
        refused = self.rules.refuse(self.state, told)
        assert refused is not None, f"{told} is granted"
        assert (refused.code, refused.rule) == (code, rule), refused
        assert get_language("en")(refused.say)
        assert self.rules.apply(self.state, told) is self.state
        return self

    def then(self, **expected: Any) -> Self:
        """The game now has these fields."""
        found = {name: getattr(self.state, name) for name in expected}
        assert with_names(found, self.names) == expected
        return self

    def given(self, **fields: Any) -> Self:
        """Let the table stand like this, however it came about."""
        self.states.append(msgspec.structs.replace(self.state, **fields))
        return self

    def sees(self, seat: int, **expected: Any) -> Self:
        """This seat, and whoever else sees it too, has these fields before its eyes."""
        mine = self.rules.private_view(self.state, seat)
        assert {name: getattr(mine, name) for name in expected} == expected
        return self

    def offered(self, seat: int) -> dict[str, list[Any]]:
        """What this seat may do now, each with its choices."""
        return {may.do: list(may.choices) for may in self.rules.list_options(self.state, seat)}

    def seal(self, seat: int, value: Value, nonce: str = NONCE) -> Self:
        """A seat closes its hand around a value."""
        seal = commitment.make_seal(self.state.id, self.state.hands.round, seat, value, nonce)
        return self.when(f'sealed seat={seat} seal="{seal}"')

    def open(self, seat: int, value: Value, nonce: str = NONCE) -> Self:
        """A seat opens its hand."""
        return self.when(Opened(seat, value, nonce))

    def hands(self, *values: Value) -> Self:
        """Every seat, from the first on, closes its hand and then opens it."""
        for seat, value in enumerate(values, 1):
            self.seal(seat, value)
        for seat, value in enumerate(values, 1):
            self.open(seat, value)
        return self
