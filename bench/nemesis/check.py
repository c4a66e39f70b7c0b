"""All checks of one run: the journal, the views, the seats, the host."""

from pathlib import Path

from bench.nemesis.attempts import Attempt
from bench.nemesis.host_model import check_host
from bench.nemesis.journal_model import (
    StoredLine,
    check_invented,
    check_once,
    check_order,
    fold_games,
    match_requests,
    read_journal,
)
from bench.nemesis.linear import TooManyExplanations
from bench.nemesis.seat_model import check_seats
from bench.nemesis.view_model import check_views


def check_history(attempts: list[Attempt], lines: list[StoredLine]) -> list[str]:
    """Return every violation, in one line each."""
    requests = match_requests(attempts, lines)
    games, wrong = fold_games(lines)
    wrong += check_once(requests)
    wrong += check_invented(requests, lines)
    wrong += check_order(requests)
    wrong += check_views(attempts, games, requests)
    for check in (check_seats, check_host):
        try:
            wrong += check(attempts)
        except TooManyExplanations:
            wrong.append(f"{check.__name__}: too much overlaps to be decided")
    return wrong


def check_run(attempts: list[Attempt], journal: Path) -> tuple[list[str], int]:
    """Return every violation of a run, and how many lines its journal holds."""
    lines, wrong = read_journal(journal)
    return [*wrong, *check_history(attempts, lines)], len(lines)
