"""Tell each paired table its login at the broker of the floor.

Laws: a login is made anew for each telling, and only for a table that answers; it is sealed with
the key of the pairing on its way, and its password is kept at the table alone. A table that was not
reached is told later. What a table was told is known by its fingerprint, so a floor whose broker
moves tells all of them anew.
"""

import asyncio
import hashlib
import logging
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.app.floor.table_line import TableLine
from companion.core.errors import ExplainedError
from companion.core.i18n import Message
from companion.core.log_lines import log_line
from companion.floor.broker import BrokerLogin
from companion.floor.broker_accounts import BrokerAccounts
from companion.floor.floor_key import seal_text
from companion.floor.paired_tables import PairedTable

LOG = logging.getLogger("companion.floor")
EVERY = 15.0
"""Seconds between two looks at which tables do not know the broker yet."""


class Invitation(NamedTuple):
    """In which folder logins are made, and what the tables are told besides."""

    folder: Path
    address: str
    certificates: str = ""


class BrokerInviter:
    """Tells the tables of one floor about its broker, in a task of the event loop."""

    def __init__(self, line: TableLine, accounts: BrokerAccounts, invitation: Invitation) -> None:
        self._line, self._accounts = line, accounts
        _, self._address, self._certificates = invitation
        told = f"{self._address}\n{self._certificates}".encode()
        self._fingerprint = hashlib.sha256(told).hexdigest()[:16]
        self._wake, self._task = asyncio.Event(), asyncio.create_task(self._keep_inviting())
        line.tables.on_change = self._wake.set

    def close(self) -> None:
        self._task.cancel()

    async def _keep_inviting(self) -> None:
        while True:
            self._wake.clear()
            for table in self._line.tables.list_tables():
                if table.broker != self._fingerprint or not self._accounts.is_let_in(table.table):
                    await self._try_table(table)
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._wake.wait()

    async def _try_table(self, table: PairedTable) -> None:
        """Invite a table; what was not foreseen there holds up no other."""
        try:
            await self.invite_table(table)
        except Exception:
            LOG.exception(log_line("floor_invitation_failed", table=table.table))

    async def invite_table(self, table: PairedTable) -> Message | None:
        """Make a login for a table and tell it; return why it does not know it."""
        try:
            reached = await self._line.act(table.table, "state")
            if reached.failed is not None:
                return reached.failed
            login = BrokerLogin(
                self._address, *self._accounts.let_in(table.table), self._certificates
            )
            sealed = seal_text(bytes.fromhex(table.key), msgspec.json.encode(login))
            told = await self._line.act(table.table, "broker", {"sealed": sealed.hex()})
            if told.failed is None:
                self._line.tables.note_broker(table.table, self._fingerprint)
            return told.failed
        except ExplainedError as failed:  # The disk; it is tried again.
            return failed.say

    def shut_out(self, table: str) -> None:
        """Remove the login of a table; NotWritten if the disk does not take that."""
        self._accounts.shut_out(table)
