"""Drive an enrolment from a terminal beside the table: readers and keys in, text and lamps out.

Law: nothing is lost by stopping, with a key or by Ctrl-C; the terminal and the lamps are afterwards
as they were.
"""

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from companion.app.enrolment import SEATS, EnrolTable
from companion.core.i18n import Message
from companion.core.sensor_events import Evidence
from companion.enrol import DeckCheck, Walk

STOP = "q"

S = TypeVar("S", Walk, DeckCheck)
StepResult = tuple[S, Message | None]


class TerminalKeys:
    """The keys pressed at the terminal, each as it is pressed; or the letters of a pipe."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        try:
            self._file: int | None = sys.stdin.fileno() if sys.stdin is not None else None
        except (OSError, ValueError):
            self._file = None

    def __enter__(self) -> Self:
        if self._file is not None and os.isatty(self._file):
            self._before = termios.tcgetattr(self._file)
            tty.setcbreak(self._file, termios.TCSADRAIN)  # what was typed already counts
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        self._give_back()

    def read_keys(self) -> str:
        """Return the keys pressed since the last call."""
        if self._file is None or not select.select([self._file], [], [], 0)[0]:
            return ""
        typed = os.read(self._file, 64)
        if not typed:  # nobody will press anything any more
            self._give_back()
            self._file = None
        return typed.decode("ascii", "ignore").lower()

    def _give_back(self) -> None:
        if self._file is not None and self._before is not None:
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)


def attend_table(
    state: S,
    table: EnrolTable,
    take_evidence: Callable[[S, Evidence], StepResult[S]],
    keys: Mapping[str, Callable[[S], StepResult[S]]],
    tell: Callable[[S, Message | None], None],
) -> S:
    """Handle evidence and keys, print what they mean, set the lamps; until done or stopped."""
    with TerminalKeys() as terminal:
        while not state.done:
            for evidence in table.sense():
                state, said = take_evidence(state, evidence)
                tell(state, said)
                if state.done:
                    return state
            for key in terminal.read_keys():
                if key == STOP:
                    return state
                if key in keys:
                    state, said = keys[key](state)
                    tell(state, said)
            for seat in SEATS:
                table.light(seat, state.lamp)
            if not table.wait_for_move(state):
                return state
    return state
