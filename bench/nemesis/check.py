"""All checks of one run: the journal, the views, the seats, the host."""

from pathlib import Path

from bench.nemesis.attempts import Attempt
from bench.nemesis.host_model import check_host, check_printed_pins
from bench.nemesis.journal_model import (
    StoredLine,
    check_invented,
    check_once,
    check_order,
    fold_games,
    match_requests,
    read_journal,
)
from bench.nemesis.seat_model import check_seats
from bench.nemesis.view_model import Matches, ReadLook, check_views


def check_history(
    attempts: list[Attempt], lines: list[StoredLine], read_look: ReadLook
) -> list[str]:
    """Return every violation, in one line each."""
    requests, matches = match_requests(attempts, lines), Matches(attempts)
    wrong = list[str]()
    for prefix, refused in fold_games(lines):
        matches.add(prefix)
        wrong += [refused] if refused else []
    wrong += check_once(requests)
    wrong += check_invented(requests, lines)
    wrong += check_order(requests)
    wrong += check_views(matches, requests, lambda: fold_games(lines), read_look)
    wrong += check_seats(attempts)
    wrong += check_host(attempts)
    wrong += check_printed_pins(attempts)
    return wrong


def check_run(attempts: list[Attempt], journal: Path, read_look: ReadLook) -> tuple[list[str], int]:
    """Return every violation of a run, and how many lines its journal holds."""
    lines, wrong = read_journal(journal)
    return [*wrong, *check_history(attempts, lines, read_look)], len(lines)
