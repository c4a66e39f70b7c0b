"""Raw SPI transcripts: every transfer of a run of the doctor, to be read and replayed elsewhere.

Laws: a transcript is made only on request, because it holds the numbers of the stickers that were
laid. Each transfer is written as soon as it is made, so a run that ends early leaves what came
before. A replay answers as the transcript says and raises at the first transfer that differs; its
clock shows the times of the recording.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

import msgspec

from companion.core.durable_files import not_written
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_
from hardware.clock import Clock
from hardware.rc522.link import SpiPort

VERSION = 1
MAX_SIZE = 200_000_000

WrapPort = Callable[[SpiPort, str], SpiPort]
"""Takes an opened device and its name, such as 0.0, and returns its replacement."""


class TranscriptHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the version of the format."""

    transcript: int


class Transfer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One transfer: its device, its speed, both directions in hex, and when it was over."""

    at: float
    spi: str
    hertz: int
    sent: str
    got: str


_MAKE_WRAP: ContextVar[Callable[[Clock], WrapPort] | None] = ContextVar("wrap", default=None)


def port_wrap(clock: Clock) -> WrapPort:
    """Return the function that opens devices now: plain, recording or replaying."""
    make = _MAKE_WRAP.get()
    return (lambda port, _name: port) if make is None else make(clock)


@contextmanager
def _wrap_ports(make: Callable[[Clock], WrapPort]) -> Iterator[None]:
    before = _MAKE_WRAP.set(make)
    try:
        yield
    finally:
        _MAKE_WRAP.reset(before)


@contextmanager
def record_transfers(path: Path) -> Iterator[None]:
    """Write every transfer of the devices that are opened meanwhile into a new file."""
    try:
        path.touch(0o600, exist_ok=False)
        file = path.open("w", encoding="utf-8")
    except FileExistsError:
        raise Malformed(
            str(path), N_("{field} exists already; name a file that does not.")
        ) from None
    except OSError as error:
        raise not_written(path, error) from None
    with file:
        _write_line(file, TranscriptHead(VERSION))
        with _wrap_ports(lambda clock: lambda port, name: RecordedPort(port, name, clock, file)):
            yield


def _write_line(file: TextIO, line: TranscriptHead | Transfer) -> None:
    """Write a line; NotWritten, which no reader is blamed for, if the disk does not take it."""
    try:
        file.write(msgspec.json.encode(line).decode() + "\n")
        file.flush()
    except OSError as error:
        raise not_written(Path(file.name), error) from None


class RecordedPort:
    """A device whose transfers are written down."""

    def __init__(self, port: SpiPort, name: str, clock: Clock, file: TextIO) -> None:
        self._port, self._name, self._clock, self._file = port, name, clock, file

    @property
    def max_speed_hz(self) -> int:
        return self._port.max_speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, hertz: int) -> None:
        self._port.max_speed_hz = hertz

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]:
        sent = bytes(values).hex()  # `spidev` may answer into the same list.
        got = self._port.xfer2(values)
        at, hertz = self._clock.monotonic(), self._port.max_speed_hz
        _write_line(self._file, Transfer(at, self._name, hertz, sent, bytes(got).hex()))
        return got

    def close(self) -> None:
        self._port.close()


class TranscriptDiffersError(AssertionError):
    """A replayed program does something else than the recorded one."""


class Replay:
    """A transcript that is played back; it is the clock as well."""

    def __init__(self, transfers: Sequence[Transfer]) -> None:
        self._transfers, self._next, self._now = transfers, 0, 0.0

    @property
    def transfers_left(self) -> int:
        """Number of transfers not replayed yet."""
        return len(self._transfers) - self._next

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float, /) -> None:
        self._now += seconds

    @contextmanager
    def answer_transfers(self) -> Iterator[None]:
        """Answer for every device that is opened meanwhile."""
        with _wrap_ports(
            lambda _clock: lambda port, name: ReplayedPort(port.max_speed_hz, name, self)
        ):
            yield

    def answer_transfer(self, name: str, hertz: int, values: Sequence[int]) -> list[int]:
        """Return the answer to the next transfer, which is to be this one."""
        sent = bytes(values).hex()
        if not self.transfers_left:
            raise TranscriptDiffersError(f"transfer {self._next + 1} is beyond the transcript")
        line = self._transfers[self._next]
        self._next += 1
        if (line.spi, line.hertz, line.sent) != (name, hertz, sent):
            raise TranscriptDiffersError(f"transfer {self._next} sends {sent}, not {line.sent}")
        self._now = line.at
        return [*bytes.fromhex(line.got)]


class ReplayedPort:
    """A device that answers from a transcript."""

    def __init__(self, hertz: int, name: str, replay: Replay) -> None:
        self.max_speed_hz, self._name, self._replay = hertz, name, replay

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]:
        return self._replay.answer_transfer(self._name, self.max_speed_hz, values)

    def close(self) -> None: ...


def read_transcript(path: Path) -> list[Transfer]:
    """Return the transfers of a file; Malformed if it is none. A last line cut short is dropped."""
    try:
        with path.open("rb") as file:
            head, *lines = file.read(MAX_SIZE).split(b"\n")
    except OSError as error:
        raise not_read(path.name, error) from None
    try:
        known = msgspec.json.decode(head, type=TranscriptHead).transcript == VERSION
        found = [msgspec.json.decode(line, type=Transfer) for line in lines[:-1]]
        for each in found:
            bytes.fromhex(each.sent + each.got)
    except (msgspec.DecodeError, ValueError):
        known, found = False, []
    if not known:
        raise Malformed(path.name, N_("{field} is no transcript that this companion reads."))
    return found
