"""What the games of a journal come to, as it is compared between versions."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.games import game_names
from companion.journal import Journal
from companion.records.format import end_chain
from companion.records.store import import_record
from companion.records.witness import witness_games
from tests.records.test_records import GAMES


@pytest.mark.parametrize("game", game_names())
def test_it_tells_how_a_game_ended_its_verdicts_and_its_fingerprint(
    game: str, tmp_path: Path
) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        assert import_record(journal, GAMES[game])
        told, again = list(witness_games(journal)), list(witness_games(journal))
    assert told == again
    (each,) = told
    assert each["game"] == game
    assert each["state"]["phase"] == "over"
    assert each["fingerprint"] == end_chain(GAMES[game])
    assert any("totals" in verdict["of"] for verdict in each["verdicts"])
    assert all(step["rule"] for verdict in each["verdicts"] for step in verdict["of"]["steps"])


def test_no_more_than_the_newest_are_told(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        import_record(journal, GAMES["robby_solo"])
        assert list(witness_games(journal, 0)) == []
        assert len(list(witness_games(journal, 1))) == 1
