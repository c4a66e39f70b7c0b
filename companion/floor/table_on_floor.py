"""A table on the floor: its name and place, its call for staff, and its state for the floor.

Laws: a table without a name is on no floor: nothing is offered to its guests, and it tells nothing.
There is at most one call, the newest: calls do not queue, and an answer that was meant for an older
call leaves a newer one as it is. The state is worked out from the public view when it is asked for,
never while the table writes.
"""

import threading
from collections.abc import Callable

import msgspec

from companion import __version__
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.floor.table_state import CalledStaff, TableState, describe_game
from companion.host.health import Colour
from companion.table.table import Table

LONGEST = 30


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


class StaffCall(msgspec.Struct, frozen=True):
    """A call for staff: its number since this program began, its seat (0: the table screen), and
    when it was made. It says no name."""

    number: int
    seat: int
    begun: float


class StaffCalls:
    """The call of one table; pages use it from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._made = 0
        self.current: StaffCall | None = None

    def call(self, seat: int) -> StaffCall:
        """Call staff to this seat; the call replaces an older one."""
        with self._lock:
            self._made += 1
            self.current = StaffCall(self._made, seat, self._clock())
            return self.current

    def answer(self, number: int = 0) -> bool:
        """End the call of this number, or with 0 any; return whether there was one."""
        with self._lock:
            current = self.current
            if current is None or number not in (0, current.number):
                return False
            self.current = None
            return True


class TableOnFloor:
    """What one table is on the floor; `is_fixed`: the config says the name."""

    def __init__(
        self,
        place: FloorPlace = FloorPlace(),  # noqa: B008  (it cannot be changed)
        *,
        light: Callable[[], Colour] = lambda: "green",
        address: Callable[[], str] = str,
        clock: Callable[[], float] = lambda: 0.0,
        is_fixed: bool = False,
    ) -> None:
        self.place, self.is_fixed = place, is_fixed
        self.calls = StaffCalls(clock)
        self._light, self._address, self._clock = light, address, clock
        self._game, self._since = "", clock()

    def read_state(self, table: Table) -> TableState:
        """Return the state of this table as it is now."""
        view, now = table.view(), self._clock()
        game = view.public.id if view is not None else ""
        if game != self._game:
            self._game, self._since = game, now
        call = self.calls.current
        return msgspec.structs.replace(
            describe_game(view, table.rules.box.title),
            name=self.place.name,
            place=self.place.place,
            seconds=int(now - self._since) if view is not None else 0,
            call=call and CalledStaff(call.number, call.seat, int(now - call.begun)),
            light=self._light(),
            companion=__version__,
            address=self._address(),
        )
