"""`companion replay`: tell a record moment by moment, each verdict with its steps; or verify it.

Law: only the record is needed, no table and no journal. What each check proves is said, no more.
"""

import argparse
import sys
from pathlib import Path

from companion.cli.progress import waited, waiting
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, get_language
from companion.judge.decide import to_json
from companion.records.checks import check_record, describe_report, list_facts
from companion.records.parse import read_bytes, read_record
from companion.records.retell import format_moment, retell_record
from companion.records.verify import prove_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion replay`."""
    parser.add_argument("record", type=Path, metavar="RECORD", help="the record of one game")
    parser.add_argument("--at", type=int, metavar="N", help="stop after event number N")
    parser.add_argument("--verify", action="store_true", help="verify every event and every bid")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


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
    with waiting(words):
        prove_record(record)
    for line in waited(retell_record(record, options.at, words), words):
        sys.stdout.buffer.write(to_json(line) + b"\n") if options.json else print(
            format_moment(line)
        )
    return 0


def _verify(options: argparse.Namespace, words: Language) -> int:
    """Print every check; a record that was read and is in doubt has status 1."""
    with waiting(words):
        report = check_record(read_bytes(options.record))
    if options.json:
        sys.stdout.buffer.write(to_json(list_facts(report)) + b"\n")
    else:
        for said in describe_report(report):
            print(words(said))
    wrong = next((check.why for check in report.checks if check.why is not None), None)
    if wrong is not None:
        print(f"companion replay: {words(wrong)}", file=sys.stderr)
    return int(bool(report.failed))
