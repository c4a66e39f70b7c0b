"""Simulated readers with the real driver on their wires.

Law: the world is moved by hands and watched by eyes; what the driver thinks is what it says.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from companion.core.sensor_events import Evidence
from hardware.drivers import ResetLine
from hardware.rc522.anticollision import TagSearch
from hardware.rc522.reader import Rc522Reader
from hardware.rc522.stock import GpioHeader, Mux, SpiDevices
from hardware.reader_loop import Readers
from hardware.simulator.air.airs import Air
from hardware.simulator.transceiver import Make
from hardware.simulator.world import World


class Stage:
    """A world, and eight readers in it at the places 1 to 8."""

    def __init__(self, world: World) -> None:
        self.world = world
        header = GpioHeader()
        self.devices = SpiDevices(header, 25)
        mux = Mux(header, world.wires.address)
        self.by_place = {
            n + 1: Rc522Reader(
                self.devices.open_link(0, 0, lambda n=n: mux.select_channel(n)),  # type: ignore[misc]
                world.clock,
            )
            for n in range(len(world.chips))
        }
        line = ResetLine(tuple(self.by_place), lambda: self.devices.reset_chips(world.clock.sleep))
        self.readers = Readers(self.by_place, world.clock, [line])
        self.readers.start()

    def rounds(self, count: int) -> list[Evidence]:
        return [news for _ in range(count) for news in self.readers.visit_all()]

    def run(self, seconds: float) -> list[Evidence]:
        end, news = self.world.now + seconds, list[Evidence]()
        while self.world.now < end:
            news += self.readers.step()
        return news

    def put(self, uid: str, place: int, coupling: float = 1.0):  # type: ignore[no-untyped-def]
        return self.world.put(uid, place - 1, coupling)

    def search(self, place: int) -> tuple[set[str], float, int]:
        """Who is found at a place, in how many seconds and transfers, field switching apart."""
        reader, world = self.by_place[place], self.world
        assert reader.switch_on() == "well"
        begun, transfers = world.now, world.bus.transfers
        found = TagSearch(reader.exchange, reader.positions).find_all()
        took, cost = world.now - begun, world.bus.transfers - transfers
        reader.switch_off()
        return {uid.hex() for uid in found}, took, cost

    def words(self) -> list[str]:
        return [condition.word for condition in self.readers.conditions()]


@contextmanager
def staged(
    readers: int = 8, make: Make | None = None, seed: int = 0, air: Air | None = None
) -> Iterator[Stage]:
    with World(readers, make=make, seed=seed, air=air).install_stand_ins() as world:
        stage = Stage(world)
        yield stage
        stage.readers.close()
        stage.devices.close()


def sticker(chance: random.Random, start: bytes = b"\x04") -> str:
    return (start + chance.randbytes(7))[:7].hex()


def classic(chance: random.Random, start: bytes = b"") -> str:
    """Four bytes; the first says neither cascade tag nor drawn by lot."""
    uid = (start + chance.randbytes(5))[:4]
    return uid.hex() if uid[0] not in (0x88, 0x08) else classic(chance)


def tag_set(chance: random.Random, size: int) -> set[str]:
    """Different tags of both lengths, some of a family that shares its first bytes."""
    family = chance.randbytes(chance.randrange(4))
    tags: set[str] = set()
    while len(tags) < size:
        seven = chance.random() < 0.6
        tags.add(sticker(chance, b"\x04" + family) if seven else classic(chance, family))
    return tags
