"""What commands print for programs.

Law: with --json only JSON goes to the standard output, one object or one line each; numbers and
names in it are the same in every language.
"""

import argparse
import sys

import msgspec


def add_json_option(parser: argparse._ActionsContainer) -> None:
    """Add the option --json."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def print_json(value: object) -> None:
    """Print a struct or a list as one line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.flush()
