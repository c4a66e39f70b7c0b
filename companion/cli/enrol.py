"""`companion enrol GAME`: learn which sticker is on which card, and check that none is missing.

Laws: a line that calls something enrolled is printed after the deck is on disk. No sticker's UID is
printed or written. Status 1 means that something is missing, 2 that it cannot be done. The terminal
is afterwards as it was, also where Ctrl-C ends the command.
"""

import argparse
import os
import select
import sys
import termios
import tty
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from companion.app.data_folder import open_data_folder
from companion.app.settings import data_folder, deck_path, journal_path
from companion.app.setup.terminal import TerminalSetup
from companion.backup.restore import finish_restore
from companion.cli.options import add_data_option, add_game_option, add_json_option, print_json
from companion.cli.wiring import add_profile_option
from companion.core.deck import Deck, count_missing, list_pieces
from companion.core.durable_files import make_folder
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import N_, Message, get_language, message
from companion.games import find_game
from companion.journal.file import require_own_format
from companion.setup.deck_file import load_deck
from companion.setup.steps import SetupView, WizardStep

WIRES = ("banks", "buttons", "lamps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion enrol`."""
    add = parser.add_argument
    add_game_option(parser)
    add_profile_option(parser)
    add("--sim", action="store_true", help="use a simulated table with a simulated hand")
    add_data_option(parser, "the data folder with the decks")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--wires", choices=WIRES, help="find which wire leads where: %(choices)s")
    what.add_argument("--check", action="store_true", help="check that nothing is missing")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Enrol, check or find wires; return the exit status."""
    with ExitStack() as stack:
        folder = options.data or data_folder()
        if options.sim and options.data is None:
            folder = stack.enter_context(open_data_folder(None, None))
        require_own_format(journal_path(folder))
        finish_restore(folder)
        command = EnrolCommand(options, folder)
        if options.check:
            return command.check()
        return command.find_wires(options.wires) if options.wires else command.enrol()


class EnrolCommand:
    """One run of the command: ask the table, print what became of it."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options, self._folder = options, folder
        self._words = get_language(options.lang)
        self._box = find_game(options.game).standard_box()
        self._path = deck_path(options.game, folder)

    def enrol(self) -> int:
        """Enrol the missing pieces."""
        deck, total = self._load_deck(), sum(self._box.tagged_pieces().values())
        if deck.things:
            text = "Going on with {file}: {n} of {total} are enrolled."
            self._say(message(text, file=str(self._path), n=len(deck.things), total=total))
        if self._count_missing(deck):
            text = "Keys: u takes the last one back, s skips, r makes a known sticker new, q stops."
            self._attend("stickers", message(text))
        left = self._count_missing(self._load_deck())
        complete = message("The deck is complete: {total} of {total}.", total=total)
        never = message("Not enrolled yet: {things}.", things=list_pieces(left))
        self._say(never if left else complete)
        if self._options.sim and self._options.data is None:
            self._say(message("Nothing was kept; name a folder with --data to keep it."))
        self._end(enrolled=total - sum(left.values()), missing=left, file=str(self._path))
        return 1 if left else 0

    def check(self) -> int:
        """Check that every enrolled piece passes a reader."""
        if not self._path.exists():
            text = N_("{field} does not exist yet; to make it, type: companion enrol {game}")
            raise Malformed(str(self._path), text, game=self._box.game)
        never = self._count_missing(self._load_deck())
        if never:
            text = "Not enrolled yet: {things}."
            self._say(message(text, things=list_pieces(never)))
        shown = self._attend("check", message("Press q to stop."))
        names = [get_language("en")(piece) for piece in shown.missing]
        is_all_there = shown.done == shown.total > 0
        self._end(all_there=is_all_there, missing=names, never_enrolled=never)
        return 0 if is_all_there else 1

    def find_wires(self, step: WizardStep) -> int:
        """Find the wires of one kind."""
        text = (
            "Keys: u takes the last one back, s skips, a number says where a lamp shines, q stops."
        )
        shown = self._attend(step, message(text))
        self._end(found=shown.done, total=shown.total)
        return 0 if shown.done == shown.total else 1

    def _load_deck(self) -> Deck:
        return load_deck(self._path, self._box) if self._path.exists() else Deck({})

    def _count_missing(self, deck: Deck) -> dict[str, int]:
        return count_missing(self._box.tagged_pieces(), deck.things.values())

    def _attend(self, step: WizardStep, keys_text: Message) -> SetupView:
        """Go through a step of the set-up; Malformed if it cannot be begun."""
        make_folder(self._folder)
        asked, folder = self._options, self._folder
        with closing(TerminalKeys()) as keys:
            setup = TerminalSetup(
                asked.game, folder, asked.profile, keys.read_keys, self._say, simulated=asked.sim
            )
            with closing(setup):
                shown = setup.attend(step, keys_text)
        if isinstance(shown, Refusal):
            raise Malformed("--wires", shown.say.text, **shown.say.facts)
        return shown

    def _end(self, **facts: object) -> None:
        """Print the outcome as JSON, if it was asked for."""
        if self._options.json:
            print_json(facts)

    def _say(self, said: Message) -> None:
        out = sys.stderr if self._options.json else sys.stdout
        print(self._words(said), flush=True, file=out)


class TerminalKeys:
    """The keys pressed at the terminal, each as it is pressed; or the letters of a pipe."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        try:
            self._file: int | None = sys.stdin.fileno()
        except (OSError, ValueError):
            self._file = None
        if self._file is not None and os.isatty(self._file):
            self._before = termios.tcgetattr(self._file)
            tty.setcbreak(self._file, termios.TCSADRAIN)  # what was typed already counts

    def read_keys(self) -> str:
        """Return the keys pressed since the last call."""
        if self._file is None or not select.select([self._file], [], [], 0)[0]:
            return ""
        typed = os.read(self._file, 64)
        if not typed:  # the pipe is closed: no key can come any more
            self.close()
            self._file = None
        return typed.decode("ascii", "ignore").lower()

    def close(self) -> None:
        """Give the terminal back as it was."""
        if self._file is not None and self._before is not None:
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)
