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

    def sees_lamp(self, seat: int) -> bool:
        """Return whether the person sees the lamp of a seat lit."""
        ...

    def lays_card(self, place: int) -> bool:
        """Ask for a card on a reader; return False to skip this check."""
        ...

    def measures_supply(self, high: str, low: str) -> bool:
        """Return whether a multimeter shows the readers' 3.3 V between two joints."""
        ...

    def lays_lead(self, start: str, end: str, place: int) -> bool:
        """Ask for a lead between two joints with one reader alone; return False to skip this."""
        ...


class TerminalPerson:
    """A person at a terminal."""

    def __init__(self, tell: Callable[[Message], object], ask: Callable[[Message], str]) -> None:
        self._tell, self._ask = tell, ask

    def ask_for_press(self, seat: int) -> None:
        self._tell(message("Press the button of seat {seat} shortly, please.", seat=seat))

    def sees_lamp(self, seat: int) -> bool:
        return self._ask_yes_no(
            message("Is the lamp of seat {seat} lit, and no other? [y/n]", seat=seat)
        )

    def lays_card(self, place: int) -> bool:
        text = "Lay one card with a sticker on reader {place}; done? [y, or n to skip]"
        return self._ask_yes_no(message(text, place=place))

    def measures_supply(self, high: str, low: str) -> bool:
        text = "Does a multimeter show 3.2 to 3.4 V between {high} and {low}? [y/n]"
        return self._ask_yes_no(message(text, high=high, low=low))

    def lays_lead(self, start: str, end: str, place: int) -> bool:
        text = (
            "Lay a lead from {start} to {end}, and plug in reader {place} alone; done? [y, or n "
            "to skip]"
        )
        return self._ask_yes_no(message(text, start=start, end=end, place=place))

    def _ask_yes_no(self, question: Message) -> bool:
        """Ask a question; yes is understood in every language."""
        return self._ask(question).strip().lower() in ("y", "yes", "j", "ja", "o", "oui")
