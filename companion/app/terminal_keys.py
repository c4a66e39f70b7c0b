"""Read single keys from the terminal beside a table.

Law: the terminal is afterwards as it was, also where Ctrl-C ends the command.
"""

import os
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Any, Self


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
        if not typed:  # the pipe is closed: no key can come any more
            self._give_back()
            self._file = None
        return typed.decode("ascii", "ignore").lower()

    def _give_back(self) -> None:
        if self._file is not None and self._before is not None:
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)
