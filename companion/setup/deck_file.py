"""Load and save the deck file of a box: marks and things, never a tag.

Laws: a saved deck is on disk, whole and private, before `save_deck` returns. A deck that does not
fit the box is refused in one sentence that names the fault.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import msgspec

from companion.core.cards import Box
from companion.core.deck import MARK_BYTES, Deck, Replacement, name_piece
from companion.core.durable_files import make_folder, write_file
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_
from companion.games import find_game, game_names
from companion.setup.walk import SLOTS

VERSION = 2
MAX_SIZE = 1_000_000

MAX_QUOTE = 200

Mark = Annotated[str, msgspec.Meta(pattern=rf"\A[0-9a-f]{{{2 * MARK_BYTES}}}\Z")]

Slot = Annotated[int, msgspec.Meta(ge=SLOTS[0], le=SLOTS[-1])]

Name = Annotated[
    str, msgspec.Meta(max_length=60, pattern=r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029]*\Z")
]


class ReplacedMark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The mark that came for another one, and the game that had the other one on the table."""

    new: Mark
    game: Name = ""


class DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the file; `deck` is the version of the format."""

    deck: int
    game: Name
    box: Name
    made: Name
    salt: Mark
    things: dict[Mark, Name]
    slots: dict[Mark, Slot] = {}
    replaced: dict[Mark, ReplacedMark] = {}


def load_deck(path: Path, box: Box) -> Deck:
    """Load a deck and check it against its box; Malformed if it does not fit."""
    written = _parse_deck_file(path)
    if written.game != box.game:
        text = N_("{field} is a deck of {other}, not of {box}.")
        other = (
            find_game(written.game).standard_box().title
            if written.game in game_names()
            else written.game
        )
        raise Malformed(path.name, text, other=other, box=box.title)
    holds = box.tagged_pieces()
    for thing, n in Counter(written.things.values()).items():
        if thing not in holds:
            text = N_("{field} names “{other}” among its things, which the box does not hold.")
            raise Malformed(path.name, text, other=thing)
        if n > holds[thing]:
            text = N_("{field} has {number} × {thing} among its things; the box holds {total}.")
            facts = {"number": n, "thing": name_piece(thing), "total": holds[thing]}
            raise Malformed(path.name, text, **facts)
    replaced = {old: Replacement(by.new, by.game) for old, by in written.replaced.items()}
    return Deck(written.things, written.salt, written.slots, replaced)


def read_enrolment_day(path: Path) -> str:
    """Return the day on which the deck in this file was last saved, as it states."""
    return _parse_deck_file(path).made


def save_deck(path: Path, deck: Deck, box: Box, day: str) -> None:
    """Write a deck to its file, replacing what is there; NotWritten if that fails."""
    replaced = {old: ReplacedMark(by.new, by.game) for old, by in deck.replaced.items()}
    things, slots = dict(deck.things), dict(deck.slots)
    written = DeckFile(VERSION, box.game, box.title, day, deck.salt, things, slots, replaced)
    data = msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n"
    make_folder(path.parent)
    write_file(path, data)


def _parse_deck_file(path: Path) -> DeckFile:
    """Parse a deck file; Malformed if it is none or of another format."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise not_read(path, error) from None
    try:
        if len(data) > MAX_SIZE:
            raise ValueError("it is too long")
        found = json.loads(data, object_pairs_hook=_reject_duplicates)
        version = found.get("deck") if isinstance(found, dict) else None
        if type(version) is int and version != VERSION:
            text = N_(
                "{field} was written by another version of the companion: enrol the box again."
            )
            raise Malformed(path.name, text)
        if type(version) is not int:
            raise ValueError(f"its field “deck” is not {VERSION}")
        written = msgspec.convert(found, DeckFile)
        _check_marks(written)
        return written
    except Malformed:
        raise
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        text = N_("{field} is not a deck: {reason}.")
        raise Malformed(path.name, text, reason=_shorten(str(fault))) from None


def _check_marks(written: DeckFile) -> None:
    """Raise ValueError for a slot of no thing, or a replaced mark that leads to none."""
    if written.slots.keys() - written.things.keys():
        raise ValueError("its field “slots” names a mark that is on no thing")
    for old in written.replaced:
        mark, seen = old, set[str]()
        while mark in written.replaced and mark not in seen:
            seen.add(mark)
            mark = written.replaced[mark].new
        if mark not in written.things or old in written.things:
            raise ValueError("its field “replaced” names a mark that leads to no thing")


def _shorten(text: str) -> str:
    """Return foreign text as one line of limited length."""
    return "".join(c if c.isprintable() else "?" for c in text[:MAX_QUOTE])


def _reject_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build a JSON object; ValueError for duplicate keys, so that no tag is two things."""
    found = dict(pairs)
    for name, n in Counter(name for name, _ in pairs).items():
        if n > 1:
            raise ValueError(f"it has “{name[:MAX_QUOTE]}” more than once")
    return found
