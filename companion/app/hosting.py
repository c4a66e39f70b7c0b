"""Build the host of a table together with the monitor of its health."""

import time
from collections.abc import Callable
from typing import NamedTuple

from companion.app.health_monitor import HealthMonitor
from companion.host.health import PiStatus
from companion.host.host import Host
from companion.host.run_on_loop import RunOnLoop, run_here
from companion.host.table_source import TableSource
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware import pi_temperature


class Runtime(NamedTuple):
    """The thread and the clocks that the running program gives to a host."""

    run_on_loop: RunOnLoop = run_here
    clock: Callable[[], float] = time.monotonic
    read_pi: Callable[[], PiStatus] = pi_temperature.read_pi_status


USUAL_RUNTIME = Runtime()


def build_host(
    source: TableSource,
    journal: Journal,
    seats: Seats,
    identity: IdentityStore | None = None,
    runtime: Runtime = USUAL_RUNTIME,
) -> Host:
    """Return a host for this table, and a monitor of its health within it."""
    return Host(
        source,
        journal,
        seats,
        identity,
        health_monitor=HealthMonitor(source, journal, runtime.clock, runtime.read_pi),
        run_on_loop=runtime.run_on_loop,
        clock=runtime.clock,
    )
