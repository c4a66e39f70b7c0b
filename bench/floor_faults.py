"""What a table's answer takes while its broker is killed, hung, slow, full or cut off.

Two real programs answer in turn: one whose broker has the fault, one whose broker is well. Both
feel the same machine, so the ratio of their p95 is the cost of the fault; both well is the noise.
Besides, how soon a floor shows that a table died or its network froze, and is right again after.

    python -m bench.floor_faults [--seconds 20] [--split 600]
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
from bench.floor_demo import MISSING, free_port, start_table
from companion.app.floor.answering import TableAccess
from companion.floor.broker import parse_broker
from tests.worlds.listening_floor import ListeningFloor
from tests.worlds.mosquitto import (
    Listener,
    Mosquitto,
    make_expired_certificate,
    make_passwords,
)
from tests.worlds.publishing_table import ID, Standing
from tests.worlds.wire_relay import WireRelay

FAULTS = ("none", "killed", "hung", "slow", "split", "refused", "full", "wrong password",
          "certificate expired", "two ids alike")  # fmt: skip
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
    print(f"{'fault':<22}{'p95 with it':>12}{'p95 without':>12}{'ratio':>8}{'lost':>6}", flush=True)
    for fault in asked.only:
        with_it, without, lost = measure_fault(fault, asked.seconds)
        ratio = with_it / without
        print(f"{fault:<22}{with_it:>9.1f} ms{without:>9.1f} ms{ratio:>8.2f}{lost:>6}", flush=True)
    for what, seconds in measure_floor(asked.split):
        print(f"{what:<46}{seconds:>7.1f} s", flush=True)
    return 0


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
            start_table(n, address, own, running, pace="still", port=port, more=options)
            addresses.append(f"http://127.0.0.1:{port}")
            wait_for_page(f"{addresses[-1]}/api/floor")
            if what == "two ids alike":
                (own / "table-9").mkdir()
                shutil.copy(own / "table-1" / "floor-id", own / "table-9" / "floor-id")
                start_table(9, address, own, running, pace="still", port=free_port())
            time.sleep(2)
            _begin(what, broker, relay)
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


def _begin(what: str, broker: Mosquitto, relay: WireRelay | None) -> None:
    if what == "killed":
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


def measure_floor(split: float) -> list[tuple[str, float]]:
    """Return how many seconds a floor takes to show each thing, with a real broker."""
    found = list[tuple[str, float]]()
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
        broker = Mosquitto(folder).start()
        running.callback(broker.kill)
        relay = running.enter_context(closing(WireRelay(broker.port)))
        floor = running.enter_context(closing(ListeningFloor(broker.address)))
        table = Standing(parse_broker(relay.address))
        table.publisher.start()
        running.callback(table.publisher.close)
        _wait_for_look(floor, {"playing"})

        def note(what: str, looks: set[str]) -> None:
            begun = time.monotonic()
            _wait_for_look(floor, looks)
            found.append((what, time.monotonic() - begun))

        relay.way = "refuse"
        relay.cut()
        note("a table that dies is shown as gone", {"gone"})
        relay.way = "pass"
        note("back after that", {"playing"})
        relay.way = "swallow"
        note("a frozen network is shown", {"gone", "old"})
        time.sleep(split)
        relay.way = "pass"
        note(f"right again after a split of {split:.0f} s", {"playing"})
        broker.kill()
        time.sleep(5)
        broker.start()
        floor.tiles.forget_table(ID)
        note("right again after the broker was killed", {"playing"})
        broker.hold()
        time.sleep(40)
        note("a broker that hangs is shown", {"gone", "old"})
        broker.release()
        note("right again after it hung", {"playing"})
    return found


def _wait_for_look(floor: ListeningFloor, looks: set[str]) -> None:
    while floor.look(ID) not in looks:
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
