"""What the doctor found, line by line, and the table it ends with.

Law: a line that is not good says what to do about it. One bad line makes the exit status 1;
what works but is doubtful, and what was skipped, does not.
"""

from typing import Literal

import msgspec

State = Literal["good", "doubtful", "bad", "skipped"]


class Line(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    what: str
    state: State
    said: str


class Report(msgspec.Struct, frozen=True):
    """All of them, in the order they were looked at."""

    lines: tuple[Line, ...]

    @property
    def exit_status(self) -> int:
        return 1 if any(line.state == "bad" for line in self.lines) else 0

    def table(self) -> str:
        """For the terminal: what, how, and why."""
        what = max((len(line.what) for line in self.lines), default=0)
        rows = [f"{line.what:<{what}}  {line.state:<8}  {line.said}" for line in self.lines]
        return "\n".join(row.rstrip() for row in [*rows, "", self.summary()]) + "\n"

    def summary(self) -> str:
        bad, doubtful = self._count("bad"), self._count("doubtful")
        if bad:
            return f"{bad} bad, {doubtful} doubtful: put the bad ones right, then ask again."
        if doubtful:
            return f"Nothing bad, {doubtful} doubtful: the table can be played."
        return "Everything is well."

    def _count(self, state: State) -> int:
        return sum(line.state == state for line in self.lines)
