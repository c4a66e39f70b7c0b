"""`companion replay`: tell a record moment by moment, each verdict with its steps; or verify it.

Law: only the record is needed, no table and no journal. A verified bid is what was sealed before
any hand opened. A forger could recompute every hash: so the fingerprint is printed, to be compared
with the one at the table.
"""

import argparse
import sys
from pathlib import Path

from companion.cli import add_language_option
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, get_language, message
from companion.judge.decide import to_json
from companion.records.format import Record, fingerprint
from companion.records.parse import BadRecord, read_record
from companion.records.retell import format_moment, retell_record
from companion.records.verify import GameProof, prove_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion replay`."""
    parser.add_argument("record", type=Path, metavar="RECORD", help="the record of one game")
    parser.add_argument("--at", type=int, metavar="N", help="stop after event number N")
    parser.add_argument("--verify", action="store_true", help="verify every event and every bid")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    add_language_option(parser)


def run(options: argparse.Namespace) -> int:
    """Tell or verify the record; return the exit status."""
    words = get_language(options.lang)
    if options.at is not None and options.at < 1:
        raise Malformed("--at", N_("{field} is the number of a moment, from 1 on."))
    if options.at is not None and options.verify:
        raise Malformed("--at", N_("{field} does not go with --verify."))
    if options.verify:
        return _verify(options, words)
    record = read_record(options.record)
    prove_record(record)
    for line in retell_record(record, options.at, words):
        sys.stdout.buffer.write(to_json(line) + b"\n") if options.json else print(
            format_moment(line)
        )
    return 0


def _verify(options: argparse.Namespace, words: Language) -> int:
    """Print what is proven; a record that was read and is in doubt has status 1."""
    try:
        record = read_record(options.record)
        return _print_proof(record, prove_record(record), options.json, words)
    except BadRecord as error:
        if error.code == "unreadable":
            raise
        print(f"companion replay: {words(error.say)}", file=sys.stderr)
        return 1


def _print_proof(record: Record, proof: GameProof, as_json: bool, words: Language) -> int:
    counts = {"moments": proof.moments, "proven": proof.proven, "entered": proof.entered}
    digits, over = fingerprint(record), proof.history.is_over
    if as_json:
        facts = {**counts, "over": over, "fingerprint": digits}
        sys.stdout.buffer.write(to_json(facts) + b"\n")
        return 0
    text = N_(
        "All {moments} follow the rules and each other; {proven} bids are proven,"
        " {entered} entered without proof."
    )
    print(words.render(text, counts))
    if not over:
        print(words(message("The record ends before the game does.")))
    text = "Its fingerprint is {digits}; compare it with what `companion records` shows on the Pi."
    print(words(message(text, digits=digits)))
    return 0
