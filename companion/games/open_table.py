"""The views of a game: the table as everyone sees it, and the part that one seat sees besides.

Laws: a view is built up from nothing. Nothing of a state is shown but the fields that the rule book
names, and of cards that lie face down only their number. A closed hand shows that it is closed; its
seal shows once every hand is closed, and its value once every hand is open, as part of a verdict.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, get_args, get_type_hints

import msgspec

from companion.core.commitment import HandChoice
from companion.core.i18n import Message
from companion.core.sweep import Sweep
from companion.games.game_state import GameState

ExpectedCards = Mapping[int, tuple[str | None, ...]]

Field = str | tuple[str, Callable[..., object]]
"""A field of the state or of a player by its name, or a name with the function that works it out:
for everyone of the state, for a player of the state and the seat."""


def name_field(field: Field) -> str:
    """Return a field's name in the view."""
    return field if isinstance(field, str) else field[0]


class Public(msgspec.Struct, frozen=True):
    """The part of a table's view that is the same in every game."""

    id: str
    phase: str
    round: int
    now: Message
    skipped: Message | None
    """The reason the turn has just passed, if the newest move could do nothing."""
    active: int
    waiting: tuple[int, ...]
    house_rules: dict[str, str]
    places: tuple["OpenPlace", ...]


class Seat(msgspec.Struct, frozen=True):
    """A player as the others see them in every game."""

    name: str
    closed: bool
    seal: str
    open: bool


class Own(msgspec.Struct, frozen=True):
    """Private part of a seat's view: the values its hand may hold now, and those the game names."""

    choice: HandChoice | None


class OpenPlace(msgspec.Struct, frozen=True):
    """A place, and its cards in order of arrival; None for one that lies face down."""

    place: int
    cards: tuple[str | None, ...]


class SweepProgress(msgspec.Struct, frozen=True):
    """A sweep under way: the cards shown so far, in order, how many lie there, and where."""

    shown: tuple[str, ...]
    total: int
    place: int


def sweep_progress(state: Any) -> SweepProgress | None:
    """Return the progress of a sweep, without the cards that are believed there."""
    sweep: Sweep | None = state.sweep if state.sweeping else None
    if sweep is None:
        return None
    return SweepProgress(sweep.shown, len(sweep.believed), sweep.place)


class Views(NamedTuple):
    """The views of one game: their types, and the fields by which they are filled."""

    table: type[Public]
    seat: type[Seat]
    own: type[Own]
    table_fields: Sequence[Field]
    open_fields: Sequence[Field]
    own_fields: Sequence[Field]
    places: Callable[[Any], tuple[OpenPlace, ...]] | None

    def show_table(
        self,
        state: GameState,
        now: Message,
        skipped: Message | None,
        waiting: tuple[int, ...],
        lying: ExpectedCards,
    ) -> Any:
        """Return the table as everyone sees it."""
        hands = state.hands
        places = self.show_places(state, lying)
        standing = (state.id, state.phase, hands.round, now, skipped, state.active, waiting)
        closed, seals = hands.seals, hands.visible_seals()
        seats = tuple(
            self.seat(
                player.name, closed[n] != "", seals[n], hands.values[n] is not None,
                *(_show(field, player, state, n + 1) for field in self.open_fields),
            )
            for n, player in enumerate(state.players)
        )  # fmt: skip
        shown: Any = [_show(field, state, state) for field in self.table_fields]
        return self.table(*standing, state.house_rules, places, seats, *shown)  # type: ignore[call-arg]

    def show_places(self, state: GameState, lying: ExpectedCards) -> tuple[OpenPlace, ...]:
        """Return the places as everyone sees them: as the game shows them, else all their cards."""
        return self.places(state) if self.places else tuple(map(OpenPlace, lying, lying.values()))

    def show_own(self, state: GameState, seat: int, choice: HandChoice | None) -> Own:
        """Return the fields that only this seat sees."""
        player = state.players[seat - 1]
        return self.own(choice, *(_show(field, player, state, seat) for field in self.own_fields))


@cache
def make_views(rulebook: Any) -> Views:
    """Return the views of a game, typed by its state and its functions."""
    state = get_type_hints(rulebook.initial_state).get("return", object)
    hints = get_type_hints(state)
    player = next(iter(get_args(hints.get("players"))), Any)
    if not get_type_hints(player):
        raise TypeError(
            f"{rulebook.__name__}: annotate what initial_state returns, and its players"
        )
    game, open_fields, own_fields = rulebook.__name__, rulebook.open_fields, rulebook.own_fields
    if own_fields is None:
        own_fields = [name for name in get_type_hints(player) if name != "name"]
    named = {name_field(each): each for each in ("verdict", "score", *rulebook.table_fields)}
    places = named.pop("places", (None, None))[1]
    seat = _make_type(f"{game}Seat", Seat, open_fields, player)
    table_fields = [*named.values()]
    seats = [("seats", tuple[seat, ...])]  # type: ignore[valid-type]
    return Views(
        _make_type(f"{game}Public", Public, table_fields, state, seats),
        seat,
        _make_type(f"{game}Mine", Own, own_fields, player),
        table_fields,
        open_fields,
        own_fields,
        places,
    )


def _make_type(
    name: str, base: type, fields: Sequence[Field], holder: type, more: Sequence[Any] = ()
) -> Any:
    """Return the type of a part of a view: that of every game, with these fields."""
    hints = get_type_hints(holder)
    own = [
        (name_field(field), hints.get(field, Any) if isinstance(field, str)
         else get_type_hints(field[1]).get("return", Any))
        for field in fields
    ]  # fmt: skip
    about = {"__doc__": base.__doc__}
    return msgspec.defstruct(name, [*more, *own], bases=(base,), namespace=about, frozen=True)


def _show(field: Field, holder: object, *of: object) -> object:
    """Return the value of a view's field."""
    return getattr(holder, field) if isinstance(field, str) else field[1](*of)


# What the pages of any game draw from.


class Sight(Protocol):
    """View of one viewer: the public part, and the private part of this seat, or None."""

    @property
    def public(self) -> Any: ...

    @property
    def mine(self) -> Any: ...


Part = Callable[[Sight], msgspec.Struct]
"""Returns the facts of one part's template; it finds that under the name “shown”."""


def show_fields(*names: str, **worked_out: Callable[[Sight], object]) -> Part:
    """Return the part drawn from these public fields, and from what functions return of the view;
    `mine` is its private part."""
    shown = msgspec.defstruct("Shown", (*names, *worked_out), frozen=True)

    def show(view: Sight) -> msgspec.Struct:
        own = (view.mine if name == "mine" else getattr(view.public, name) for name in names)
        return shown(*own, *(work_out(view) for work_out in worked_out.values()))

    return show


show_own = show_fields("mine")

EVERYWHERE = {"seats", *Public.__struct_fields__, *Seat.__struct_fields__, *Own.__struct_fields__}


def numbers_of(part: msgspec.Struct) -> dict[str, int]:
    """Return the numbers that a game names in a part of its view."""
    return {name: value for name, value in _named(part) if type(value) is int}


def cards_of(part: msgspec.Struct) -> dict[str, tuple[Any, ...]]:
    """Return the cards that a game names in a part of its view."""
    return {name: value for name, value in _named(part) if isinstance(value, tuple)}


def values_of(part: msgspec.Struct) -> dict[str, int]:
    """Return the values of the tracks that a game names in a part of its view."""
    tracks = [value for _, value in _named(part) if isinstance(value, Mapping)]
    return {name: value for track in tracks for name, value in track.items()}


def count_open_places(public: Public) -> int:
    """Return the number of places of an open table; at least one."""
    return max((here.place for here in public.places), default=1)


def find_face_down(places: Iterable[OpenPlace]) -> tuple[tuple[int, int], ...]:
    """Return place and number of each card that lies face down at these places."""
    return tuple(
        (here.place, n) for here in places for n, face in enumerate(here.cards, 1) if face is None
    )


def _named(part: msgspec.Struct) -> list[tuple[str, Any]]:
    """Return the fields that a game names in a part of its view, with their values."""
    names = (name for name in part.__struct_fields__ if name not in EVERYWHERE)
    return [(name, getattr(part, name)) for name in names]
