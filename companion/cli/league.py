"""`companion league`: members, rounds, records and the proof of a standing, in one folder."""

import argparse

from companion.app.league.command import add_parts
from companion.app.league.parts import run_part
from companion.cli.language import translate_help


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the parts of `companion league` and their options."""
    for part in add_parts(parser):
        translate_help(part)


def run(options: argparse.Namespace) -> int:
    """Run one part and print what it says; return the exit status."""
    status, lines = run_part(options)
    for line in lines:
        print(line)
    return status
