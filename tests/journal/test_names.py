"""What is kept apart of a game comes back to the moment that it came with, and to no other."""

from pathlib import Path

import pytest

from companion.core.events import Event
from companion.core.table_events import Corrected, Undone
from companion.games import make_rulebook
from companion.journal import Journal
from companion.journal.line import NotedEvent
from tests.worlds.left_open import closed_later

STARTED = make_rulebook("bankueberfall").start_event(id="g1", players=("Ana", "Ben", "Cleo"))
SAID_WHY = Undone(1, reason="Ana meant another bank")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """A journal whose game has begun."""
    made = closed_later(Journal(tmp_path / "journal.sqlite3", keeps_names_apart=True))
    set_apart(made, STARTED, moments=0)
    return made


def set_apart(journal: Journal, event: Event, moments: int) -> Event:
    """Return an event as it is written, as the next one after so many moments."""
    (written,) = journal.names.set_apart("g1", [NotedEvent(event)], moments)
    return written.event


def test_names_and_reasons_come_back(journal: Journal) -> None:
    started = set_apart(journal, STARTED, moments=0)
    undone = set_apart(journal, SAID_WHY, moments=1)
    assert "Ana" not in repr((started, undone))
    assert [*journal.names.give_back("g1", [started, undone])] == [STARTED, SAID_WHY]


@pytest.mark.parametrize("next_one", [Undone(1), Corrected(1, {"event": "passed"})])
def test_the_reason_of_what_could_not_be_written_is_not_given_to_the_next(
    journal: Journal, next_one: Event
) -> None:
    started = set_apart(journal, STARTED, moments=0)
    set_apart(journal, SAID_WHY, moments=1)  # And then the disk fails.
    written = set_apart(journal, next_one, moments=1)
    assert [*journal.names.give_back("g1", [started, written])] == [STARTED, next_one]


def test_a_reason_within_what_is_said_instead_is_kept_apart_as_well(journal: Journal) -> None:
    inner = {"event": "undone", "target": 1, "reason": "Ana meant another bank"}
    assert "Ana" not in repr(set_apart(journal, Corrected(2, inner), moments=2))
