"""What a floor does with many tables, one after the other, and how far it is.

Laws: an update is tried at one table first, and goes on only as long as the last table is well with
it: at the first that is not, it stops, and no other table is touched. A backup goes on past a table
that gives none. There is one round at a time.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import msgspec

from companion.core.i18n import Message

RoundKind = Literal["", "backup", "update"]
Outcome = Literal["waits", "runs", "done", "failed", "left out"]


class RoundRow(msgspec.Struct, frozen=True):
    """One table of a round: how it went there, and the reason if it did not."""

    table: str
    name: str
    outcome: Outcome = "waits"
    say: Message | None = None


class FloorRound:
    """A round over the tables: `do_one` does it at one, and returns why that failed."""

    def __init__(
        self,
        kind: RoundKind,
        tables: Sequence[tuple[str, str]],
        do_one: Callable[[str], Awaitable[Message | None]],
    ) -> None:
        self.kind, self._do_one = kind, do_one
        self.rows = [RoundRow(table, name) for table, name in tables]
        self.is_over = False

    async def run(self) -> None:
        """Go from table to table."""
        for n, row in enumerate(self.rows):
            self.rows[n] = msgspec.structs.replace(row, outcome="runs")
            failed = await self._do_one(row.table)
            outcome: Outcome = "done" if failed is None else "failed"
            self.rows[n] = msgspec.structs.replace(row, outcome=outcome, say=failed)
            if failed is not None and self.kind == "update":
                self.rows[n + 1 :] = [
                    msgspec.structs.replace(rest, outcome="left out") for rest in self.rows[n + 1 :]
                ]
                break
        self.is_over = True
