"""`companion replay`: tell a record moment by moment, each verdict with its steps; or verify it.

Law: only the record is needed, no table and no journal. What each check proves is said, no more.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli.options import EXCLUDES, add_json_option, print_json
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, get_language
from companion.games import make_rulebook
from companion.judge.decide import render_text, render_verdict
from companion.records.format import Record, read_bytes, read_record
from companion.records.verify import check_record, prove_record, record_events
from companion.table.history import History, apply_event
from companion.table.outcomes import describe_change
from companion.table.view import describe_device, log_entries


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion replay`."""
    parser.add_argument("record", type=Path, metavar="RECORD", help="the record of one game")
    parser.add_argument("--at", type=int, metavar="N", help="stop after event number N")
    parser.add_argument("--verify", action="store_true", help="verify every event and every bid")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Tell or verify the record; return the exit status."""
    words = get_language(options.lang)
    if options.at is not None and options.at < 1:
        raise Malformed("--at", N_("{field} is the number of a moment, from 1 on."))
    if options.at is not None and options.verify:
        raise Malformed("--at", EXCLUDES, other="--verify")
    if options.verify:
        return _verify(options, words)
    record = read_record(options.record)
    prove_record(record)
    for line in retell_record(record, options.at, words):
        if options.json:
            print_json(line)
        else:
            print(format_moment(line))
    return 0


def _verify(options: argparse.Namespace, words: Language) -> int:
    """Print every check; a record that was read and is in doubt has status 1."""
    report = check_record(read_bytes(options.record))
    if options.json:
        print_json(report.list_facts())
    else:
        for said in report.describe():
            print(words(said))
    if report.why is not None:
        print(f"companion replay: {words(report.why)}", file=sys.stderr)
    return int(bool(report.failed))


def retell_record(record: Record, last: int | None, words: Language) -> Iterator[dict[str, object]]:
    """Yield each moment up to number `last`, with the names that the record tells; a hand that was
    closed again is told once."""
    words = words.with_names(record.header.names)
    history = History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        before, history = history, apply_event(history, event, via, when)
        if last is not None and history.at > last:
            return
        if history.at > before.at:
            yield _retell_moment(before, history, words)


def _retell_moment(before: History, after: History, words: Language) -> dict[str, object]:
    moment = log_entries(after, 1)[-1]
    line: dict[str, object] = {"at": moment.at, "via": moment.via, "text": words(moment.say)}
    line["through"] = words(describe_device(moment.via))
    if after.change is not None and after.change is not before.change:
        line["change"] = [words(each) for each in describe_change(after.change).says]
    for name in ("verdict", "score"):
        verdict = getattr(after.state, name, None)
        if verdict is not None and verdict is not getattr(before.state, name, None):
            line[name] = {**render_verdict(verdict, words), "told": render_text(verdict, words)}
    return line


def format_moment(line: dict[str, Any]) -> str:
    """Format a moment as text, with its changes and verdicts indented below."""
    below = [*line.get("change", ())]
    for name in ("verdict", "score"):
        below += line[name]["told"].splitlines() if name in line else ()
    return "\n".join(
        [f"{line['at']}. {line['text']} ({line['through']})", *(f"    {b}" for b in below)]
    )
