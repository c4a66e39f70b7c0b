"""Set up the log of the running program: where lines go, how they look, from which level on.

Law: strangers cannot fill the disk: for what they send there is no line, or one of a limited number.
"""

import logging
import os
import sys
from typing import Literal, TextIO, get_args

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = get_args(Level)
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


def set_up_logging(level: Level, stream: TextIO | None = None) -> None:
    """Send the log to this stream (stderr by default), ours from this level on.

    Calling it again replaces what was set up before. Tornado's line for every bad request is
    switched off, because anyone on the network could send a flood of them.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_formatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)
    logging.getLogger("tornado.general").setLevel(logging.ERROR)


def _formatter() -> logging.Formatter:
    """Return the format for where stderr leads: systemd's journal, or a terminal or file."""
    if "JOURNAL_STREAM" in os.environ:
        return JournalFormatter("%(name)s: %(message)s")
    return logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
