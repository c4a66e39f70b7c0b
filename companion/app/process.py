"""The program as a process: its memory, its log, a restart in place, its clocks.

Laws: a restart closes nothing and flushes nothing. What the data folder does not hold is lost, as
when the power fails; what was acknowledged is there. The kernel forgets that its time is
synchronised as soon as someone sets it by hand.
"""

import ctypes
import logging
import os
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

from companion import __version__
from companion.app.logging_setup import set_up_logging
from companion.app.settings import Options, make_folder
from companion.core.bot_pace import Pace
from companion.core.i18n import LANGUAGES, get_language
from companion.core.log_lines import log_line
from companion.games import broken_games
from companion.seating.names import ClockLook

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
LARGE_BLOCK = 1024 * 1024
"""Bytes from which a block of memory is mapped by itself."""
ARENAS = 2
"""Pools that the threads share: what a flood leaves in a pool of its own stays there."""
RESTARTED_OPTION = "--plugged"
"""The hidden option that says whether the folder is kept in the end."""
RUN_ID = Path("/proc/sys/kernel/random/boot_id")
TIMEX_SIZE = 256
"""More bytes than the kernel's struct timex has on any machine; its first field, 0, only asks."""
NOT_SYNCHRONISED = 5
"""What adjtimex returns where no service keeps the time."""
LOG = logging.getLogger("companion.app")


def prepare(options: Options) -> None:
    """Set up memory, data folder and log of this process; Malformed if the folder cannot be used,
    or has another format."""
    _return_large_blocks()
    make_folder(options.folder)
    set_up_logging(options.log_level)


def _return_large_blocks() -> None:
    """Have large blocks returned to the system as soon as they are freed, where the C library can;
    else it keeps such a block for the next one, in each thread that ever had one."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)


def log_start(options: Options) -> None:
    """Log the start of a table, and the games it cannot load."""
    versions = {"version": __version__, "python": platform.python_version()}
    LOG.info(log_line("started", **versions, kind=options.kind, demo=options.demo))
    for broken in broken_games():
        told = get_language(LANGUAGES[0])(broken.say)
        LOG.warning(log_line("game_broken", game=broken.name, why=told))


def restart_process(options: Options, port: int, pace: Pace | None = None) -> NoReturn:
    """Become the same command once more, on the same folder and port, with this pace of bots."""
    pace_words = () if pace is None else ("--pace", pace)
    again = [RESTARTED_OPTION, options.folder_kind, *pace_words]
    same = [*again, "--data", str(options.folder.absolute()), "--port", str(port)]
    os.execv(sys.executable, [sys.executable, *restart_arguments(sys.orig_argv[1:], same)])


def restart_arguments(words: Sequence[str], same: Sequence[str]) -> list[str]:
    """Return the words of a command with these options in place of those of the last restart."""
    typed = list(takewhile(lambda word: word not in (RESTARTED_OPTION, "--"), words))
    return [*typed, *same, *(words[words.index("--") :] if "--" in words else ())]


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
