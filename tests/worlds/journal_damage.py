"""Damage to a journal's files, and the check of what is left of it.

Law: what survives is found here without asking the journal how it reads its files: the bytes of
every row are written out by hand, and looked for in the damaged files.
"""

import shutil
import struct
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.core.events import Opened, Sealed, to_json
from companion.core.i18n import get_language
from companion.journal import Journal, JournalLine
from companion.journal.line import mark_hash

PAGE = 4096
FRAME = PAGE + 24


class Image(NamedTuple):
    """The bytes of a line, up to its hashes and to its end."""

    hashed: bytes
    whole: bytes


class Files(NamedTuple):
    """A journal as it lies on disk, and what was acknowledged."""

    db: bytes
    wal: bytes
    lines: list[JournalLine]
    images: list[Image]

    def survivors(self) -> set[int]:
        """The lines of which a whole copy is left; in the file, one that is whole to its hashes."""
        images = enumerate(self.images, 1)
        return {n for n, (hashed, whole) in images if hashed in self.db or whole in self.wal}


def varint(number: int) -> bytes:
    assert number < 1 << 14
    return bytes([0x80 | number >> 7, number & 127]) if number > 127 else bytes([number])


def image(line: JournalLine, key: str, tag: str) -> Image:
    """A line as SQLite writes it: the types of its columns, what is hashed, and the hashes."""
    game, id, via = (text.encode() for text in (line.game, line.id, line.via))
    event = bytes(line.event)
    types = [0, *(13 + 2 * len(t) for t in (game, id)), 7, *(13 + 2 * len(t) for t in (via, event))]
    types += [76, 76, *(13 + 2 * len(text.encode()) for text in (key, tag)), 76]
    header = b"".join(map(varint, types))
    columns = game + id + struct.pack(">d", line.at) + via + event
    hashes = bytes.fromhex(line.own + line.chain)
    mark = mark_hash(line.n, line.own, line.chain, key, tag)
    hashed = bytes([len(header) + 1]) + header + columns + hashes
    return Image(hashed, hashed + key.encode() + tag.encode() + mark)


def written(folder: Path, games: int = 4, lines: int = 40, closed: bool = False) -> Files:
    """A journal of a few games, its files copied while it is open, or after it was closed."""
    folder.mkdir(exist_ok=True)
    path = folder / "written.sqlite3"
    random, images = Random(games * lines), []
    with closing(Journal(path)) as journal:
        for game in range(games):
            for k in range(lines):
                event = Sealed(k % 5 + 1, f"{random.getrandbits(256):064x}")
                opened = Opened(k % 5 + 1, random.randrange(30), f"{random.getrandbits(128):032x}")
                key, tag = f"key {game} {k}", "" if k % 3 else f"tag {k}"
                line = journal.append(
                    "bankueberfall", f"game-{game}", 1000.25 + 100 * game + k, f"phone {k % 5}",
                    to_json(opened if k % 2 else event), key, tag,
                )  # fmt: skip
                images.append(image(line, key, tag))
            journal.write_anchor()
        told = list(journal.read_lines())
        db, wal = path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()
    if closed:
        db, wal = path.read_bytes(), b""
    return Files(db, wal, told, images)


class Seen(NamedTuple):
    """What a damaged journal shows once it is open and proven."""

    lines: list[JournalLine]
    notices: list[str]
    keys: dict[str, int]


def opened(folder: Path, files: Files) -> Seen:
    """Open these files and prove them, twice; the second time there must be nothing to say."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "journal.sqlite3"
    path.write_bytes(files.db)
    if files.wal:
        path.with_name(path.name + "-wal").write_bytes(files.wal)
    seen = _seen(path)
    again = _seen(path)
    assert (again.lines, again.notices, again.keys) == (seen.lines, [], seen.keys)
    return seen


def _seen(path: Path) -> Seen:
    with closing(Journal(path)) as journal:
        for _ in range(1000):
            if journal.check_lines(64):
                break
        notices = [get_language("en")(notice) for notice in journal.notices]
        keys = {
            key: n
            for game in journal.list_games()
            for key, n in journal.request_keys(game.id).items()
        }
        return Seen(list(journal.read_lines()), notices, keys)


def judge(before: Files, files: Files, seen: Seen) -> set[int]:
    """Nothing is altered, nothing sound is dropped, nothing is told twice; which lines are lost."""
    truth = {line.n: line for line in before.lines}
    for line in seen.lines:
        assert line == truth[line.n], "a line was altered, or appears that never was"
    numbers = [line.n for line in seen.lines]
    assert numbers == sorted(set(numbers))
    lost = truth.keys() - set(numbers)
    sound = files.survivors()
    assert not lost & sound, f"sound lines were dropped: {sorted(lost & sound)}"
    assert len(seen.notices) <= 1
    assert all(notice.count(". ") == 0 for notice in seen.notices)
    return lost


def flipped(files: Files, where: str, bit: int) -> Files:
    """The same files with one bit of one of them changed."""
    data = bytearray(getattr(files, where))
    data[bit // 8] ^= 1 << bit % 8
    return files._replace(**{where: bytes(data)})


def cuts(files: Files, where: str, last: int, stride: int) -> list[int]:
    """Where to cut within the last bytes: every so often, and closer where rows and pages begin."""
    data = getattr(files, where)
    row = files.images[-1].whole
    at = data.rfind(row)
    each, first = (FRAME, 32) if where == "wal" else (PAGE, 0)
    begins = {at, at + len(row), *range(first, len(data), each)}
    close = {begin + k for begin in begins for k in (-1, 0, 1, 7, 15, 24)}
    wide = set(range(len(data) - last, len(data), stride))
    row_bytes = set(range(at, at + len(row), max(1, stride // 40)))
    return sorted(cut for cut in close | wide | row_bytes if len(data) - last <= cut < len(data))
