"""The doctor on this terminal: the dialogue with the person, and the report.

Laws: the dialogue goes to the standard error; the standard output has the report alone. Colours are
for a terminal, and not where $NO_COLOR is set or the terminal is dumb; every colour comes with a
word that says the same.
"""

import os
import sys
from contextlib import ExitStack
from io import TextIOWrapper
from typing import Self

from companion.cli.options import print_json
from companion.cli.progress import waiting
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message
from hardware.doctor import DoctorReport, ReportLine

CODES = {"red": "31", "amber": "33", "green": "32"}
COLOUR_OF = {"bad": "red", "doubtful": "amber", "good": "green"}
"""The colours of the states of a doctor's report."""


class DoctorTerminal:
    """The dialogue on the terminal; faults are printed before the next question.

    Between two questions it shows for how long the doctor has been at work.
    """

    def __init__(self, words: Language) -> None:
        self._words = words
        self._noted: list[ReportLine] = []
        self._shown = ExitStack()

    def __enter__(self) -> Self:
        self._shown.enter_context(waiting(self._words))
        return self

    def __exit__(self, *raised: object) -> None:
        self._shown.close()

    def note_line(self, line: ReportLine) -> None:
        if line.state in ("bad", "doubtful"):
            self._noted.append(line)

    def print_message(self, text: Message) -> None:
        self._shown.close()
        self._print_noted()
        print(self._words(text), file=sys.stderr, flush=True)
        self._shown.enter_context(waiting(self._words))

    def ask_question(self, question: Message) -> str:
        self._shown.close()
        self._print_noted()
        print(self._words(question), end=" ", file=sys.stderr, flush=True)
        answer = _read_answer()
        self._shown.enter_context(waiting(self._words))
        return answer

    def _print_noted(self) -> None:
        for line in self._noted:
            print("  ".join(line.render_cells(self._words)), file=sys.stderr)
        self._noted.clear()


def _read_answer() -> str:
    """Read one line; Malformed if standard input is closed."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except OSError:
        line = ""
    if not line:
        print(file=sys.stderr)
        text = N_("No one can answer here: run the doctor in a terminal, or with {field}.")
        raise Malformed("--sim", text)
    return line


def print_report(report: DoctorReport, words: Language, *, as_json: bool) -> int:
    """Print every line and the summary; return the exit status."""
    if as_json:
        lines = [{"what": words(line.what), "state": line.state, "said": words(line.said)}
                 for line in report.lines]  # fmt: skip
        print_json({"lines": lines, "summary": words(report.summary())})
        return report.exit_status
    rows = report.render_table(words).splitlines()
    for line, row in zip(report.lines, rows, strict=False):
        state = line.render_cells(words)[1]
        print(row.replace(f"  {state}", f"  {paint(state, COLOUR_OF.get(line.state, ''))}", 1))
    print("\n".join(rows[len(report.lines) :]))
    return report.exit_status


def has_colours() -> bool:
    """Check whether standard output shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get(
        "TERM"
    ) != "dumb"  # fmt: skip


def paint(text: str, colour: str) -> str:
    """Return a text in this colour, where colours are shown."""
    if colour not in CODES or not has_colours():
        return text
    return f"\x1b[{CODES[colour]}m{text}\x1b[0m"
