"""The doctor's report, line by line, and the port to the person helping.

Law: a line that is not good says what to do about it. One bad line makes the exit status 1;
what works but is doubtful, and what was skipped, does not. The doctor asks through `Person`
only, so the same examination runs with a person at a terminal and on the simulated table.
"""

from collections.abc import Callable
from typing import Literal, Protocol

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
        return message("All is well.")

    def _count_state(self, state: LineState) -> int:
        return sum(line.state == state for line in self.lines)


def explain_failure(error: OSError) -> Message:
    """Return the reason a device cannot be used, and its cure."""
    if isinstance(error, NotConnected):
        return error.say
    text = "the SPI device fails ({reason}); reboot, then ask again"
    return message(text, reason=quote_text(error.strerror or error))


class Person(Protocol):
    """The answers that the doctor needs from a person."""

    def ask_for_press(self, seat: int) -> None:
        """Ask for a press of a seat's button, which the doctor then watches for."""

    def lit_lamps(self) -> frozenset[int]:
        """Return the seats whose lamps the person sees lit."""

    def lays_card(self, place: int) -> bool:
        """Ask for a card on a reader; return False to skip this check."""

    def reads_voltage(self, high: str, low: str) -> float | None:
        """Return the volts that a multimeter shows between two joints; None to skip this."""

    def lays_lead(self, start: str, end: str) -> bool:
        """Ask for a loose lead held to two joints; return False to skip this."""

    def plugs_in(self, place: int) -> bool:
        """Ask for one reader alone to be plugged in; return False to skip this."""


class TerminalPerson:
    """A person at a terminal."""

    def __init__(self, tell: Callable[[Message], object], ask: Callable[[Message], str]) -> None:
        self._tell, self._ask = tell, ask

    def ask_for_press(self, seat: int) -> None:
        self._tell(message("Press the button of seat {seat} briefly, please.", seat=seat))

    def lit_lamps(self) -> frozenset[int]:
        text = "Which lamps are lit? [their seats, as 1 3, or 0 for none]"
        return frozenset(int(digit) for digit in self._ask(message(text)) if digit in "123456")

    def lays_card(self, place: int) -> bool:
        text = "Lay one card with a sticker on reader {place}; done? [y, or n to skip]"
        return self._ask_yes_no(message(text, place=place))

    def reads_voltage(self, high: str, low: str) -> float | None:
        text = "What does a multimeter show between {high} and {low}? [volts, or n to skip]"
        answer = self._ask(message(text, high=high, low=low)).strip().lower()
        try:
            return float(answer.removesuffix("v").strip().replace(",", "."))
        except ValueError:
            return None

    def lays_lead(self, start: str, end: str) -> bool:
        text = "Hold a loose lead to {start} and {end}; done? [y, or n to skip]"
        return self._ask_yes_no(message(text, start=start, end=end))

    def plugs_in(self, place: int) -> bool:
        text = "Plug in reader {place} alone; done? [y, or n to skip]"
        return self._ask_yes_no(message(text, place=place))

    def _ask_yes_no(self, question: Message) -> bool:
        """Ask a question; yes is understood in every language."""
        return self._ask(question).strip().lower() in ("y", "yes", "j", "ja", "o", "oui")
