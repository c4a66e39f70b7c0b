"""Print the PIN of the host, and that an old game goes on.

Law: the PIN is printed when it is made and never again, and on a terminal alone: what goes to a
pipe or to the system journal is kept, and read by others.
"""

import sys

from companion.core.i18n import N_, Language

PIN = N_("The PIN of the host is {use}. It is printed only now; write it down.")
GOES_ON = N_("A game is under way and goes on; --new ends it first.")
HIDDEN_PIN = N_(
    "A new PIN for the host was made. It is shown on a terminal only; for one that you know type: "
    "companion pin"
)


def print_pin(digits: str, words: Language) -> None:
    """Print the PIN, once; where stdout is no terminal, print how to make one that is shown."""
    text = PIN if sys.stdout.isatty() else HIDDEN_PIN
    print(words.render(text, {"use": digits}), flush=True)


def print_old_game(words: Language) -> None:
    """Print that the old game goes on, although a new one was asked for."""
    print(words.render(GOES_ON, {}), flush=True)
