"""`companion host`: print a link that makes one phone the host's, for users of this machine.

Laws: the link is printed on a terminal alone, so that no log has it. It counts once, for a table
that runs or for the one that starts next, and a newer one ends it. Only who may write in the data
folder can make one.
"""

import argparse
import sys

from companion.app.settings import data_folder, journal_path, read_port
from companion.cli.greeting import print_link
from companion.cli.options import add_data_option
from companion.core.durable_files import as_owner
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language
from companion.host.host_pass import pass_address, write_pass
from companion.hotspot.addresses import ANYWHERE, own_addresses, page_addresses
from companion.journal.file import require_own_format

NO_TERMINAL = N_(
    "The link is shown on a terminal only, so that no log keeps it; over ssh add the option -t."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion host`."""
    add_data_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print the link; return the exit status."""
    words = get_language(options.lang)
    if not sys.stdout.isatty():
        print(f"companion host: {words.render(NO_TERMINAL, {})}", file=sys.stderr)
        return 2
    folder, port = options.data or data_folder(), read_port()
    try:
        with as_owner(folder):
            require_own_format(journal_path(folder))
            word = write_pass(folder)
    except OSError as error:
        text = N_("{field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error.strerror) from None
    print_link(pass_address(page_addresses(ANYWHERE[0], port, own_addresses())[0], word), words)
    return 0
