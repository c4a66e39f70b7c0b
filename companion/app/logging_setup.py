"""Set up the log of the running program: how lines look, and from which level on they are written.

Law: strangers cannot fill the disk: what they send makes no line, and systemd's journal, where the
lines of a service go, has a limit of its own.
"""

import logging
import os
from typing import Literal, get_args

LogLevel = Literal["debug", "info", "warning", "error"]
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)
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
