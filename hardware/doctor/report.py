"""The doctor's report, line by line, and the table it ends with.

Law: a line that is not good says what to do about it. One bad line makes the exit status 1;
what works but is doubtful, and what was skipped, does not.
"""

from typing import Literal

import msgspec

from companion.core.i18n import N_, Language, Message, message
from hardware.errors import NotConnected, quote_text

LineState = Literal["good", "doubtful", "bad", "skipped"]
STATES: dict[LineState, str] = {
    "good": N_("good"),
    "doubtful": N_("doubtful"),
    "bad": N_("bad"),
    "skipped": N_("skipped"),
}


class ReportLine(msgspec.Struct, frozen=True):
    """One check: its subject, its state and the reason."""

    what: Message
    state: LineState
    said: Message

    def render_cells(self, words: Language) -> tuple[str, str, str]:
        """Return subject, state and reason as text."""
        return words(self.what), words(Message(STATES[self.state])), words(self.said)


class DoctorReport(msgspec.Struct, frozen=True):
    """All lines, in the order of the checks."""

    lines: tuple[ReportLine, ...]
    verdict: Message | None = None
    """The last sentence, where it is not about the whole table."""

    @property
    def exit_status(self) -> int:
        return 1 if any(line.state == "bad" for line in self.lines) else 0

    def render_table(self, words: Language) -> str:
        """Return the report as text: a row for each line, then the summary."""
        rows = [line.render_cells(words) for line in self.lines]
        what, how = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
        lines = [f"{row[0]:<{what}}  {row[1]:<{how}}  {row[2]}" for row in rows]
        return "\n".join([*lines, "", words(self.summary())]) + "\n"

    def summary(self) -> Message:
        if self.verdict is not None:
            return self.verdict
        bad, doubtful = self._count_state("bad"), self._count_state("doubtful")
        if bad:
            text = "{bad} bad, {doubtful} doubtful: put the bad ones right, then ask again."
            return message(text, bad=bad, doubtful=doubtful)
        if doubtful:
            text = "Nothing bad, {doubtful} doubtful: the table can be played."
            return message(text, doubtful=doubtful)
        return message("Everything is well.")

    def _count_state(self, state: LineState) -> int:
        return sum(line.state == state for line in self.lines)


def explain_failure(error: OSError) -> Message:
    """Return what keeps a device from being used, and what to do about it."""
    if isinstance(error, NotConnected):
        return error.say
    text = "the SPI device fails ({reason}); reboot, then ask again"
    return message(text, reason=quote_text(error.strerror or error))
