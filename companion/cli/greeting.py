"""Print the greeting of a table: where its pages are, with a QR code, and the host's PIN.

Law: the PIN is printed when it is made and never again. The QR code holds the address as a number,
because not every phone finds names, and is drawn only on a terminal.
"""

import io
import sys
from collections.abc import Sequence

import segno

from companion.core.i18n import N_, Language
from companion.host.host import AT_BOOT

SERVED = N_("The companion is at {use}")
ALSO = N_("or, by its name, at {use}")
SCAN = N_("Scan this with the camera of a phone in the same Wi-Fi:")
PIN = N_("The PIN of the host is {use}. It is printed only now; write it down.")
GOES_ON = N_("A game is under way and goes on; --new ends it first.")
ANEW = N_(
    "For a new one, start the companion again and within {n} seconds hold the button of any seat."
)


def address_lines(addresses: Sequence[str], words: Language) -> list[str]:
    """Return the lines that say where the pages are."""
    *numbers, last = addresses
    told = [words.render(SERVED, {"use": number}) for number in numbers]
    return [*told, words.render(ALSO if numbers else SERVED, {"use": last})]


def qr_code_lines(address: str, words: Language) -> list[str]:
    """Return the address as a QR code with a sentence; nothing if stdout is no terminal."""
    if not (sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf")):
        return []
    return ["", words.render(SCAN, {}), draw_qr_code(address)]


def draw_qr_code(address: str) -> str:
    """Return the address as a QR code of block letters, with the bright rim that cameras want."""
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def print_pin(digits: str, words: Language) -> None:
    """Print the PIN, once."""
    print(words.render(PIN, {"use": digits}), flush=True)


def print_pin_and_buttons(digits: str, words: Language) -> None:
    """Print the PIN, and how the buttons of the table make a new one."""
    print_pin(digits, words)
    print(words.render(ANEW, {"n": round(AT_BOOT)}), flush=True)


def print_old_game(words: Language) -> None:
    """Print that the old game goes on, although a new one was asked for."""
    print(words.render(GOES_ON, {}), flush=True)
