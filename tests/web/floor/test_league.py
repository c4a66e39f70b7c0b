"""The page of a league: who may see it, what an organiser does there, and what is refused."""

import http.client
import io
import json
import re
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from companion.core.i18n import LANGUAGES, get_language
from companion.floor.table_state import TableState
from companion.league.lists import spell_points
from companion.league.proof import prove_folder
from companion.league.state import League
from companion.league.store import LeagueStore
from companion.records.format import to_bytes
from tests.web.floor.test_server import ask
from tests.worlds.league_folder import begin_for
from tests.worlds.served_floor import ServedFloor

FOUND = "title=Thursday&game=robby_solo&seats=3&pairing=swiss"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "league"


@pytest.fixture
def floor(folder: Path) -> Iterator[ServedFloor]:
    served = ServedFloor(league=folder)
    yield served
    served.close()


def found(floor: ServedFloor, members: int = 3) -> None:
    """A league of so many members without names, and one who is called Wilma."""
    assert ask(floor, "POST", "/league/found", FOUND)[0] == 303
    for _ in range(members - 1):
        assert ask(floor, "POST", "/league/join", "name=")[0] == 303
    assert ask(floor, "POST", "/league/join", "name=Wilma+%3Cb%3E&agrees=1")[0] == 303


def read(folder: Path) -> League:
    store = LeagueStore(folder)
    league = store.read_league()
    store.close()
    return league


def send(floor: ServedFloor, record: bytes, **head: str) -> tuple[int, str]:
    """Upload a file as a browser does; return what is said of it."""
    kind = {"Content-Type": "application/octet-stream"}
    answer = floor.browser.post("/league/records?name=game.jsonl", record, **kind, **head)
    return answer[:2]


def title_of(refused: str) -> str:
    return str(json.loads(refused)["title"])


def test_a_league_is_founded_played_and_proven_on_the_page(
    floor: ServedFloor, folder: Path
) -> None:
    assert "A new league" in ask(floor, "GET", "/league")[1]
    found(floor)
    assert ask(floor, "POST", "/league/pair", "x=1")[0] == 303
    page = ask(floor, "GET", "/league")[1]
    assert "Wilma &lt;b&gt;" in page
    assert "Wilma <b>" not in page
    sheet = read(folder).open_sheets[0]
    record = to_bytes(begin_for(sheet.code, 1))
    assert len(record) > 16 * 1024, "larger than any form"
    for sent, sentence in (
        (record, "Counted: round 1, table 1."),
        (record, "This is the game of round 1"),
        (b"{}", "The record breaks off in line 1."),
    ):
        status, said = send(floor, sent)
        assert (status, said.startswith(f"game.jsonl: {sentence}")) == (200, True)
    assert prove_folder(folder).is_proven
    assert ask(floor, "POST", "/league/strike", "round=1&table=1")[0] == 303
    assert len(read(folder).open_sheets) == 1
    assert ask(floor, "GET", "/league/standing.csv")[1].count("\r\n") == 4


def test_the_proof_for_everyone_has_no_name_and_proves_the_standing(
    floor: ServedFloor, folder: Path, tmp_path: Path
) -> None:
    found(floor)
    ask(floor, "POST", "/league/pair", "x=1")
    send(floor, to_bytes(begin_for(read(folder).open_sheets[0].code, 1)))
    line = http.client.HTTPConnection(floor.address.removeprefix("http://"), timeout=30)
    line.request("GET", "/league/proof.zip")
    packed = zipfile.ZipFile(io.BytesIO(line.getresponse().read()))
    line.close()
    packed.extractall(tmp_path / "elsewhere")
    assert not any(b"Wilma" in packed.read(name) for name in packed.namelist())
    proof = prove_folder(tmp_path / "elsewhere" / "league")
    assert proof.is_proven
    assert len(proof.standing) == 3


def test_what_cannot_be_done_is_said_and_changes_nothing(floor: ServedFloor, folder: Path) -> None:
    found(floor)
    before = read(folder)
    for act, body, sentence in (
        ("join", "name=Cem", "only if the member agrees"),
        ("leave", "member=99", "99 is no member"),
        ("found", FOUND, "there is a league already"),
    ):
        status, said, _ = ask(floor, "POST", f"/league/{act}", body)
        assert (status, sentence in title_of(said)) == (409, True)
    assert read(folder) == before
    assert ask(floor, "POST", "/league/leave", "member=Wilma+%3Cb%3E")[0] == 303
    status, said, _ = ask(floor, "POST", "/league/pair", "x=1")
    assert (status, "2 members are too few" in title_of(said)) == (409, True)
    page = ask(floor, "GET", "/league")[1]
    assert "a former member" in page
    assert "Wilma" not in page


def test_points_are_chosen_on_the_page_until_a_result_counts(
    floor: ServedFloor, folder: Path
) -> None:
    assert ask(floor, "POST", "/league/found", f"{FOUND}&points=5,a")[0] == 409
    assert ask(floor, "POST", "/league/found", f"{FOUND}&points=5%2C2")[0] == 303
    for _ in range(3):
        ask(floor, "POST", "/league/join", "name=")
    assert 'value="5, 2"' in ask(floor, "GET", "/league")[1]
    status, said, _ = ask(floor, "POST", "/league/points", "points=2,5")
    assert (status, "Points of the places are falling" in title_of(said)) == (409, True)
    assert ask(floor, "POST", "/league/points", "points=10,6,3")[0] == 303
    ask(floor, "POST", "/league/pair", "x=1")
    send(floor, to_bytes(begin_for(read(folder).open_sheets[0].code, 1)))
    page = ask(floor, "GET", "/league")[1]
    assert "10, 6, 3" in page
    assert 'action="/league/points"' not in page
    status, said, _ = ask(floor, "POST", "/league/points", "points=1")
    assert (status, "fixed, as a result counts" in title_of(said)) == (409, True)
    assert read(folder).founded.points == (10, 6, 3)


def test_a_sheet_leads_to_each_table_that_is_there(floor: ServedFloor, folder: Path) -> None:
    floor.tell("a" * 12, TableState(name="Table 7", address="http://192.0.2.7:8000/"))
    found(floor)
    ask(floor, "POST", "/league/pair", "x=1")
    code = read(folder).open_sheets[0].code
    page = ask(floor, "GET", "/league")[1]
    assert f'href="http://192.0.2.7:8000/host/new/robby_solo?league={code}"' in page


def test_the_live_part_is_sent_only_when_it_changed(floor: ServedFloor) -> None:
    assert ask(floor, "GET", "/league/live")[0] == 404
    found(floor)
    status, html, head = ask(floor, "GET", "/league/live")
    assert (status, "Standing" in html, "<form" in html) == (200, True, False)
    since = f"/league/live?since={head['Companion-Mark']}"
    assert ask(floor, "GET", since)[0] == 204
    ask(floor, "POST", "/league/pair", "x=1")
    assert ask(floor, "GET", since)[0] == 200


def test_every_language_is_spoken(floor: ServedFloor) -> None:
    found(floor)
    for language, words in {"fr": "Classement", "de": "Tabelle"}.items():
        page = ask(floor, "GET", "/league", **{"Accept-Language": language})[1]
        assert re.search(rf'<h2 id="standing">{words}</h2>', page)


def test_points_are_written_as_people_of_a_language_do() -> None:
    spelled = [spell_points(Fraction(10, 3), get_language(code)) for code in LANGUAGES]
    assert dict(zip(LANGUAGES, spelled, strict=True)) == {"en": "3.33", "de": "3,33", "fr": "3,33"}


def test_only_who_may_see_the_floor_sees_the_league(floor: ServedFloor) -> None:
    found(floor)
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    assert ask(floor, "GET", "/league", **elsewhere)[0] == 302
    for path in ("/league/live", "/league/standing.csv", "/league/proof.zip"):
        assert ask(floor, "GET", path, **elsewhere)[0] == 401
    assert ask(floor, "POST", "/league/pair", "x=1", **elsewhere)[0] == 401
    assert send(floor, b"x" * 100_000, **elsewhere)[0] == 401
    assert send(floor, b"x", Origin="http://evil.example")[0] == 403
    assert "No round yet" in ask(floor, "GET", "/league")[1]
