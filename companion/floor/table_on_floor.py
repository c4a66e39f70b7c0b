"""A table on the floor: its name and place, its call for staff, and its state for the floor.

Laws: a table without a name is on no floor: nothing is offered to its guests, and it tells nothing.
The state is worked out from the public view when it is asked for, never while the table writes.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from companion import __version__
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.floor.staff_call import StaffCalls
from companion.floor.table_state import CalledStaff, TableState, describe_game
from companion.host.health import Colour
from companion.table.table import Table

LONGEST = 30
replace = msgspec.structs.replace


class FloorPlace(msgspec.Struct, frozen=True):
    """The name of a table, and where in the room it stands."""

    name: str = ""
    place: str = ""


def check_place(name: str, place: str) -> FloorPlace:
    """Return both without surplus space; Malformed if one is too long or cannot be seen."""
    return FloorPlace(_clean("name", name), _clean("place", place))


def _clean(field: str, typed: str) -> str:
    text = " ".join(typed.split())
    if len(text) > LONGEST or not text.isprintable():
        raise Malformed(field, N_("Write at most {most} letters and signs."), most=LONGEST)
    return text


class GameSeen(NamedTuple):
    """The game that was last on the table, and since when."""

    game: str
    since: float


class TableOnFloor:
    """What one table is on the floor. Without a clock, nothing has an age."""

    def __init__(  # noqa: PLR0913
        self,
        place: FloorPlace = FloorPlace(),  # noqa: B008  (it cannot be changed)
        *,
        light: Callable[[], Colour] = lambda: "green",
        address: Callable[[], str] = str,
        clock: Callable[[], float] = lambda: 0.0,
        is_fixed: bool = False,
        read_id: Callable[[], str] = str,
        renew_id: Callable[[], str] = str,
    ) -> None:
        """Take the name, and what tells light, address, time and id; `is_fixed`: the config says
        the name; `renew_id` draws another id."""
        self.place, self.is_fixed = place, is_fixed
        self.read_id, self.renew_id = read_id, renew_id
        self.calls = StaffCalls(clock)
        self._light, self._address, self._clock = light, address, clock
        self._seen = GameSeen("", clock())

    def read_state(self, table: Table) -> TableState:
        """Return the state of this table as it is now."""
        view, now = table.view(), self._clock()
        game = view.public.id if view is not None else ""
        if game != self._seen.game:
            self._seen = GameSeen(game, now)
        call = self.calls.current
        return replace(
            describe_game(view, table.rules.box.title),
            table=self.read_id(),
            name=self.place.name,
            place=self.place.place,
            seconds=int(now - self._seen.since) if view is not None else 0,
            call=call and CalledStaff(call.number, call.seat, int(now - call.begun)),
            light=self._light(),
            companion=__version__,
            address=self._address(),
        )
