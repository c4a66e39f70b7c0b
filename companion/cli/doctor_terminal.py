"""The doctor's dialogue with the person at this terminal.

Law: all of it goes to the standard error; the standard output has the report alone.
"""

import sys
from contextlib import ExitStack
from io import TextIOWrapper
from typing import Self

from companion.cli.progress import waiting
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message
from hardware.doctor import ReportLine


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
