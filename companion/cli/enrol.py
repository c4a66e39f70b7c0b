"""`companion enrol GAME`: learn which sticker is on which card, and check that none is missing.

Laws: what a line calls enrolled is on disk before the line is printed. Nothing that is printed or
written holds a sticker's UID. Status 1 means that something is missing, 2 that it cannot be done.
"""

import argparse
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from companion.app.settings import data_folder, deck_path, file_exists_error
from companion.app.setup.simulated_enrolment import Rehearsal
from companion.app.wires import profile_or_learnt
from companion.backup import finish
from companion.cli import add_language_option
from companion.cli.terminal import SEATS, EnrolTable, WiredTable, attend_table
from companion.core.cards import BOX_TYPES, standard_box
from companion.core.deck import MARK_BYTES, Deck, count_missing, list_pieces
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, get_language, message
from companion.enrol import Check, Walk, begin, heard, renew, skip, undo
from companion.enrol.deck_file import load, save
from hardware.errors import Said
from hardware.wiring import DEFAULT, profiles

KEYS = {"u": undo, "s": skip, "r": renew}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion enrol`."""
    add = parser.add_argument
    add("game", choices=BOX_TYPES, metavar="GAME", help=f"one of {', '.join(BOX_TYPES)}")
    known = ", ".join(profiles())
    add("--profile", metavar="PROFILE",
        help=f"{known}, or the path of a .toml file (default: as it was learnt in the browser, "
             f"else {DEFAULT})")  # fmt: skip
    add("--sim", action="store_true", help="a simulated table, where a hand lays the stickers")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--data", type=Path, metavar="FOLDER", help="where decks are kept")
    where.add_argument("--deck", type=Path, metavar="FILE", help="the deck is in this file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="see that everything is still there")
    what.add_argument("--export", type=Path, metavar="FILE", help="copy the deck to a file")
    what.add_argument("--import", type=Path, metavar="FILE", dest="taken",
                      help="take over the deck of a file")  # fmt: skip
    what.add_argument("--forget", action="store_true", help="delete the deck")
    add_language_option(parser)


def run(chosen: argparse.Namespace) -> int:
    """Enrol, check, copy or forget."""
    words = get_language(chosen.lang)
    try:
        return Errand(chosen).run()
    except (Said, Malformed) as error:
        print(f"companion enrol: {words(error.say)}", file=sys.stderr)
        return 2


class Errand:
    """What is to be done with the deck of one game."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self._chosen, self._words = chosen, get_language(chosen.lang)
        self._box = standard_box(BOX_TYPES[chosen.game])
        self._holds = self._box.tagged_pieces()
        self._total = sum(self._holds.values())
        self._path: Path | None = chosen.deck
        if chosen.deck is None and (chosen.data or not chosen.sim):
            finish(chosen.data or data_folder())
            self._path = deck_path(chosen.game, chosen.data)
        self._kept: Mapping[str, str] = {}

    def run(self) -> int:
        """The exit status."""
        chosen = self._chosen
        if chosen.forget:
            return self._forget()
        if chosen.export:
            return self._export(chosen.export)
        if chosen.taken:
            return self._import(chosen.taken)
        return self._check() if chosen.check else self._enrol()

    def _enrol(self) -> int:
        if self._path is not None and self._path.exists():
            deck = load(self._path, self._box)
            self._say(message("Going on with {file}: {n} of {total} are enrolled.",
                          file=str(self._path), n=len(deck.things), total=self._total))  # fmt: skip
        else:
            deck = Deck({}, secrets.token_hex(MARK_BYTES))
        self._kept = deck.things
        if count_missing(self._holds, deck.things.values()):
            with self._table() as at:
                deck = self._walk(Walk(self._holds, deck), at).deck
        return self._summary(deck)

    def _walk(self, walk: Walk, at: EnrolTable) -> Walk:
        at.settle()
        for evidence in at.sense():
            walk, _ = heard(walk, evidence)
        text = "Keys: u takes the last one back, s skips, r makes a known sticker new, q stops."
        self._say(message(text))
        walk, said = begin(walk)
        self._told(walk, said)
        return attend_table(walk, at, heard, KEYS, self._told)

    def _told(self, walk: Walk, said: Message | None) -> None:
        """First on disk, then said."""
        if self._path is not None and walk.deck.things != self._kept:
            save(self._path, walk.deck, self._box, date.today().isoformat())
            self._kept = walk.deck.things
        self._say(said)

    def _summary(self, deck: Deck) -> int:
        left = count_missing(self._holds, deck.things.values())
        if left:
            self._say(message("Not enrolled yet: {things}.", things=list_pieces(left)))
        else:
            self._say(message("The deck is complete: {total} of {total}.", total=self._total))
        if self._path is None:
            self._say(message("Nothing was kept; name a file with --deck to keep it."))
        return 1 if left else 0

    def _check(self) -> int:
        deck = self._existing()
        left = count_missing(self._holds, deck.things.values())
        if left:
            self._say(
                message("Never enrolled, so not looked for: {things}.", things=list_pieces(left))
            )
        check = Check(self._holds, deck)
        self._say(message("Lay everything on any reader, in any order, or sweep it over. q stops."))
        with self._table() as at:
            check = attend_table(check, at, Check.heard, {}, lambda _, said: self._say(said))
        if not check.done:
            self._say(check.next)
        return 0 if check.done else 1

    def _export(self, file: Path) -> int:
        deck = self._existing()
        if os.path.lexists(file):
            raise file_exists_error(file)
        save(file, deck, self._box, date.today().isoformat())
        self._say(message("The deck was copied to {file}.", file=str(file)))
        return 0

    def _import(self, file: Path) -> int:
        deck, path = load(file, self._box), self._known_path()
        if path.exists():
            text = N_("{field} exists already; to lose it, type: companion enrol {game} --forget")
            raise Malformed(str(path), text, game=self._chosen.game)
        save(path, deck, self._box, date.today().isoformat())
        self._say(message("The deck of {file} was taken over.", file=str(file)))
        return self._summary(deck)

    def _forget(self) -> int:
        path = self._known_path()
        try:
            path.unlink()
        except FileNotFoundError:
            raise self._none(path) from None
        except OSError as error:
            text = N_("{field} cannot be written: {reason}.")
            raise Malformed(str(path), text, reason=error.strerror) from None
        self._say(message("The deck {file} is forgotten.", file=str(path)))
        return 0

    def _existing(self) -> Deck:
        path = self._known_path()
        if not path.exists():
            raise self._none(path)
        return load(path, self._box)

    def _known_path(self) -> Path:
        if self._path is None:
            raise Malformed("--sim", N_("{field} keeps no deck; name a file with --deck."))
        return self._path

    def _none(self, path: Path) -> Malformed:
        text = N_("{field} does not exist yet; to make it, type: companion enrol {game}")
        return Malformed(str(path), text, game=self._chosen.game)

    @contextmanager
    def _table(self) -> Iterator[EnrolTable]:
        """The table, its lamps off at the end."""
        chosen = self._chosen
        profile = profile_or_learnt(chosen.profile, chosen.data)
        at: EnrolTable = Rehearsal(profile, self._holds) if chosen.sim else WiredTable(profile)
        try:
            yield at
        finally:
            for seat in SEATS:
                at.light(seat, "off")
            at.close()

    def _say(self, said: Message | None) -> None:
        if said is not None:
            print(self._words(said), flush=True)
