"""The greeting in a terminal: the addresses of the pages, and the way in for the host.

Laws: a QR code holds the address as a number, because not every phone finds names. The link that
makes a phone the host's is shown on a terminal alone: what goes to a pipe or to the system journal
is kept, and read by others.
"""

import io
import sys
from collections.abc import Sequence

from companion.app.default_players import PERSONS_SEAT
from companion.app.settings import Options
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Language, get_language, seat_keys
from companion.host.demo import DEMO_PLAYS
from companion.host.host_pass import pass_address, write_pass
from companion.hotspot.addresses import is_for_phones, local_page_address
from web.context import AppContext

SERVED = N_("The companion is at {use}")
ALSO = N_("or, by its name, at {use}")
SCAN = N_("Scan this with the camera of a phone in the same Wi-Fi:")
LAID = N_("The table is laid for {title}. The seat of {who} waits for you; bots play {others}.")
AGAIN = N_("The power was gone for a moment; {title} goes on where it stopped.")
TAKEN = N_("Port {wanted} is taken; this is port {port}.")
SIT, PHONES, SCREEN = N_("Sit down"), N_("Phones"), N_("Table screen")
LETS_IN = N_("This link makes one phone the host's, once. Open or scan it on that phone:")


def address_lines(addresses: Sequence[str], words: Language) -> list[str]:
    """Return the lines with the addresses of the pages."""
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
    import segno

    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def print_addresses(context: AppContext) -> None:
    """Print the pages' addresses, a code for phones, and the host's link."""
    words, found = get_language(context.settings.language), context.machine.addresses
    code = qr_code_lines(found[0], words) if is_for_phones(context.machine.address) else []
    print(*address_lines(found, words), *code, sep="\n", flush=True)
    print_host_entry(context)


def table_lines(context: AppContext, asked: Options) -> Sequence[str]:
    """Return the lines on a simulated table: its players, and the address of each page."""
    assert context.host is not None
    names, title = context.host.next_game.players, context.table.rules.box.title
    plain, seats = get_language(context.settings.language), seat_keys(len(names))
    machine, words = context.machine, plain.with_names(names)
    if asked.restarted:
        laid = plain.render(AGAIN, {"title": title})
    elif asked.demo:
        laid = plain.render(DEMO_PLAYS, {})
    else:
        mine, others = seats[:PERSONS_SEAT], seats[PERSONS_SEAT:]
        laid = words.render(LAID, {"title": title, "who": mine, "others": others})
    ways = [
        (plain.render(name, {}), local_page_address(page, machine.address, machine.port))
        for name, page in ((SIT, "play"), (SCREEN, "table"))
    ]
    code = list[str]()
    if is_for_phones(machine.address):
        found = machine.addresses
        phones = plain.render(PHONES, {})
        ways += [(phones if n == 0 else "", each) for n, each in enumerate(found)]
        code = qr_code_lines(found[0], plain)
    width = max(len(name) for name, _address in ways)
    port_taken = plain.render(TAKEN, {"wanted": asked.port, "port": machine.port})
    return [
        *([port_taken] if machine.port != asked.port else []),
        laid,
        "",
        *(f"  {name:<{width}}  {address}" for name, address in ways),
        *code,
        "",
    ]


def print_host_entry(context: AppContext) -> None:
    """Print the link that makes a phone the host's, if a terminal shows it."""
    if not sys.stdout.isatty() or context.host is None:
        return
    words = get_language(context.settings.language)
    try:
        word = write_pass(context.host.journal.path.parent)
    except NotWritten as error:
        print(words(error.say), file=sys.stderr)
        return
    print_link(pass_address(context.machine.addresses[0], word), words)


def print_link(address: str, words: Language) -> None:
    """Print the link alone on a line, and as a QR code where the terminal has its letters."""
    code = [draw_qr_code(address)] if can_draw_code() else []
    print("", words.render(LETS_IN, {}), "", address, *code, "", sep="\n", flush=True)
