"""Lines of the log as facts, for programs: from the system's journal, or from a data folder.

Law: a line that is no event of ours, such as one of systemd or of a traceback, is told as its text.
"""

import logging
import re
from datetime import datetime

import msgspec

from companion.app.logging_setup import SYSLOG
from companion.core.log_lines import read_log_line

HEAD = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) ([A-Z]+) ([\w.]+): ")
"""How a line in a data folder begins (`logging_setup.LINE`)."""
NAMED = re.compile(r"([a-z][\w.]*): ")
"""How one of ours begins in the system's journal."""
NAMES = {number: logging.getLevelName(level).lower() for level, number in SYSLOG.items()}


class LoggedLine(msgspec.Struct, frozen=True):
    """A line of the log; what it does not say is empty."""

    at: str
    """When, in the time of this machine (ISO 8601)."""
    level: str
    logger: str
    event: str
    facts: dict[str, str]
    text: str
    """The line itself, without what stands in the fields before."""


class JournalEntry(msgspec.Struct, frozen=True):
    """What `journalctl --output=json` says of a line."""

    at: str = msgspec.field(name="__REALTIME_TIMESTAMP")
    priority: str = msgspec.field(name="PRIORITY", default="6")
    message: str | list[int] | None = msgspec.field(name="MESSAGE", default=None)
    """Bytes where it is no UTF-8, nothing where it is too long."""


def read_file_line(line: str) -> LoggedLine:
    """Return what a line in a data folder says."""
    head = HEAD.match(line)
    if head is None:
        return _make_line("", "", "", line)
    at = datetime.strptime(head[1], "%Y-%m-%d %H:%M:%S,%f").astimezone()
    return _make_line(at.isoformat(), head[2].lower(), head[3], line[head.end() :])


def read_journal_line(line: str) -> LoggedLine:
    """Return what a line of the system's journal says, given as JSON."""
    entry = msgspec.json.decode(line, type=JournalEntry)
    told = bytes(entry.message) if isinstance(entry.message, list) else (entry.message or "")
    text = told.decode("utf-8", "replace") if isinstance(told, bytes) else told
    at = datetime.fromtimestamp(int(entry.at) / 1e6).astimezone()
    named = NAMED.match(text)
    logger, said = (named[1], text[named.end() :]) if named else ("", text)
    return _make_line(at.isoformat(), _name_level(int(entry.priority)), logger, said)


def _name_level(priority: int) -> str:
    """Return what we call a priority of syslog; one that we never write as the next below."""
    return NAMES[min((known for known in NAMES if known >= priority), default=max(NAMES))]


def _make_line(at: str, level: str, logger: str, text: str) -> LoggedLine:
    return LoggedLine(at, level, logger, *read_log_line(text), text)
