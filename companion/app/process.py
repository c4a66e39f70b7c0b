"""The program as a process: its memory, its log, a restart in place, its clocks, its line to
systemd.

Laws: a restart closes nothing and flushes nothing. What the data folder does not hold is lost, as
when the power fails; what was acknowledged is there. The kernel forgets that its time is
synchronised as soon as someone sets it by hand. The watchdog is fed by the loop that does
the work, and only while the wires are still being visited. A start that is refused each time is
tried twice a minute, not as fast as possible. Without systemd nothing is sent and nothing waits,
and a systemd that is slow to read holds up no loop. Strangers cannot fill the disk: what they send
makes no line in the log, and systemd's journal, where the lines of a service go, has a limit.
"""

import ctypes
import logging
import os
import platform
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

from companion import __version__
from companion.app.settings import LogLevel, Options, prepare_folder
from companion.core.i18n import LANGUAGES, get_language
from companion.core.log_lines import log_line
from companion.games import broken_games
from companion.games.layout import Pace
from companion.seating.names import ClockLook

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
LARGE_BLOCK = 1024 * 1024
"""Bytes from which a block of memory is mapped by itself."""
ARENAS = 2
"""Pools that the threads share: the memory of a flood would stay in a pool of its own."""
RESTARTED_OPTION = "--plugged"
"""The hidden option that says whether the folder is kept in the end."""
RUN_ID = Path("/proc/sys/kernel/random/boot_id")
TIMEX_SIZE = 256
"""More bytes than the kernel's struct timex has on any machine; its first field, 0, only asks."""
NOT_SYNCHRONISED = 5
"""Answer of adjtimex where no service keeps the time."""
LOG = logging.getLogger("companion.app")
OURS = ("companion", "hardware", "web")
"""The packages whose loggers follow `--log-level`."""
SYSLOG = {logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""Priorities of syslog, as sd-daemon(3) has them in front of a line."""


def prepare(options: Options) -> None:
    """Set up memory, data folder and log of this process; Malformed if the folder cannot be used,
    or has another format."""
    _return_large_blocks()
    prepare_folder(options.folder)
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
    run, running = "", time.clock_gettime(time.CLOCK_BOOTTIME)
    with suppress(OSError):
        run = RUN_ID.read_text("ascii").strip()
    return ClockLook(run, running, time.time(), is_synchronised())


def is_synchronised() -> bool:
    """Return whether the time of day is synchronised, as `timedatectl` says it."""
    try:
        state = int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_SIZE)))
    except (AttributeError, OSError):
        return False
    return 0 <= state < NOT_SYNCHRONISED


# The log.


class JournalFormatter(logging.Formatter):
    """Format for systemd's journal, which adds the time itself and reads the priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = next((n for level, n in SYSLOG.items() if record.levelno >= level), 7)
        lines = super().format(record).splitlines()
        return "\n".join(f"<{priority}>{line}" for line in lines)


def set_up_logging(level: LogLevel) -> None:
    """Send the log to stderr, ours from this level on.

    Tornado's line for every bad request is switched off, because anyone on the network could send a
    flood of them.
    """
    handler = logging.StreamHandler()
    if _writes_to_journal():
        handler.setFormatter(JournalFormatter("%(name)s: %(message)s"))
    else:
        line = "%(asctime)s %(levelname)s %(name)s: %(message)s"
        handler.setFormatter(logging.Formatter(line))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)
    logging.getLogger("tornado.general").setLevel(logging.ERROR)


def default_log_level() -> LogLevel:
    """Return info for systemd's journal; a person at a terminal reads warnings only."""
    return "info" if _writes_to_journal() else "warning"


def _writes_to_journal() -> bool:
    return "JOURNAL_STREAM" in os.environ


# What systemd hears (sd_notify).

AGAIN = 30.0
"""Seconds to wait after a refused start, before systemd tries the next one."""
START_PATIENCE, STOP_PATIENCE = 10.0, 0.5
"""Seconds for which what is said only once waits for systemd: while nothing runs yet, and when all
ends."""


class SystemdNotifier:
    """Sends notifications to systemd; silent when we were started by hand."""

    def __init__(self, clock: Callable[[], float], environ: Mapping[str, str] = os.environ) -> None:
        self._clock = clock
        self._address = environ.get("NOTIFY_SOCKET", "")
        watchdog = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._often = int(watchdog) / 3e6 if watchdog.isdecimal() and ours else 0.0
        self._next = 0.0
        self._steps = -1

    def notify_ready(self) -> None:
        """Tell systemd that the first page can be requested."""
        self._send_line("READY=1", START_PATIENCE)

    def notify_refused(self, why: str, rest: Callable[[float], None] = time.sleep) -> None:
        """Tell the reason the start was refused, then wait; `systemctl restart` ends the wait."""
        if self._address:
            self._send_line(f"STATUS={why}", START_PATIENCE)
            rest(AGAIN)

    def notify_stopping(self) -> None:
        """Tell systemd that everything stops in good order."""
        self._send_line("STOPPING=1", STOP_PATIENCE)

    def notify_watchdog(self, steps: int) -> None:
        """Feed the watchdog, if `steps`, the count of visits to the wires, has changed."""
        now = self._clock()
        is_due = self._often and now >= self._next and steps != self._steps
        if is_due and self._send_line("WATCHDOG=1"):
            self._next, self._steps = now + self._often, steps

    def _send_line(self, line: str, patience: float = 0.0) -> bool:
        """Send a line; return whether systemd took it within this many seconds."""
        if not self._address:
            return False
        address = self._address
        if address.startswith("@"):  # an abstract socket, as systemd writes it
            address = "\0" + address[1:]
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line_out:
                line_out.settimeout(patience)
                line_out.sendto(line.encode(), address)
        except OSError:
            return False  # systemd does not listen any more, or not now; the game goes on.
        return True
