"""Recording of the raw readings of an evening, line by line.

Law: a recording holds what every reader saw, before any interpretation. It holds the UIDs of
real cards, so it is made only on request. A last line cut short by a power cut is dropped.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from companion.core.i18n import message
from hardware.errors import HardwareError, quote_text


class SeenTags(msgspec.Struct, frozen=True, tag_field="raw", tag="seen"):
    """The tags that one reader saw in one look, `at` so many seconds from the start."""

    at: float
    reader: int
    uids: tuple[str, ...] = ()
    clean: bool = True
    """False after a parity, CRC or collision error: something was there."""


class ButtonEdge(msgspec.Struct, frozen=True, tag_field="raw", tag="edge"):
    """A button's contact closed or opened."""

    at: float
    seat: int
    down: bool


Reading = SeenTags | ButtonEdge


class RecordingError(HardwareError, ValueError):
    """A recording that cannot be read, or not be played on this table."""


class Recorder:
    """Writes readings as they come; of equal looks only the first."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._last: dict[int, tuple[tuple[str, ...], bool]] = {}

    def record(self, reading: Reading) -> None:
        """Write a reading down if it differs from the one before."""
        if isinstance(reading, SeenTags):
            news = (reading.uids, reading.clean)
            if self._last.get(reading.reader) == news:
                return
            self._last[reading.reader] = news
        self._file.write(msgspec.json.encode(reading).decode() + "\n")
        self._file.flush()


def write_recording(path: Path, readings: Iterable[Reading]) -> None:
    """Write a whole recording."""
    with path.open("w", encoding="utf-8") as file:
        recorder = Recorder(file)
        for reading in readings:
            recorder.record(reading)


def read_recording(path: Path) -> Iterator[Reading]:
    """Yield the readings of a file in its order."""
    lines = _read_text(path).split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=Reading)
        except msgspec.DecodeError as trouble:
            if number == len(lines):
                return
            text = "Line {line} of {file} is no reading; delete that line."
            raise RecordingError(
                message(text, line=number, file=quote_text(path.name))
            ) from trouble


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        text = "The recording {file} is not UTF-8 text; choose another file."
        raise RecordingError(message(text, file=quote_text(path))) from wrong
    except OSError as wrong:
        text = "The recording {file} cannot be read ({reason}); choose another file."
        reason = quote_text(wrong.strerror or wrong)
        raise RecordingError(message(text, file=quote_text(path), reason=reason)) from wrong
