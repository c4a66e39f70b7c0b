"""The daemon's turn: what the table senses goes in, what the lamps show comes out.

Law: one thread takes this turn, over and over; it never waits for anyone. Wires come in as two
plain functions, so that nothing here knows which hardware, or whether any, is behind them.
"""

from collections.abc import Callable, Sequence

from companion.core.sensor_events import Evidence, Lamp
from companion.table.table import Table


class Daemon:
    """Joins a table to its senses and its lamps."""

    def __init__(
        self,
        table: Table,
        sense: Callable[[], Sequence[Evidence]],
        light: Callable[[int, Lamp], None],
        seats: int,
    ) -> None:
        self._table = table
        self._sense = sense
        self._light = light
        self._seats = seats

    def turn(self) -> None:
        """Take in what happened, then set every lamp."""
        for evidence in self._sense():
            self._table.sense(evidence)
        self._table.turn()
        for seat in range(1, self._seats + 1):
            self._light(seat, self._table.lamp(seat))
