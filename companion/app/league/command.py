"""The options of `companion league`, one part a word."""

import argparse
from collections.abc import Iterator
from gettext import gettext
from pathlib import Path

from companion.core.i18n import LANGUAGES, N_

PARTS = {
    "new": N_("found a league in a new folder"),
    "points": N_("say what each place is worth, until a result counts"),
    "join": N_("take a member in, by name only if they agree to be named"),
    "leave": N_("take a member out; the name is deleted"),
    "pair": N_("pair the next round, or print the last one again"),
    "add": N_("verify the records of finished games, and count them"),
    "strike": N_("take a result back, so that another one can arrive"),
    "standings": N_("print the standing, or write it as CSV"),
    "verify": N_("prove the standing from the folder alone; name every record that does not count"),
}


def add_parts(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Add the parts and their options; yield the parser of each."""
    parts = parser.add_subparsers(
        dest="part", metavar="PART", required=True, help="what is to be done"
    )
    for name, does in PARTS.items():
        told = gettext(does)
        part = parts.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
        part.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the league")
        _DECLARE[name](part)
        part.add_argument("--json", action="store_true", help="print JSON, for programs")
        part.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS,
            help="language of the output (default: that of this terminal)")  # fmt: skip
        yield part


def _declare_new(part: argparse.ArgumentParser) -> None:
    add = part.add_argument
    add("--title", required=True, metavar="TITLE", help="what the league is called")
    add("--game", required=True, metavar="BOX", help="the box that is played")
    add("--seats", type=int, metavar="N", help="wished at a table (default: 4, or fewer)")
    add("--pairing", choices=("swiss", "round-robin"), default="swiss",
        help="by the standing, or until all have met (default: swiss)")  # fmt: skip
    add("--points", default="", metavar="N,N,…",
        help="what each place is worth (default: a point for everyone beaten)")  # fmt: skip
    add("--phones", action="store_true", help="count only games whose end every seat has signed")


def _declare_points(part: argparse.ArgumentParser) -> None:
    part.add_argument("points", nargs="?", default="", metavar="N,N,…",
                      help="none: a point for everyone beaten")  # fmt: skip


def _declare_join(part: argparse.ArgumentParser) -> None:
    part.add_argument("name", nargs="?", default="", metavar="NAME", help="how they are called")
    part.add_argument("--agrees", action="store_true",
                      help="the member agrees that the league shows this name")  # fmt: skip


def _declare_leave(part: argparse.ArgumentParser) -> None:
    part.add_argument("member", metavar="MEMBER", help="the name or the number")


def _declare_pair(part: argparse.ArgumentParser) -> None:
    part.add_argument("--anyway", action="store_true",
                      help="also while games are open, or when all have met")  # fmt: skip
    part.add_argument("--again", action="store_true", help="print the last round again")


def _declare_add(part: argparse.ArgumentParser) -> None:
    part.add_argument("records", nargs="+", type=Path, metavar="RECORD",
                      help="the record of a game that is over")  # fmt: skip


def _declare_strike(part: argparse.ArgumentParser) -> None:
    part.add_argument("round", type=int, metavar="ROUND", help="the number of the round")
    part.add_argument("table", type=int, metavar="TABLE", help="the number of the table")


def _declare_standings(part: argparse.ArgumentParser) -> None:
    part.add_argument("--csv", action="store_true", help="for a spreadsheet")


def _declare_verify(part: argparse.ArgumentParser) -> None:
    part.add_argument("--fingerprint", action="append", default=[], metavar="WORDS",
                      help="what the league showed, in words or digits")  # fmt: skip


_DECLARE = {
    "new": _declare_new, "points": _declare_points, "join": _declare_join,
    "leave": _declare_leave, "pair": _declare_pair, "add": _declare_add,
    "strike": _declare_strike, "standings": _declare_standings, "verify": _declare_verify,
}  # fmt: skip
