"""`companion wiring [PROFILE]`: which wire goes where, as a table or as a drawing.

Law: a profile that cannot be built is one sentence that says what to change, and status 2.
"""

import argparse
import sys
from pathlib import Path

from companion.app.wires import profile_or_learnt
from companion.cli import add_language_option
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language
from hardware.errors import WiringError
from hardware.wiring import DEFAULT, load, profiles
from hardware.wiring.drawing import draw
from hardware.wiring.table import table


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion wiring`."""
    profile_argument(parser)
    parser.add_argument(
        "--svg", metavar="FILE", help="draw it for the wall of the workshop, into FILE or -"
    )
    add_language_option(parser)


def profile_argument(parser: argparse.ArgumentParser) -> None:
    """Which wiring; the doctor asks for it too."""
    parser.add_argument(
        "profile", nargs="?", metavar="PROFILE",
        help=f"{', '.join(profiles())}, or the path of a .toml file (default: as it was learnt "
             f"in the browser, else {DEFAULT})",
    )  # fmt: skip


def run(chosen: argparse.Namespace) -> int:
    """Print the wiring, or draw it."""
    words = get_language(chosen.lang)
    try:
        wiring = load(profile_or_learnt(chosen.profile))
        if chosen.svg is None:
            print(table(wiring, words), end="")
        else:
            _write(chosen.svg, draw(wiring, words).encode())
    except (WiringError, Malformed) as error:
        print(f"companion wiring: {words(error.say)}", file=sys.stderr)
        return 2
    return 0


def _write(name: str, drawing: bytes) -> None:
    if name == "-":
        sys.stdout.buffer.write(drawing)
        return
    try:
        Path(name).write_bytes(drawing)
    except OSError as error:
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(name, text, reason=error.strerror) from None
