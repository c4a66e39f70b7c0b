"""What `companion status` tells: the facts of the running companion, or that none runs."""

from pathlib import Path

import msgspec

from companion.app.whereabouts import ask_for, find_table
from companion.floor.table_status import ServiceStatus


class TableReport(msgspec.Struct, frozen=True):
    """Where a table is, the state of its service ("" if it has none), and how it is."""

    folder: str
    service: str
    running: bool
    table: ServiceStatus | None = None

    @property
    def is_well(self) -> bool:
        """Return whether it runs, and no light is red."""
        return self.table is not None and self.table.light != "red"


def read_status(named: Path | None, language: str, service: str) -> TableReport:
    """Ask the table how it is; Malformed if there is none, or this user may not ask."""
    folder = find_table(named).folder
    table = ask_for(folder, "/api/host/status", language, ServiceStatus)
    return TableReport(str(folder), service, table is not None, table)
