"""What the client of a table costs its program: a process of its own for bench/floor_memory.py.

`python -m bench.floor_client BROKER` lets a table that stands still change often, and prints in
JSON for how long a change keeps the thread that makes it (the median), the processor time of a
change in all threads, both in milliseconds, and the MiB that the client adds to what a table has
loaded anyway. This file imports nothing that has the library of the client in it.
"""

import json
import re
import statistics
import sys
import time
from pathlib import Path

import tornado.httpserver  # noqa: F401  A table has it.

import web.app  # noqa: F401
from companion.floor.broker import parse_broker
from companion.floor.table_state import TableState

CHANGES, APART = 500, 0.01


def publish_changes(broker: str) -> dict[str, float]:
    """Change often, with this broker; return what it cost."""
    assert not any(name.startswith("paho") for name in sys.modules)
    phase, before = [0], _own_memory()
    from companion.app.floor.publisher import TablePublisher  # noqa: PLC0415  It is measured.

    publisher = TablePublisher(
        parse_broker(broker), "0123456789ab",
        lambda: TableState(name="Table 7", game="Box", phase=f"phase {phase[0]}"), lambda: "",
    )  # fmt: skip
    publisher.start()
    time.sleep(2)
    own, begun = list[float](), time.process_time()
    for n in range(CHANGES):
        phase[0] = n
        at = time.perf_counter()
        publisher.note_change()
        own.append(1000 * (time.perf_counter() - at))
        time.sleep(APART)
    spent = 1000 * (time.process_time() - begun) / CHANGES
    memory = _own_memory() - before
    publisher.close()
    return {"own_ms": statistics.median(own), "all_ms": spent, "mib": memory}


def _own_memory() -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    sys.stdout.write(json.dumps(publish_changes(sys.argv[1])))
