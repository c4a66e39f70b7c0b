"""What a floor does with many tables, one after the other, and how far it is.

Laws: an update is tried at one table first, and goes on only as long as the last table is well with
it: at the first that is not, it stops, and no other table is touched. A backup goes on past a table
that gives none. There is one round at a time, and whatever happens at a table, it comes to its end.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import msgspec

from companion.core.errors import ExplainedError
from companion.core.i18n import N_, Message, message
from companion.core.log_lines import log_line

FAILED = N_("The floor could not read what the table answered.")
LOG = logging.getLogger("companion.floor")
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
        try:
            for n, row in enumerate(self.rows):
                self.rows[n] = msgspec.structs.replace(row, outcome="runs")
                failed = await self._try_one(row.table)
                outcome: Outcome = "done" if failed is None else "failed"
                self.rows[n] = msgspec.structs.replace(row, outcome=outcome, say=failed)
                if failed is not None and self.kind == "update":
                    self._leave_out(n + 1)
                    break
        finally:
            self.is_over = True

    async def _try_one(self, table: str) -> Message | None:
        """Do it at one table; return why that failed, also where that was not foreseen."""
        try:
            return await self._do_one(table)
        except ExplainedError as failed:
            return failed.say
        except Exception:
            LOG.exception(log_line("floor_round_failed", kind=self.kind, table=table))
            return message(FAILED)

    def _leave_out(self, first: int) -> None:
        self.rows[first:] = [
            msgspec.structs.replace(row, outcome="left out") for row in self.rows[first:]
        ]
