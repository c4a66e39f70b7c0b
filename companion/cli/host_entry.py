"""Print how the host gets in: the PIN if it is new, and a pass as a QR code.

Laws: the pass is made and printed on a terminal alone, and where phones reach the table. It stands
there until it is used or a newer one is made: who reads that terminal can end the companion anyway.
"""

import sys

from companion.app import addresses
from companion.app.bootstrap import RunningTable
from companion.app.welcome import can_draw_code, draw_qr_code
from companion.core.errors import NotWritten
from companion.core.i18n import N_
from companion.host.host_pass import pass_address

LETS_IN = N_("The host scans this one, which signs in one phone, once:")


def print_host_entry(running: RunningTable) -> None:
    """Print the PIN if it is new, and the pass if a terminal shows it."""
    host, words = running.host, running.words
    try:
        host.pin.ensure_pin()
    except NotWritten as error:  # The disk is full: the pass lets the host in all the same.
        print(words(error.say), file=sys.stderr)
    if not (can_draw_code() and addresses.is_for_phones(running.options.address)):
        return
    code = draw_qr_code(pass_address(running.addresses[0], host.host_pass.print_pass()))
    print("", words.render(LETS_IN, {}), code, "", sep="\n", flush=True)
