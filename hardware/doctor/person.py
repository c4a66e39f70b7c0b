"""The doctor's port to a person, who presses buttons, looks at lamps and lays cards.

Law: the doctor asks through this port only, so the same examination runs with a person at a
terminal and without one on the simulated table.
"""

from collections.abc import Callable
from typing import Protocol

from companion.core.i18n import Message, message


class Person(Protocol):
    """The answers that the doctor needs from a person."""

    def ask_for_press(self, seat: int) -> None:
        """Ask for a press of a seat's button, which the doctor then watches for."""
        ...

    def lit_lamps(self) -> frozenset[int]:
        """Return the seats whose lamps the person sees lit."""
        ...

    def lays_card(self, place: int) -> bool:
        """Ask for a card on a reader; return False to skip this check."""
        ...

    def reads_voltage(self, high: str, low: str) -> float | None:
        """Return the volts that a multimeter shows between two joints; None to skip this."""
        ...

    def lays_lead(self, start: str, end: str) -> bool:
        """Ask for a loose lead held to two joints; return False to skip this."""
        ...

    def plugs_in(self, place: int) -> bool:
        """Ask for one reader alone to be plugged in; return False to skip this."""
        ...


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
