"""Load and save the deck file of a box: marks and things, never a tag.

Laws: a saved deck is on disk, whole and private, before `save_deck` returns. A deck that does not
fit the box is refused in one sentence that names the fault.
"""

from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.cards import Box
from companion.core.deck import Deck, Mark, Name, NewerMark, name_piece
from companion.core.durable_files import make_folder, write_file
from companion.core.errors import Malformed, not_read, show_safely
from companion.core.i18n import N_
from companion.games import find_game, game_names


class DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the file; `deck` is the version of the format."""

    deck: Literal[2]
    game: Name
    box: Name
    made: Name
    salt: Mark
    things: dict[Mark, Name]
    replaced: dict[Mark, NewerMark] = {}


def load_deck(path: Path, box: Box) -> Deck:
    """Load a deck and check it against its box; Malformed if it does not fit."""
    written = _read_deck_file(path)
    if written.game != box.game:
        text = N_("{field} is a deck of {other}, not of {box}.")
        is_known = written.game in game_names()
        other = find_game(written.game).standard_box().title if is_known else written.game
        raise Malformed(path.name, text, other=other, box=box.title)
    holds = box.tagged_pieces()
    for thing, n in Counter(written.things.values()).items():
        if n > holds.get(thing, 0):
            text = N_("{field} has {number} × {thing} among its things; the box holds {total}.")
            facts = {"number": n, "thing": name_piece(thing), "total": holds.get(thing, 0)}
            raise Malformed(path.name, text, **facts)
    return Deck(written.things, written.salt, written.replaced)


def save_deck(path: Path, deck: Deck, box: Box, day: str) -> None:
    """Write a deck over its file; NotWritten if that fails."""
    things, replaced = dict(deck.things), dict(deck.replaced)
    written = DeckFile(2, box.game, box.title, day, deck.salt, things, replaced)
    make_folder(path.parent)
    write_file(path, msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n")


def _read_deck_file(path: Path) -> DeckFile:
    """Read a deck file; Malformed if it is none."""
    try:
        written = msgspec.json.decode(path.read_bytes(), type=DeckFile)
        for old in written.replaced:
            mark, seen = old, set[str]()
            while mark in written.replaced and mark not in seen:
                seen.add(mark)
                mark = written.replaced[mark].new
            if mark not in written.things or old in written.things:
                raise ValueError("its field “replaced” names a mark that leads to no thing")
    except OSError as error:
        raise not_read(path, error) from None
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        text, reason = N_("{field} is not a deck: {reason}."), show_safely(fault, 200)
        raise Malformed(path.name, text, reason=reason) from None
    return written
