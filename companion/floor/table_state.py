"""What a table tells the floor: one small document, the newest of which counts.

Laws: it holds no name of a person, no card, no bid and no pass: it is made of the public view
alone, and from that of numbers and words of the rules. A table has no clock: it tells how long ago
something was, never when.
"""

from typing import Literal

import msgspec

from companion.host.health import Colour
from companion.table.view import View

Stop = Literal["", "paused", "frozen", "ended"]


class CalledStaff(msgspec.Struct, frozen=True):
    """A call as the floor is told of it: its number, its seat (0: the table screen), its age."""

    number: int
    seat: int
    seconds: int


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a table, as it is published and read."""

    name: str = ""
    place: str = ""
    game: str = ""
    """The title of the box of the game that is under way."""
    phase: str = ""
    players: int = 0
    waiting: tuple[int, ...] = ()
    """The seats that the game waits for."""
    stopped: Stop = ""
    seconds: int = 0
    """For how long this game has been on the table, as far as this program saw."""
    call: CalledStaff | None = None
    light: Colour = "green"
    companion: str = ""
    address: str = ""
    """Where the pages of the table are."""

    @property
    def is_playing(self) -> bool:
        """Return whether a game is under way."""
        return bool(self.game) and self.phase != "over" and self.stopped != "ended"

    def without_ages(self) -> "TableState":
        """Return the state as it is compared: time alone is no change."""
        call = self.call and msgspec.structs.replace(self.call, seconds=0)
        return msgspec.structs.replace(self, seconds=0, call=call)


def describe_game(view: View | None, title: str) -> TableState:
    """Return the state of a table by the public view of its game; None before the first one."""
    if view is None:
        return TableState()
    public, status = view.public, view.table
    is_still = status.is_stopped or public.phase == "over"
    return TableState(
        game=title,
        phase=public.phase,
        players=len(public.seats),
        waiting=() if is_still else tuple(public.waiting),
        stopped=_find_stop(view),
    )


def _find_stop(view: View) -> Stop:
    status = view.table
    if status.ended:
        return "ended"
    return "frozen" if status.frozen else "paused" if status.paused else ""
