"""Print how the host gets in, and that an old game goes on."""

import sys

from companion.app.bootstrap import RunningTable
from companion.cli.host import print_link
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Language
from companion.host.host_pass import pass_address, write_pass

GOES_ON = N_("A game is under way and goes on; --new ends it first.")


def print_host_entry(running: RunningTable) -> None:
    """Print the link that makes a phone the host's, if a terminal shows it: what goes to a pipe or
    to the system journal is kept, and read by others."""
    if not sys.stdout.isatty():
        return
    try:
        word = write_pass(running.options.folder)
    except NotWritten as error:
        print(running.words(error.say), file=sys.stderr)
        return
    print_link(pass_address(running.addresses[0], word), running.words)


def print_old_game(words: Language) -> None:
    """Tell that the old game goes on, although a new one was asked for."""
    print(words.render(GOES_ON, {}), flush=True)
