"""`companion doctor [PROFILE]`: is everything soldered, powered, allowed and alive?

Law: what is wrong with the table is a line of the report and status 1; what keeps the doctor
from looking is one sentence and status 2. The report is all that goes to the standard output;
what she asks and tells on the way does not.
"""

import argparse
import sys
from io import TextIOWrapper
from pathlib import Path

from companion.app.wires import profile_or_learnt
from companion.cli import add_language_option
from companion.cli.wiring import profile_argument
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message, get_language
from hardware.doctor import Line, Report, Terminal, examine
from hardware.doctor.rehearsal import rehearse
from hardware.errors import Said
from hardware.pi import leave_no_file
from hardware.wiring import Wiring, load

MOST_BYTES = 1_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion doctor`."""
    profile_argument(parser)
    parser.add_argument("--sim", action="store_true", help="examine a simulated table")
    parser.add_argument("--faults", metavar="FILE", help="with --sim: a script of faults to find")
    add_language_option(parser)


def run(chosen: argparse.Namespace) -> int:
    """Examine; status 1 if anything is bad."""
    words = get_language(chosen.lang)
    try:
        report = _report(chosen, words)
    except (Said, Malformed) as error:
        print(f"companion doctor: {words(error.say)}", file=sys.stderr)
        return 2
    print(report.table(words), end="")
    return report.exit_status


def _report(chosen: argparse.Namespace, words: Language) -> Report:
    if chosen.faults is not None and not chosen.sim:
        raise Malformed("--faults", N_("{field} goes with --sim."))
    wiring = load(profile_or_learnt(chosen.profile))
    if chosen.sim:
        return rehearse(wiring, "" if chosen.faults is None else _script(chosen.faults))
    return _examined(wiring, words)


def _script(name: str) -> str:
    """The fault script in a file."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        text = N_("{field} cannot be read: {reason}.")
        raise Malformed(name, text, reason=error.strerror) from None
    if len(data) > MOST_BYTES:
        text = N_("{field} is longer than a script can be ({most} bytes).")
        raise Malformed(name, text, most=MOST_BYTES)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed(name, N_("{field} is not UTF-8 text.")) from None


def _examined(wiring: Wiring, words: Language) -> Report:
    """The table under our hands, with whoever sits at this terminal."""
    talk = _Talk(words)
    leave_no_file()
    return examine(wiring, Terminal(talk.tell, talk.ask), tell=talk.note)


class _Talk:
    """What passes between doctor and person: what is not good is told before the next question."""

    def __init__(self, words: Language) -> None:
        self._words = words
        self._untold: list[Line] = []

    def note(self, line: Line) -> None:
        if line.state in ("bad", "doubtful"):
            self._untold.append(line)

    def tell(self, saying: Message) -> None:
        self._catch_up()
        print(self._words(saying), file=sys.stderr, flush=True)

    def ask(self, question: Message) -> str:
        self._catch_up()
        print(self._words(question), end=" ", file=sys.stderr, flush=True)
        return _answer()

    def _catch_up(self) -> None:
        for line in self._untold:
            print("  ".join(line.cells(self._words)), file=sys.stderr)
        self._untold.clear()


def _answer() -> str:
    """A line from the terminal."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except OSError:
        line = ""
    if not line:
        print(file=sys.stderr)
        text = N_("Nobody answers here: run the doctor in a terminal, or with {field}.")
        raise Malformed("--sim", text)
    return line
