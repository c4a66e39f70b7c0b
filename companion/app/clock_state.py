"""The clocks of this machine: how long it has run, and whether the kernel calls its time exact.

Law: the kernel forgets that its time is synchronised as soon as someone sets it by hand.
"""

import ctypes
import time
from contextlib import suppress
from pathlib import Path

from companion.privacy.table_time import ClockLook

RUN_ID = Path("/proc/sys/kernel/random/boot_id")
TIMEX_SIZE = 256
"""More bytes than the kernel's struct timex has on any machine; its first field, 0, only asks."""
NOT_SYNCHRONISED = 5
"""What adjtimex returns where no service keeps the time."""


def look_at_clocks() -> ClockLook:
    """Look at the clocks of this machine."""
    running = time.clock_gettime(time.CLOCK_BOOTTIME)
    return ClockLook(_run_id(), running, time.time(), is_synchronised())


def _run_id() -> str:
    with suppress(OSError):
        return RUN_ID.read_text("ascii").strip()
    return ""


def is_synchronised() -> bool:
    """Return whether the time of day is synchronised, as `timedatectl` says it."""
    try:
        state = int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_SIZE)))
    except (AttributeError, OSError):
        return False
    return 0 <= state < NOT_SYNCHRONISED
