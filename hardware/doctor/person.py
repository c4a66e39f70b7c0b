"""Whoever stands at the table while the doctor looks: asked to press, to look, to lay a card.

Law: the doctor asks through this port only, so the same examination runs with a person at a
terminal and with nobody at all on the simulated table.
"""

from collections.abc import Callable
from typing import Protocol


class Person(Protocol):
    """Three things a person can do for the doctor."""

    def press(self, seat: int) -> None:
        """Be asked to press a button; the doctor watches for it meanwhile."""
        ...

    def sees(self, seat: int) -> bool:
        """Whether the lamp of a seat is lit."""
        ...

    def lays(self, place: int) -> bool:
        """Whether a card now lies on a reader; no means: skip this."""
        ...


class Terminal:
    """A person at a terminal."""

    def __init__(self, say: Callable[[str], object], ask: Callable[[str], str]) -> None:
        self._say, self._ask = say, ask

    def press(self, seat: int) -> None:
        self._say(f"Press the button of seat {seat} shortly, please.")

    def sees(self, seat: int) -> bool:
        return self._yes(f"Is the lamp of seat {seat} lit, and no other? [y/n] ")

    def lays(self, place: int) -> bool:
        return self._yes(f"Lay one card with a sticker on reader {place}; done? [y/n to skip] ")

    def _yes(self, question: str) -> bool:
        return self._ask(question).strip().lower() in ("y", "yes", "j", "ja", "o", "oui")
