"""`companion enrol GAME`: learn which sticker is on which card, and check that none is missing.

Laws: a line that calls something enrolled is printed after the deck is on disk. No sticker's UID is
printed or written. Status 1 means that something is missing, 2 that it cannot be done.
"""

import argparse
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from companion.app.decks import load_other_decks
from companion.app.enrolment import (
    STOP,
    EnrolSteps,
    EnrolTable,
    attend_table,
    open_deck_store,
    open_enrol_table,
)
from companion.app.sticker_table import open_sticker_table
from companion.app.terminal_keys import TerminalKeys
from companion.app.wires import profile_or_learnt
from companion.cli.options import add_game_option
from companion.cli.output import add_json_option, print_json
from companion.cli.wiring import add_profile_option
from companion.core.deck import Deck, count_missing, list_pieces, name_piece
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, get_language, message
from companion.enrol import (
    DeckCheck,
    Walk,
    begin_walk,
    renew_sticker,
    skip_thing,
    take_evidence,
    undo_step,
)
from companion.enrol.replacement import ReplaceRequest

KEYS = {"u": undo_step, "s": skip_thing, "r": renew_sticker}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion enrol`."""
    add = parser.add_argument
    add_game_option(parser)
    add_profile_option(parser)
    add("--sim", action="store_true", help="use a simulated table with a simulated hand")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--data", type=Path, metavar="FOLDER", help="the data folder with the decks")
    where.add_argument("--deck", type=Path, metavar="FILE", help="the file with the deck")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="check that nothing is missing")
    what.add_argument("--export", type=Path, metavar="FILE", help="copy the deck to this file")
    what.add_argument("--import", type=Path, metavar="FILE", dest="taken",
                      help="install the deck in this file")  # fmt: skip
    what.add_argument("--forget", action="store_true", help="delete the deck")
    what.add_argument("--replace", metavar="PIECE",
                      help="give a new sticker to one piece whose own is ruined")  # fmt: skip
    add_json_option(parser)
    add("--at-place", action="store_true",
        help="with --replace: it belongs to the running game’s pile where it is laid")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Enrol, check, copy or forget the deck; return the exit status."""
    return EnrolCommand(options).run()


class EnrolCommand:
    """One run of the command: ask the deck store or the table, print what became of it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options, self._words = options, get_language(options.lang)
        self._store = open_deck_store(
            options.game, options.deck, options.data, simulated=options.sim
        )
        self._holds = self._store.box.tagged_pieces()
        self._total = sum(self._holds.values())
        self._asked: tuple[str, int] | None = None
        self._told_to = sys.stderr if options.json else sys.stdout

    def run(self) -> int:
        """Run what the options ask for; return the exit status."""
        options = self._options
        if options.forget:
            file = str(self._store.delete_deck())
            return self._end(message("The deck {file} is forgotten.", file=file), forgotten=file)
        if options.export:
            self._store.export_deck(options.export)
            file = str(options.export)
            return self._end(message("The deck was copied to {file}.", file=file), copied_to=file)
        if options.taken:
            deck, file = self._store.import_deck(options.taken), str(options.taken)
            self._say(message("The deck of {file} was taken over.", file=file))
            return self._summarize(deck)
        if options.replace:
            return self._replace(ReplaceRequest(options.replace, options.at_place))
        return self._check() if options.check else self._enrol()

    def _enrol(self) -> int:
        deck = self._store.load_or_create()
        if self._store.path is not None and self._store.path.exists():
            self._say(message("Going on with {file}: {n} of {total} are enrolled.",
                                file=str(self._store.path), n=len(deck.things),
                                total=self._total))  # fmt: skip
        if count_missing(self._holds, deck.things.values()):
            with self._open_table() as table:
                deck = self._walk_through(Walk(self._holds, deck), table).deck
        return self._summarize(deck)

    def _walk_through(self, walk: Walk, table: EnrolTable) -> Walk:
        table.settle()
        for evidence in table.sense():
            walk, _ = take_evidence(walk, evidence)
        text = "Keys: u takes the last one back, s skips, r makes a known sticker new, q stops."
        self._say(message(text))
        walk, said = begin_walk(walk)
        self._save_and_say(walk, said)
        with TerminalKeys() as keys:
            steps = EnrolSteps(take_evidence, KEYS, self._save_and_say)
            return attend_table(walk, table, steps, keys.read_keys)

    def _save_and_say(self, walk: Walk, said: Message | None) -> None:
        self._store.save_changes(walk.deck)
        self._say(said)
        if walk.asked != self._asked and walk.asked_slot is not None:
            text = "If its sticker is not glued yet, take slot {slot} of the jig."
            self._say(message(text, slot=walk.asked_slot))
        self._asked = walk.asked

    def _summarize(self, deck: Deck) -> int:
        left = count_missing(self._holds, deck.things.values())
        if left:
            self._say(message("Not enrolled yet: {things}.", things=list_pieces(left)))
        else:
            self._say(message("The deck is complete: {total} of {total}.", total=self._total))
        if self._store.path is None:
            self._say(message("Nothing was kept; name a file with --deck to keep it."))
        file = "" if self._store.path is None else str(self._store.path)
        self._end(None, enrolled=self._total - sum(left.values()), missing=left, file=file)
        return 1 if left else 0

    def _replace(self, request: ReplaceRequest) -> int:
        """Wait for one new sticker and give it to the piece, saying what is wrong meanwhile."""
        options = self._options
        if self._store.path is None or options.deck:
            raise Malformed("--replace", N_("{field} needs the data folder of the table: --data."))
        self._store.require_piece(request.piece)
        text = "Lay the card with its new sticker alone on a reader. q stops."
        self._say(message(text))
        opening = open_sticker_table(
            options.game, options.data, options.profile, simulated=options.sim
        )
        with opening as table, TerminalKeys() as keys:
            if not table.replace_when_laid(
                request, lambda: STOP in keys.read_keys(), lambda refused: self._say(refused.say)
            ):
                return 1
            text = (
                "{thing} has its new sticker. Take it off; it counts as before wherever it is laid."
            )
            said = message(text, thing=name_piece(request.piece))
            return self._end(said, replaced=request.piece)

    def _check(self) -> int:
        deck = self._store.load_existing()
        left = count_missing(self._holds, deck.things.values())
        if left:
            text = "Never enrolled, so not looked for: {things}."
            self._say(message(text, things=list_pieces(left)))
        text = "Lay everything on any reader, in any order, or sweep it over. q stops."
        self._say(message(text))
        steps = EnrolSteps(DeckCheck.take_evidence, {}, lambda _, said: self._say(said))
        with self._open_table() as table, TerminalKeys() as keys:
            others = load_other_decks(self._options.game, self._options.data)
            check = DeckCheck(self._holds, deck, others=others)
            check = attend_table(check, table, steps, keys.read_keys)
        said = None if check.done or self._options.json else check.instruction
        self._end(said, all_there=check.done, missing=check.missing, never_enrolled=left)
        return 0 if check.done else 1

    def _open_table(self) -> AbstractContextManager[EnrolTable]:
        profile = profile_or_learnt(self._options.profile, self._options.data)
        return open_enrol_table(profile, self._holds, simulated=self._options.sim)

    def _end(self, said: Message | None, **facts: object) -> int:
        """Say what became of it, or print it for programs; return status 0."""
        self._say(said)
        if self._options.json:
            print_json(facts)
        return 0

    def _say(self, said: Message | None) -> None:
        if said is not None:
            print(self._words(said), flush=True, file=self._told_to)
