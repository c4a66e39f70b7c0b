"""What the games of a journal come to, as it is compared between versions."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.games import game_names
from companion.journal import Journal
from companion.records.store import import_record
from companion.records.witness import list_witnessed, to_plain, witness_game
from tests.records.test_records import GAMES


@pytest.mark.parametrize("game", game_names())
def test_it_tells_how_a_game_ended_and_its_verdicts(game: str, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        assert import_record(journal, GAMES[game])
        (listed,) = list_witnessed(journal)
        told, again = (witness_game(journal, str(listed["id"]), game) for _ in range(2))
    assert told == again
    assert (listed["game"], told["game"]) == (game, game)
    assert told["state"]["phase"] == "over"
    assert any("totals" in verdict["of"] for verdict in told["verdicts"])
    assert all(step["rule"] for verdict in told["verdicts"] for step in verdict["of"]["steps"])


def test_of_a_game_that_is_not_installed_it_tells_how_long_it_is(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        import_record(journal, GAMES["robby_solo"])
        (listed,) = list_witnessed(journal)
        told = witness_game(journal, str(listed["id"]), "wharf_auction")
    assert told.keys() == {"id", "game", "lines"}


class Coin(msgspec.Struct, tag_field="kind", tag="coin", omit_defaults=True):
    worth: int = 1
    facts: dict[str, object] = {}
    by: dict[int, frozenset[str]] = {}


def test_fields_are_told_with_their_defaults_and_keys_of_mappings_are_marked() -> None:
    assert to_plain(Coin()) == {"kind": "coin", "worth": 1, "facts": {}, "by": {}}
    coin = Coin(2, {"who": ("Ana",)}, {3: frozenset({"b", "a"})})
    assert to_plain(coin) == {
        "kind": "coin", "worth": 2, "facts": {"who": ["Ana"]}, "by": {"=3": ["a", "b"]},
    }  # fmt: skip
    assert (to_plain(Path("x")), to_plain(b"a"), to_plain((1.5, None))) == (
        "x",
        "YQ==",
        [1.5, None],
    )
