"""Put a running table on the floor: its name from the config or from what its host has saved."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from companion.app.floor.broker_links import BrokerLinks
from companion.app.floor.table_id import TableId
from companion.app.settings import Options
from companion.floor.broker import Broker, parse_broker
from companion.floor.paired_floors import PairedFloors
from companion.floor.played import EveningLog
from companion.floor.table_on_floor import FloorPlace, TableOnFloor, check_place
from companion.host.health import ReaderHealth
from companion.host.host import Host
from companion.host.status import worst_colour
from companion.setup import SavedSetup
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.app.floor.publisher import TablePublisher


def put_on_floor(
    options: Options, saved: SavedSetup, host: Host, addresses: Callable[[], Sequence[str]]
) -> TableOnFloor:
    """Return what this table is on the floor; a name in the config counts before a saved one.

    Raise Malformed if the name or the place that the options say is too long or cannot be seen.
    """
    is_fixed = bool(options.name)
    place = check_place(options.name, options.place) if is_fixed else None
    id = TableId(options.folder)
    return TableOnFloor(
        place or FloorPlace(saved.name, saved.place),
        light=lambda: worst_colour(host.health_lights()),
        address=lambda: next(iter(addresses()), ""),
        clock=time.monotonic,
        is_fixed=is_fixed,
        read_id=id.read_id,
        renew_id=id.renew_id,
    )


def publish_table(
    options: Options, table: Table, on_floor: TableOnFloor, floors: PairedFloors, running: ExitStack
) -> None:
    """Publish the table from now on, at the broker of the options, else at those that its floors
    tell; the stack ends it.

    Raise Malformed if the address, login or certificate in the options cannot be read.
    """

    def make_publisher(broker: Broker) -> "TablePublisher":
        # A table without a floor need not carry the library of its client.
        from companion.app.floor.publisher import TablePublisher  # noqa: PLC0415

        return TablePublisher(
            broker, on_floor.read_id(), partial(on_floor.read_state, table), on_floor.renew_id
        )

    publisher = (
        make_publisher(parse_broker(options.mqtt, options.mqtt_login, options.mqtt_ca))
        if options.mqtt
        else BrokerLinks(floors, make_publisher)
    )
    table.watch(publisher.note_change)
    publisher.start()
    running.callback(publisher.close)


def make_evening_log(host: Host) -> EveningLog:
    """Return what tells the floor of the evening of this host's table."""

    def read_readers() -> tuple[float, tuple[ReaderHealth, ...]]:
        health = host.read_health()
        return health.uptime, health.readers

    return EveningLog(time.time, read_readers)
