"""Put a running table on the floor: its name from the config or from what its host has saved."""

import time
from collections.abc import Callable, Sequence

from companion.app.settings import Options
from companion.floor.table_on_floor import FloorPlace, TableOnFloor
from companion.host.host import Host
from companion.host.status import worst_colour
from companion.setup import SavedSetup


def put_on_floor(
    options: Options, saved: SavedSetup, host: Host, addresses: Callable[[], Sequence[str]]
) -> TableOnFloor:
    """Return what this table is on the floor; a name in the config counts before a saved one."""
    is_fixed = bool(options.name)
    place = FloorPlace(options.name, options.place) if is_fixed else None
    return TableOnFloor(
        place or FloorPlace(saved.name, saved.place),
        light=lambda: worst_colour(host.health_lights()),
        address=lambda: next(iter(addresses()), ""),
        clock=time.monotonic,
        is_fixed=is_fixed,
    )
