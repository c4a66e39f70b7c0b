"""Print the greeting of a table: where its pages are, with a QR code, and the host's PIN.

Laws: the PIN is printed when it is made and never again, and on a terminal alone: what goes to a
pipe or to the system journal is kept, and read by others. The QR code holds the address as a
number, because not every phone finds names.
"""

import io
import sys
from collections.abc import Sequence

import segno

from companion.core.i18n import N_, Language

SERVED = N_("The companion is at {use}")
ALSO = N_("or, by its name, at {use}")
SCAN = N_("Scan this with the camera of a phone in the same Wi-Fi:")
PIN = N_("The PIN of the host is {use}. It is printed only now; write it down.")
GOES_ON = N_("A game is under way and goes on; --new ends it first.")
HIDDEN_PIN = N_(
    "A new PIN for the host was made. It is shown on a terminal only; for one that you know type: "
    "companion pin"
)


def address_lines(addresses: Sequence[str], words: Language) -> list[str]:
    """Return the lines that say where the pages are."""
    *numbers, last = addresses
    told = [words.render(SERVED, {"use": number}) for number in numbers]
    return [*told, words.render(ALSO if numbers else SERVED, {"use": last})]


def qr_code_lines(address: str, words: Language) -> list[str]:
    """Return the address as a QR code with a sentence; nothing if stdout is no terminal."""
    return ["", words.render(SCAN, {}), draw_qr_code(address)] if can_draw_code() else []


def can_draw_code() -> bool:
    """Return whether stdout is a terminal that has the block letters of a QR code."""
    return sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf")


def draw_qr_code(address: str) -> str:
    """Return the address as a QR code of block letters, with the bright rim that cameras want."""
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def print_pin(digits: str, words: Language) -> None:
    """Print the PIN, once; where stdout is no terminal, print how to make one that is shown."""
    text = PIN if sys.stdout.isatty() else HIDDEN_PIN
    print(words.render(text, {"use": digits}), flush=True)


def print_old_game(words: Language) -> None:
    """Print that the old game goes on, although a new one was asked for."""
    print(words.render(GOES_ON, {}), flush=True)
