"""Records: a game as a file, built, written, and parsed strictly, as anyone may have written it.

Laws: a header line says which game and which rules, then comes one JSON line for each moment; a
chain that begins with the header ties them together, so that a line edited, dropped, repeated or
moved shows. A line must be byte by byte as a record writes it, so nothing can hide in it that no
hash covers; a refusal has a stable code, and one sentence that names the line and the field. A
record speaks of seats; names are in it only where they were asked for, and in its header, so that
the chain holds each to its seat. What else is private (tags, keys, readings) is in no record.
Anyone can compute a chain: that it fits proves nothing more.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion import __version__
from companion.core.errors import Malformed, show_safely
from companion.core.events import Started, to_json
from companion.core.i18n import N_
from companion.games import explain_missing, game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.games.start import refuse_names
from companion.journal.line import MAX_TIME
from companion.table.history import event_union

FORMAT_VERSION = 4


class RecordHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: which game, by which version of its rules, how many moments follow."""

    record: int
    game: str
    id: str
    title: str
    rules: int
    companion: str
    moments: int
    names: tuple[str, ...] = ()
    """Players of the seats, where they were wanted in the file; the chain begins with it."""


class RecordedMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line: a moment in its place, the time on the Pi's clock, the device."""

    n: int
    at: float
    via: str
    event: msgspec.Raw
    chain: str


class Record(msgspec.Struct, frozen=True):
    header: RecordHeader
    moments: tuple[RecordedMoment, ...]


def chain_start(header: RecordHeader) -> str:
    """Return the first hash of the chain: that of the header."""
    return hashlib.sha256(msgspec.json.encode(header)).hexdigest()


def chain_moment(header: RecordHeader, chain_before: str, at: float, via: str, event: bytes) -> str:
    """Return the chain with one more moment."""
    told = msgspec.json.encode([header.game, header.id, at, via, event.decode()])
    own = hashlib.sha256(told).digest()
    return hashlib.sha256(bytes.fromhex(chain_before) + own).hexdigest()


def build_record(
    rules: AnyRulebook,
    id: str,
    version: int,
    moments: Iterable[tuple[float, str, bytes]],
    names: Sequence[str] = (),
) -> Record:
    """Build the record of these moments: time, device, event as JSON; with names, if there are."""
    told = list(moments)
    box = rules.box
    about = (FORMAT_VERSION, box.game, id, box.title, version, __version__, len(told))
    header = RecordHeader(*about, tuple(names))
    chain, lines = chain_start(header), []
    for n, (at, via, event) in enumerate(told, 1):
        chain = chain_moment(header, chain, at, via, event)
        lines.append(RecordedMoment(n, at, via, msgspec.Raw(event), chain))
    return Record(header, tuple(lines))


def to_bytes(record: Record) -> bytes:
    """Encode the record as a file."""
    lines = (record.header, *record.moments)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


MAX_BYTES = 8_000_000
MAX_LINES = 5_000
MAX_LINE_BYTES = 5_000
MAX_VIA = 64

_ERROR_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<field>[^`]*)`)?$", re.DOTALL)
_UNKNOWN_FIELD = re.compile(r"(?:field|value) [`'](?P<field>[^`']*)[`']")

T = TypeVar("T")


class BadRecord(Malformed):
    """A record that is refused; `code` is stable."""

    def __init__(self, code: str, field: str, text: str, /, **facts: object) -> None:
        self.code = code
        super().__init__(field, text, **facts)


def read_record(path: Path) -> Record:
    """Read and parse a file."""
    return parse_record(read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """Read a file, no further than a record can be long; raise BadRecord if that fails."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        text = N_("{field} cannot be read: {reason}.")
        raise BadRecord("unreadable", str(path), text, reason=error.strerror) from None


def parse_record(data: bytes) -> Record:
    """Parse these bytes; raise BadRecord unless they are exactly a record."""
    first, *rest = _split_lines(data)
    header = _parse_header(first)
    kind, chain, moments = event_union(make_rulebook(header.game)), chain_start(header), []
    for n, line in enumerate(rest, 1):
        moment = _parse_moment(line, n, header, kind)
        chain = chain_moment(header, chain, moment.at, moment.via, bytes(moment.event))
        if moment.chain != chain:
            text = N_("Line {line} of the record: {field} does not fit; it or a line was changed.")
            raise BadRecord("chain", "chain", text, line=n + 1)
        moments.append(moment)
    if not moments and not header.moments:
        raise _wrong_value("count", 1, "moments", f"1 … {MAX_LINES - 1}", 0)
    if len(moments) != header.moments:
        text = N_("Line 1 of the record: {field} says {n}, but {found} follow.")
        raise BadRecord("count", "moments", text, n=header.moments, found=len(moments))
    return Record(header, tuple(moments))


def _split_lines(data: bytes) -> list[bytes]:
    if len(data) > MAX_BYTES or data.count(b"\n", 0, MAX_BYTES) > MAX_LINES:
        text = N_("This is longer than a record can be ({most} lines).")
        raise BadRecord("too_long", "record", text, most=MAX_LINES)
    *lines, rest = data.split(b"\n")
    if rest:
        lines.append(rest)
    for n, line in enumerate(lines, 1):
        _check_line(line, n)
    if rest or not lines:
        text = N_("The record breaks off in line {line}.")
        raise BadRecord("cut_off", "record", text, line=max(len(lines), 1))
    return lines


def _check_line(line: bytes, n: int) -> None:
    if len(line) > MAX_LINE_BYTES:
        text = N_("Line {line} of the record is longer than {most} bytes.")
        raise BadRecord("long_line", "line", text, line=n, most=MAX_LINE_BYTES)
    try:
        line.decode()
    except UnicodeDecodeError:
        raise BadRecord("not_utf8", "line", N_("Line {line} is not UTF-8 text."), line=n) from None


def _parse_header(line: bytes) -> RecordHeader:
    header = _decode_strictly(RecordHeader, line, 1)
    if header.record != FORMAT_VERSION:
        text = N_("Another version of the companion wrote this record: verify it with that one.")
        raise BadRecord("format", "record", text)
    if header.game not in game_names():
        raise _explain_unknown(header)
    rules = make_rulebook(header.game)
    if header.title != rules.box.title:
        raise _wrong_value("title", 1, "title", rules.box.title, header.title)
    if header.rules != rules.version:
        raise _wrong_value("rules", 1, "rules", rules.version, header.rules)
    _check_exact(header, line, 1)
    refused = refuse_names([name for name in header.names if name], rules.start_rule)
    if refused is not None:
        raise BadRecord("names", "names", refused.say.text, **refused.say.facts)
    return header


def _explain_unknown(header: RecordHeader) -> BadRecord:
    """Return the reason the game of a record cannot be read; names in it are those of its
    writer."""
    why = explain_missing(header.game)
    if why is not None:
        return BadRecord("game", "game", N_("The record cannot be read here. {use}"), use=why)
    text = N_("The record is of the game {game} ({name}), which is not installed here.")
    game, name = show_safely(header.game), show_safely(header.title)
    return BadRecord("game", "game", text, game=game, name=name)


def _parse_moment(line: bytes, n: int, header: RecordHeader, event_type: Any) -> RecordedMoment:
    moment = _decode_strictly(RecordedMoment, line, n + 1)
    if moment.n != n:
        raise _wrong_value("order", n + 1, "n", n, moment.n)
    if not 0 <= moment.at < MAX_TIME:
        raise _wrong_value("time", n + 1, "at", f"0 … {MAX_TIME:.0f}", moment.at)
    if not 1 <= len(moment.via) <= MAX_VIA or not moment.via.isprintable():
        raise _wrong_value("via", n + 1, "via", f"1 … {MAX_VIA}", moment.via)
    event = _decode_strictly(event_type, bytes(moment.event), n + 1, "event")
    if isinstance(event, Started) is not (n == 1):
        awaited, tag = "started" if n == 1 else "…", event.__struct_config__.tag
        raise _wrong_value("start", n + 1, "event", awaited, tag)
    if isinstance(event, Started) and header.names and len(header.names) != event.players:
        raise _wrong_value("names", 1, "names", event.players, len(header.names))
    if isinstance(event, Started) and (event.id, event.rules) != (header.id, header.rules):
        told = f"{header.id}, {header.rules}"
        raise _wrong_value("start", n + 1, "event.id", told, f"{event.id}, {event.rules}")
    _check_exact(event, bytes(moment.event), n + 1)
    _check_exact(moment, line, n + 1)
    return moment


def _decode_strictly(type_: type[T], data: bytes, line: int, within: str = "") -> T:
    """Decode one line; raise BadRecord with the field that does not fit."""
    try:
        return msgspec.json.decode(data, type=type_)
    except msgspec.ValidationError as error:
        found = _ERROR_PATH.match(str(error))
        what, field = (found["what"], found["field"] or "") if found else (str(error), "")
        unknown = _UNKNOWN_FIELD.search(what)
        names = [within, field, unknown["field"] if unknown else ""]
        name = ".".join(filter(None, names)) or "line"
        text = N_("Line {line} of the record: {field} is not right: {reason}.")
        raise BadRecord(
            "field", show_safely(name), text, line=line, reason=show_safely(what)
        ) from None
    except (msgspec.DecodeError, RecursionError):
        text = N_("Line {line} of the record is not written as a record writes it.")
        raise BadRecord("not_json", within or "line", text, line=line) from None


def _check_exact(thing: Any, line: bytes, n: int) -> None:
    if to_json(thing) != line:
        text = N_("Line {line} of the record is not written as a record writes it.")
        raise BadRecord("form", "line", text, line=n)


def _wrong_value(code: str, line: int, field: str, expected: object, found: object) -> BadRecord:
    text = N_("Line {line} of the record: {field} must be {expected}, not {value}.")
    return BadRecord(
        code, field, text, line=line, expected=show_safely(expected), value=show_safely(found)
    )  # fmt: skip
