"""Retell a record moment by moment, as plain data: text, source, changes and verdicts."""

from collections.abc import Iterator
from typing import Any

from companion.core.i18n import Language
from companion.games import make_rulebook
from companion.judge.decide import render_text, render_verdict
from companion.records.format import Record
from companion.records.verify import record_events
from companion.table.activity_log import describe_change, describe_device, log_entries
from companion.table.history import History, apply_event


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
