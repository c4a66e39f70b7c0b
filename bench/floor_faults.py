"""What a table's answer takes while its broker is killed, hung, slow, full or cut off.

Two real programs answer in turn: one whose broker has the fault, one whose broker is well. Both
feel the same machine, so the ratio of their p95 is the cost of the fault; both well is the noise.
Besides, how soon a floor shows that a table was killed or its network froze, and is right again
after. A plug that is pulled is a network that freezes: no one is left to say goodbye.

    python -m bench.floor_faults [--seconds 20] [--split 600]

Ends with status 1 if a bar is missed: a change was lost, a fault stands out of the noise, a table
that died was shown later than DIES seconds, one that froze later than FREEZES, or the floor was
right again later than RIGHT.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from bench.floor import wait_for_page
from bench.floor_demo import MISSING, start_table
from companion.app.floor.answering import TableAccess
from companion.floor.broker import parse_broker
from tests.worlds.listening_floor import ListeningFloor
from tests.worlds.mosquitto import (
    Listener,
    Mosquitto,
    make_expired_certificate,
    make_passwords,
)
from tests.worlds.ports import free_port
from tests.worlds.publishing_table import ID, Standing
from tests.worlds.shifted_clock import write_shift
from tests.worlds.wire_relay import WireRelay

FAULTS = ("none", "killed", "hung", "slow", "split", "refused", "full", "wrong password",
          "certificate expired", "two ids alike", "clock wrong")  # fmt: skip
DIES, FREEZES, RIGHT = 3.0, 25.0, 30.0
NOISE = 1.5
"""How much larger the p95 of the table with the fault may be than that of the other one, beside how
far both were apart without any fault."""
WRONG_BY = -9 * 365 * 86_400.0
"""Seconds by which the clock of the table jumps, as that of a Pi without a battery does."""
SHIFT = "shift"
ACCESSES, APART = 6, 0.012
"""As many browsers write by turns, because each may write five times a second."""


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each fault, and the seconds of death, freeze and recovery."""
    parser = argparse.ArgumentParser(prog="python -m bench.floor_faults")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--split", type=float, default=60, help="seconds of the network split")
    parser.add_argument("--only", nargs="*", default=FAULTS, choices=FAULTS)
    asked = parser.parse_args(words)
    if shutil.which("mosquitto", path="/usr/sbin:/usr/bin") is None:
        print(MISSING, file=sys.stderr)
        return 2
    kept = _print_faults(asked.only, asked.seconds)
    for what, seconds, most in measure_floor(asked.split):
        is_kept = seconds <= most
        kept = kept and is_kept
        verdict = "met" if is_kept else "MISSED"
        print(f"{what:<46}{seconds:>7.1f} s <= {most:.0f} s  {verdict}", flush=True)
    return 0 if kept else 1


def _print_faults(faults: Sequence[str], seconds: float) -> bool:
    """Measure and print each fault; return whether all bars were met."""
    kept, noise = True, 1.0
    print(f"{'fault':<22}{'p95 with it':>12}{'p95 without':>12}{'ratio':>8}{'lost':>6}", flush=True)
    for fault in faults:
        with_it, without, lost = measure_fault(fault, seconds)
        ratio = with_it / without
        if fault == "none":
            noise = max(ratio, 1 / ratio)
        is_kept = lost == 0 and ratio <= NOISE * noise
        kept = kept and is_kept
        times = f"{fault:<22}{with_it:>9.1f} ms{without:>9.1f} ms{ratio:>8.2f}{lost:>6}"
        print(f"{times}  {'met' if is_kept else 'MISSED'}", flush=True)
    return kept


def measure_fault(fault: str, seconds: float) -> tuple[float, float, int]:
    """Return the p95 of both tables in milliseconds, and the changes that were not taken."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        addresses = list[str]()
        for n, what in ((1, fault), (2, "none")):
            own = folder / f"{n}"
            own.mkdir()
            broker, relay, options = _prepare(what, own, running)
            address = broker.address if relay is None else relay.address
            address = address.replace("mqtt:", "mqtts:") if what.startswith("cert") else address
            port = free_port()
            start_table(
                n, address, own, running, pace="still", port=port, more=options,
                shift=own / SHIFT if what == "clock wrong" else None,
            )  # fmt: skip
            addresses.append(f"http://127.0.0.1:{port}")
            wait_for_page(f"{addresses[-1]}/api/floor")
            if what == "two ids alike":
                (own / "table-9").mkdir()
                shutil.copy(own / "table-1" / "floor-id", own / "table-9" / "floor-id")
                start_table(9, address, own, running, pace="still", port=free_port())
            time.sleep(2)
            _begin(what, broker, relay, own)
        return asyncio.run(_answer_by_turns(addresses, seconds))


def _prepare(
    what: str, folder: Path, running: ExitStack
) -> tuple[Mosquitto, WireRelay | None, list[str]]:
    """Return a broker that is on, a relay before it, and what the table is told."""
    lines, options = "allow_anonymous true", list[str]()
    folder.chmod(0o755)
    if what == "wrong password":
        passwords = make_passwords(folder, "floor", "right")
        lines = f"allow_anonymous false\npassword_file {passwords}\nuser root"
        (folder / "login").write_text("floor:wrong\n", "utf-8")
        options = ["--mqtt-login", str(folder / "login")]
    elif what == "certificate expired":
        old = make_expired_certificate(folder)
        lines = f"certfile {old}\nkeyfile {old.with_suffix('.key')}\n{lines}\nuser root"
        options = ["--mqtt-ca", str(old)]
    elif what == "clock wrong":
        write_shift(folder / SHIFT, 0.0)
    elif what == "full":
        lines += "\nmax_connections 1"
    broker = Mosquitto(folder, lines).start()
    running.callback(broker.kill)
    if what == "full":
        running.enter_context(closing(Listener(broker)))
    relay = None
    if what in {"slow", "split", "refused"}:
        relay = running.enter_context(closing(WireRelay(broker.port)))
    return broker, relay, options


def _begin(what: str, broker: Mosquitto, relay: WireRelay | None, folder: Path) -> None:
    if what == "clock wrong":
        write_shift(folder / SHIFT, WRONG_BY)
    elif what == "killed":
        broker.kill()
    elif what == "hung":
        broker.hold()
    elif relay is not None:
        relay.way = {"slow": "slow", "split": "swallow"}.get(what, "refuse")  # type: ignore[assignment]
        if relay.way == "refuse":
            relay.cut()


class Caller(TableAccess):
    """A browser that calls staff."""

    async def call_staff(self, table: str) -> bool:
        """Call staff to this table; return whether it took the call."""
        if table not in self._cookies:
            public = self._key.verify_key.encode().hex()
            await self._post_fields(table, "/api/browser/key", {"public_key": public})
        answer = await self._post_fields(table, "/api/floor/call", {})
        return answer.code == 204


async def _answer_by_turns(addresses: Sequence[str], seconds: float) -> tuple[float, float, int]:
    accesses = [Caller() for _ in range(ACCESSES)]
    took: list[list[float]] = [[] for _ in addresses]
    lost, end, turn = 0, time.monotonic() + seconds, 0
    while time.monotonic() < end:
        access = accesses[turn % ACCESSES]
        for address, found in zip(addresses, took, strict=True):
            begun = time.perf_counter()
            is_taken = await access.call_staff(address)
            if turn >= 2 * ACCESSES:  # Each browser has greeted each table by then.
                found.append(1000 * (time.perf_counter() - begun))
                lost += not is_taken
            await asyncio.sleep(APART * 2)
        turn += 1
    for access in accesses:
        access.close()
    one, other = (sorted(found)[int(0.95 * len(found))] for found in took)
    return one, other, lost


def measure_floor(split: float) -> list[tuple[str, float, float]]:
    """Return how many seconds a floor takes to show each thing, with a real broker, and how many it
    may take."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        broker = Mosquitto(folder).start()
        running.callback(broker.kill)
        floor = running.enter_context(closing(ListeningFloor(broker.address)))
        return [
            *_measure_death(broker, floor, folder, running),
            *_measure_network(broker, floor, split, running),
        ]


def _measure_death(
    broker: Mosquitto, floor: ListeningFloor, folder: Path, running: ExitStack
) -> list[tuple[str, float, float]]:
    """Kill the program of a table, and start it again."""
    port = free_port()
    process = start_table(1, broker.address, folder, running, port=port)
    wait_for_page(f"http://127.0.0.1:{port}/api/floor")
    id = (folder / "table-1" / "floor-id").read_text("ascii").strip()
    _wait_for_look(floor, {"playing"}, id)
    process.kill()
    return [("a table that is killed is shown as gone", _time_look(floor, {"gone"}, id), DIES)]


def _measure_network(
    broker: Mosquitto, floor: ListeningFloor, split: float, running: ExitStack
) -> list[tuple[str, float, float]]:
    """Let the connection break, the network freeze, and the broker die and hang."""
    found = list[tuple[str, float, float]]()
    relay = running.enter_context(closing(WireRelay(broker.port)))
    table = Standing(parse_broker(relay.address))
    table.publisher.start()
    running.callback(table.publisher.close)
    _wait_for_look(floor, {"playing"})

    def note(what: str, looks: set[str], most: float) -> None:
        found.append((what, _time_look(floor, looks), most))

    relay.way = "refuse"
    relay.cut()
    note("a connection that breaks is shown as gone", {"gone"}, DIES)
    relay.way = "pass"
    note("back after that", {"playing"}, RIGHT)
    relay.way = "swallow"
    note("a frozen network is shown", {"gone", "old"}, FREEZES)
    time.sleep(split)
    relay.way = "pass"
    note(f"right again after a split of {split:.0f} s", {"playing"}, RIGHT)
    broker.kill()
    time.sleep(5)
    broker.start()
    floor.tiles.forget_table(ID)
    note("right again after the broker was killed", {"playing"}, RIGHT)
    broker.hold()
    note("a broker that hangs is shown", {"gone", "old"}, FREEZES)
    time.sleep(40)
    broker.release()
    note("right again after it hung", {"playing"}, RIGHT)
    return found


def _time_look(floor: ListeningFloor, looks: set[str], table: str = ID) -> float:
    """Return how many seconds it takes until a table looks so."""
    begun = time.monotonic()
    _wait_for_look(floor, looks, table)
    return time.monotonic() - begun


def _wait_for_look(floor: ListeningFloor, looks: set[str], table: str = ID) -> None:
    while floor.look(table) not in looks:
        time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main())
