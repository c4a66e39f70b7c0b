"""Set up the log of the running program: where lines go, how they look, from which level on.

Law: strangers cannot fill the disk: what they send makes no line, or a limited number of lines.
"""

import logging
import os
import platform
import sys
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Literal, TextIO, get_args

from companion import __version__
from companion.core.i18n import LANGUAGES, get_language
from companion.core.log_lines import log_line
from companion.games import broken_games

LogLevel = Literal["debug", "info", "warning", "error"]
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)
MOST_PER_MINUTE = 30
"""Lines of one event in a minute; a flood of refused requests must not fill the disk."""
LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
LOG = logging.getLogger("companion.app")
LOG_SIZE = 512 * 1024
"""Bytes of the log of a data folder; the one before it is kept as well."""
OURS = ("companion", "hardware", "web")
"""The packages whose loggers follow `--log-level`."""
SYSLOG = {logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""Priorities of syslog, as sd-daemon(3) has them in front of a line."""


class JournalFormatter(logging.Formatter):
    """Format for systemd's journal, which adds the time itself and reads the priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = next((n for level, n in SYSLOG.items() if record.levelno >= level), 7)
        lines = super().format(record).splitlines()
        return "\n".join(f"<{priority}>{line}" for line in lines)


class RepeatFilter(logging.Filter):
    """Pass a limited number of lines per event and minute; say how many were dropped after that."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._minute = 0
        self._seen: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether this line is written."""
        event = record.getMessage().partition(" ")[0]
        minute = int(self._clock() // 60)
        if minute != self._minute:
            dropped = max(0, self._seen.get(event, 0) - MOST_PER_MINUTE)
            self._minute, self._seen = minute, {}
            if dropped:
                record.msg, record.args = f"{record.getMessage()} dropped_before={dropped}", ()
        self._seen[event] = self._seen.get(event, 0) + 1
        return self._seen[event] <= MOST_PER_MINUTE


def log_path(folder: Path) -> Path:
    """Return the path of the log in a data folder."""
    return folder / "companion.log"


def set_up_logging(
    level: LogLevel, stream: TextIO | None = None, folder: Path | None = None
) -> None:
    """Send the log to this stream (stderr by default), ours from this level on; in a data folder
    that is kept also into a file, unless systemd keeps it.

    Calling it again replaces what was set up before. Tornado's line for every bad request is
    switched off, because anyone on the network could send a flood of them.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_formatter())
    handler.addFilter(RepeatFilter())
    handlers: list[logging.Handler] = [handler]
    if folder is not None and not _writes_to_journal():
        handlers += _open_log(folder)
    if len(handlers) > 1:  # The file has more than a terminal is to show.
        handler.setLevel(level.upper())
        level = "debug" if level == "debug" else "info"
    logging.basicConfig(handlers=handlers, level=logging.WARNING, force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)
    logging.getLogger("tornado.general").setLevel(logging.ERROR)


def _open_log(folder: Path) -> list[logging.Handler]:
    """Return the log handler of a data folder, or None if its file cannot be written."""
    path = log_path(folder)
    try:
        path.touch(0o600)
        handler = RotatingFileHandler(path, maxBytes=LOG_SIZE, backupCount=1, encoding="utf-8")
    except OSError:
        return []
    handler.setFormatter(logging.Formatter(LINE))
    handler.addFilter(RepeatFilter())
    return [handler]


def default_log_level() -> LogLevel:
    """Return info for systemd's journal; a person at a terminal reads warnings only."""
    return "info" if _writes_to_journal() else "warning"


def _writes_to_journal() -> bool:
    return "JOURNAL_STREAM" in os.environ


def _formatter() -> logging.Formatter:
    if _writes_to_journal():
        return JournalFormatter("%(name)s: %(message)s")
    return logging.Formatter(LINE)


def log_start(kind: str, demo: bool, restored: bool) -> None:
    """Log the start of a table, the games it cannot load, and a finished restore."""
    versions = {"version": __version__, "python": platform.python_version()}
    LOG.info(log_line("started", **versions, kind=kind, demo=demo))
    for broken in broken_games():
        told = get_language(LANGUAGES[0])(broken.say)
        LOG.warning(log_line("game_broken", game=broken.name, why=told))
    if restored:
        LOG.warning(log_line("restore_finished"))


def log_end(status: int, restarts: bool) -> None:
    """Log the end."""
    LOG.info(log_line("stopped", status=status, restarts=restarts))
