"""`companion floor`: the page of all tables; its parts are in companion.app.floor."""

import argparse
from collections.abc import Sequence

from companion.app.addresses import address_lines
from companion.app.floor.command import add_arguments, read_options
from companion.app.floor.service import run_floor
from companion.cli.greeting import print_pin
from companion.cli.progress import waiting
from companion.core.i18n import get_language
from companion.core.installation import see_added_packages

__all__ = ["add_arguments", "run"]


def run(parsed: argparse.Namespace) -> int:
    """Serve the floor until it is stopped."""
    words = get_language(parsed.lang)
    see_added_packages()
    with waiting(words) as take_away:

        def tell_pin(digits: str) -> None:
            take_away()
            print_pin(digits, words)

        def greet(addresses: Sequence[str]) -> None:
            take_away()
            print(*address_lines(addresses, words), sep="\n", flush=True)

        return run_floor(read_options(parsed), tell_pin, greet)
