"""What a terminal shows of a table that has started: where its pages are, with a QR code.

Law: the QR code holds the address as a number, because not every phone finds names.
"""

import io
import sys
from collections.abc import Sequence

import segno

from companion.app import addresses
from companion.app.bootstrap import RunningTable
from companion.app.default_players import PERSONS_SEAT
from companion.core.i18n import N_, Language, seat_keys
from companion.host import demo

SCAN = N_("Scan this with the camera of a phone in the same Wi-Fi:")
LAID = N_("The table is laid for {title}. The seat of {who} waits for you; bots play {others}.")
GOES_ON = N_("The power was gone for a moment; {title} goes on where it stopped.")
TAKEN = N_("Port {wanted} is taken; this is port {port}.")
SIT, PHONES, SCREEN = N_("Sit down here"), N_("Phones"), N_("Table screen")


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


def table_lines(running: RunningTable) -> Sequence[str]:
    """Return what is said of a simulated table: who sits where, and the address of each page."""

    def _(text: str, /, **facts: object) -> str:
        return running.words.render(text, facts)

    asked, port, title = running.options, running.port, running.host.table.rules.box.title
    names = running.host.next_game.players
    words, seats = running.words.with_names(names), seat_keys(len(names))
    if asked.restarted:
        laid = _(GOES_ON, title=title)
    elif asked.demo:
        laid = _(demo.DEMO_PLAYS)
    else:
        mine, others = seats[:PERSONS_SEAT], seats[PERSONS_SEAT:]
        laid = words.render(LAID, {"title": title, "who": mine, "others": others})
    pages = {SIT: "play", SCREEN: "table"}
    ways = [
        (_(name), addresses.local_page_address(page, asked.address, port))
        for name, page in pages.items()
    ]
    code = list[str]()
    if addresses.is_for_phones(asked.address):
        ways += [(_(PHONES) if n == 0 else "", each) for n, each in enumerate(running.addresses)]
        code = qr_code_lines(running.addresses[0], running.words)
    width = max(len(name) for name, _address in ways)
    return [
        *([_(TAKEN, wanted=asked.port, port=port)] if port != asked.port else []),
        laid,
        "",
        *(f"  {name:<{width}}  {address}" for name, address in ways),
        *code,
        "",
    ]
