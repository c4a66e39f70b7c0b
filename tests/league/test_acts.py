"""What an organiser does: names come and go, rounds follow each other, records count once."""

from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.core.i18n import get_language
from companion.league.acts import (
    add_record,
    found_league,
    join_league,
    leave_league,
    pair_next_round,
    strike_result,
)
from companion.league.arrival import Refused
from companion.league.book import MemberJoined, parse_lines
from companion.league.lists import name_member, write_csv
from companion.league.proof import BOOK, RECORDS, prove_folder
from companion.league.sheet_words import read_sheet_code, sheet_words
from companion.league.standing import make_standing
from companion.league.state import LeagueSheet
from companion.league.store import FILE, LeagueStore
from companion.records.format import to_bytes
from tests.worlds.league_folder import begin_for, found, play_league, play_sheet

ENGLISH = get_language("en")


def called(store: LeagueStore) -> list[str]:
    league, names = store.read_league(), store.read_names()
    return [name_member(league, names, member, ENGLISH) for member in league.members]


def test_a_name_is_kept_only_with_consent_which_stands_in_the_book(tmp_path: Path) -> None:
    store = found(tmp_path / "league", 0)
    with pytest.raises(Malformed, match="only if the member agrees"):
        join_league(store, "Wilhelmine")
    join_league(store, "Wilhelmine", "2026-11-24")
    join_league(store)
    assert called(store) == ["Wilhelmine", "member 2"]
    said = [line.said for line in parse_lines((store.folder / BOOK).read_bytes())]
    assert [one.consent for one in said if isinstance(one, MemberJoined)] == [1, 0]
    with pytest.raises(Malformed, match="is a member already"):
        join_league(store, "wilhelmine ", "2026-11-24")


def test_who_leaves_is_a_former_member_and_the_name_is_nowhere(tmp_path: Path) -> None:
    store = found(tmp_path / "league", 5)
    join_league(store, "Wilhelmine", "2026-11-24")
    play_league(store, 1, signed=False)
    before = {row.member: row.points for row in make_standing(store.read_league())}
    kept = [path for path in store.folder.rglob("*") if path.is_file()]
    assert [path.name for path in kept if b"Wilhelmine" in path.read_bytes()] == [FILE]
    leave_league(store, "wilhelmine")
    kept = [path for path in store.folder.rglob("*") if path.is_file()]
    assert [path.name for path in kept if b"Wilhelmine" in path.read_bytes()] == []
    assert called(store)[-1] == "a former member"
    assert {row.member: row.points for row in make_standing(store.read_league())} == before
    last = list(store.read_league().members)[-1]
    assert last not in [m for s in pair_next_round(store).open_sheets for m in s.members]
    with pytest.raises(Malformed, match="is no member"):
        leave_league(store, "Wilhelmine")


def test_a_round_waits_for_the_games_of_the_last_one(tmp_path: Path) -> None:
    store = found(tmp_path / "league")
    sheets = pair_next_round(store).open_sheets
    with pytest.raises(Malformed, match="round 1, table 1, has not arrived"):
        pair_next_round(store)
    assert len(pair_next_round(store, anyway=True).rounds) == 2
    late = add_record(store, to_bytes(begin_for(sheets[0].code, 3)))
    assert late == sheets[0]


def test_a_round_robin_ends_when_all_have_met(tmp_path: Path) -> None:
    store = found(tmp_path / "league", 3, pairing="round_robin")
    play_league(store, 1, signed=False)
    with pytest.raises(Malformed, match="everyone has met everyone"):
        pair_next_round(store)
    assert len(pair_next_round(store, anyway=True).rounds) == 2


def test_too_few_members_are_told(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="2 members are too few"):
        pair_next_round(found(tmp_path / "league", 2))


def test_a_record_counts_once_and_for_its_sheet_alone(tmp_path: Path) -> None:
    store, other = found(tmp_path / "league"), found(tmp_path / "other")
    sheet, foreign = pair_next_round(store).open_sheets[0], pair_next_round(other).open_sheets[0]
    data = to_bytes(begin_for(sheet.code, 3))
    assert add_record(store, data) == sheet
    assert (store.folder / RECORDS / sheet.file).read_bytes() == data
    refused = {
        "doubled": data,
        "second": to_bytes(begin_for(sheet.code, 4)),
        "foreign": to_bytes(begin_for(foreign.code, 5)),
        "consistent": data[:-9],
    }
    for code, sent in refused.items():
        found_one = add_record(store, sent)
        assert isinstance(found_one, Refused)
        assert found_one.code == code
    assert len(store.read_league().results) == 1


def test_a_result_is_taken_back_and_another_arrives(tmp_path: Path) -> None:
    store = found(tmp_path / "league")
    sheet = pair_next_round(store).open_sheets[0]
    first, second = (to_bytes(begin_for(sheet.code, seed)) for seed in (3, 4))
    assert add_record(store, first) == sheet
    strike_result(store, sheet.round, sheet.table)
    assert not (store.folder / RECORDS / sheet.file).exists()
    with pytest.raises(Malformed, match="no result of round 1, table"):
        strike_result(store, sheet.round, sheet.table)
    assert add_record(store, second) == sheet
    assert prove_folder(store.folder).is_proven
    (store.folder / RECORDS / "first.jsonl").write_bytes(first)
    faults = prove_folder(store.folder).faults
    assert [(one.file, one.code) for one in faults] == [("first.jsonl", "second")]


def test_a_league_may_ask_for_the_signature_of_every_phone(tmp_path: Path) -> None:
    store = found(tmp_path / "league", phones=True)
    sheet = pair_next_round(store).open_sheets[0]
    silent = add_record(store, to_bytes(begin_for(sheet.code, 4)))
    assert isinstance(silent, Refused)
    assert silent.code == "phones"
    assert isinstance(add_record(store, to_bytes(play_sheet(sheet, 4).record)), LeagueSheet)


def test_the_words_of_a_sheet_say_its_code() -> None:
    code = "0123456789abcdef" * 2
    assert len(sheet_words(code).split()) == 8
    for typed in (code, sheet_words(code), f" {sheet_words(code).upper()} ", code.upper()):
        assert read_sheet_code(typed) == code
    assert read_sheet_code(" lusab babad ") == "lusab babad"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"game": "chess"}, "no box that is installed"),
        ({"seats": 9}, "goes from"),
        ({"points": (1, 2)}, "falling numbers"),
        ({"title": "x" * 99}, "has 1 to 24"),
    ],
)
def test_a_league_that_cannot_be_is_refused(rules: dict[str, object], said: str) -> None:
    told = {"title": "Thursday", "game": "robby_solo", **rules}
    with pytest.raises(Malformed, match=said):
        found_league(told.pop("title"), told.pop("game"), **told)  # type: ignore[arg-type]


def test_a_folder_without_a_league_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be used"):
        LeagueStore(tmp_path)
    store = found(tmp_path / "league")
    with pytest.raises(Malformed, match="there is a league already"):
        found(store.folder)


def test_a_spreadsheet_gets_no_formula(tmp_path: Path) -> None:
    store = found(tmp_path / "league", 0)
    join_league(store, "=1+1", "2026-11-24")
    table = write_csv(
        store.read_league(), store.read_names(), make_standing(store.read_league()), ENGLISH
    )
    assert table.splitlines()[1] == "1,1,'=1+1,0,0,0,0"
