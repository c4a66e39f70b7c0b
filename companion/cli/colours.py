"""Colours of what is printed.

Law: on a terminal alone, and not where $NO_COLOR is set or the terminal is dumb; every colour comes
with a word that says the same.
"""

import os
import sys

CODES = {"red": "31", "amber": "33", "green": "32"}
COLOUR_OF = {"bad": "red", "doubtful": "amber", "good": "green"}
"""The colours of the states of a doctor's report."""


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
