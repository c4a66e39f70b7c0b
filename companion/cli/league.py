"""`companion league`: members, rounds, records and the proof of a standing, in one folder."""

import argparse

from companion.app.league.command import add_parts
from companion.app.league.parts import run_part
from companion.cli.language import translate_help
from companion.cli.output import print_json
from companion.cli.progress import waiting
from companion.core.i18n import get_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the parts of `companion league` and their options."""
    for part in add_parts(parser):
        translate_help(part)


def run(options: argparse.Namespace) -> int:
    """Run one part and print what it says; return the exit status."""
    with waiting(get_language(options.lang)):
        ended = run_part(options)
    if options.json:
        print_json(ended.facts)
    else:
        print("\n".join(ended.lines))
    return ended.status
