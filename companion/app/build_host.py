"""Build the host service of a table, with the monitor of its health on this machine."""

import time
from collections.abc import Callable

from companion import __version__
from companion.core.installation import read_update_fault
from companion.host.host import Host
from companion.host.status import HealthMonitor
from companion.host.table_source import RunOnLoop, TableSource, run_here
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.seating.seats import Seats
from hardware.pi_temperature import read_pi_status
from hardware.wiring import profile_names


def build_host(
    source: TableSource,
    journal: Journal,
    seats: Seats,
    identity: IdentityStore | None = None,
    run_on_loop: RunOnLoop = run_here,
    clock: Callable[[], float] = time.monotonic,
) -> Host:
    """Return a host for this table, with the monitor of its health."""
    if identity is not None:
        update = read_update_fault(__version__)
        notices = identity.notices if update is None else (*identity.notices, update)
        source.table.faults.watch_database(identity.database, notices)
    monitor = HealthMonitor(source, journal, clock, read_pi_status, profile_names())
    return Host(
        source,
        journal,
        seats,
        identity,
        health_monitor=monitor,
        run_on_loop=run_on_loop,
        clock=clock,
    )
