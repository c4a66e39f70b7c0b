"""Acts of a floor: signed, counted, written into the journal, and nothing but what is declared."""

import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.caretaker.desk import ErrandDesk
from companion.caretaker.errands import LookForReleases, SwitchOff, take_errand
from companion.floor.floor_key import (
    ACT_HEADER,
    ANSWER_HEADER,
    ActSignature,
    PieceOpener,
    sign_act,
    sign_answer,
)
from companion.floor.paired_floors import PairedFloors
from companion.floor.pairing import FloorPairing, PairingAnswer
from companion.floor.table_on_floor import FloorPlace
from companion.games.new_game import NewGame
from companion.records.store import make_record
from companion.records.verify import prove_record
from companion.table.early_acts import FILE as EARLY
from tests.worlds.fresh_table import Fresh
from web.context import CONTEXT_KEY, AppContext

FLOOR = "0f1e2d3c4b5a"


class FloorTable:
    """A table in this process that is paired with a floor, and the key of that floor."""

    def __init__(self, folder: Path) -> None:
        self.fresh, self.folder = Fresh(folder), folder
        self.room: AppContext = self.fresh.app.extensions[CONTEXT_KEY]
        self.room.floors = PairedFloors(folder, lambda: "0123456789ab")
        self.room.floor.place = FloorPlace("Table 7")
        self.client: FlaskClient = self.fresh.app.test_client()
        pairing = FloorPairing(FLOOR, "Bar")
        self.room.floors.await_floor(pairing.code)
        answer = self.post("/api/floor/pairing", msgspec.json.encode(pairing.offer))
        key = pairing.read_answer(msgspec.json.decode(answer.data, type=PairingAnswer))
        assert key is not None
        self.key, self.counter = key, 0

    def post(self, path: str, body: bytes, signature: str = "") -> TestResponse:
        head = {"Origin": "http://localhost", "Content-Type": "application/json"}
        head |= {ACT_HEADER: signature} if signature else {}
        return self.client.post(path, data=body, headers=head)

    def act(self, name: str, **fields: Any) -> TestResponse:
        self.counter += 1
        path = f"/api/floor/acts/{name}"
        body = msgspec.json.encode({"key": f"k{self.counter}", **fields})
        signed = ActSignature(FLOOR, self.counter, sign_act(self.key, path, self.counter, body))
        self.sent = (path, body, signed.write())
        return self.post(*self.sent)

    def begin_game(self) -> None:
        game = NewGame("robby_solo", ("Ana", "Ben", "Cleo"))
        assert self.fresh.host.begin_game(game) is None

    def open_sealed(self, answer: TestResponse) -> bytes:
        """Open what was sealed for the last act; CryptoError if it was not."""
        opener = PieceOpener(self.key, self.counter)
        return opener.open_chunk(answer.data) + opener.open_rest()

    def told(self) -> list[tuple[str, str]]:
        """Return device and event of what the floor has in the journal."""
        lines = self.fresh.journal.read_lines(self.fresh.journal.newest_game() or "")
        return [
            (line.via, msgspec.json.decode(line.event)["event"])
            for line in lines
            if line.via.startswith("floor")
        ]


@pytest.fixture
def table(tmp_path: Path) -> Any:
    made = FloorTable(tmp_path)
    yield made
    made.fresh.shut()


def test_every_act_is_in_the_journal_with_the_floor_as_its_author(table: FloorTable) -> None:
    table.begin_game()
    call = table.room.floor.calls.call(2)
    assert table.act("pause").status_code == 204
    assert table.fresh.host.table.history.paused
    assert table.act("continue").status_code == 204
    assert table.act("call", number=call.number + 1).status_code == 204
    assert table.room.floor.calls.current == call
    assert table.act("call", number=call.number).status_code == 204
    assert table.room.floor.calls.current is None
    assert table.act("language", language="de").status_code == 204
    assert table.room.language == "de"
    restarted: list[bool] = []
    table.room.restart = lambda: restarted.append(True)
    assert (table.act("restart").status_code, restarted) == (204, [True])
    assert table.act("next-group").status_code == 204
    desk = table.room.errands = ErrandDesk("1", asked=table.folder, reports=table.folder)
    assert table.act("look").status_code == 204
    assert take_errand(table.folder) == LookForReleases()
    assert table.act("power-off").status_code == 204
    assert (desk.status().waits, take_errand(table.folder)) == (True, SwitchOff())
    acts = [
        "paused",
        "thawed",
        *["floor_acted"] * 4,
        "ended",
        "cleared",
        "floor_acted",
        "floor_acted",
    ]
    assert table.told() == [(f"floor {FLOOR}", act) for act in acts]
    journal = table.fresh.journal
    assert prove_record(make_record(journal, journal.newest_game() or "")).moments > 0


def test_what_was_done_before_the_first_game_is_in_its_journal(table: FloorTable) -> None:
    assert table.act("language", language="fr").status_code == 204
    assert table.act("next-group").status_code == 204
    kept = (table.folder / EARLY).read_bytes()
    assert stat.S_IMODE((table.folder / EARLY).stat().st_mode) == 0o600
    assert table.told() == []
    table.begin_game()
    assert not (table.folder / EARLY).exists()
    done = [(f"floor {FLOOR}", "floor_acted")] * 2
    assert table.told() == done
    assert table.act("pause").status_code == 204
    assert table.told() == [*done, (f"floor {FLOOR}", "paused")]
    journal, game = table.fresh.journal, table.fresh.journal.newest_game() or ""
    first, *acts = list(journal.read_lines(game))[:3]
    assert [msgspec.json.decode(line.event)["act"] for line in acts] == ["language", "next group"]
    assert all(line.at <= first.at for line in acts)
    assert prove_record(make_record(journal, game)).moments > 0
    history = table.fresh.host.table.history
    assert len(history.moments) == len(list(journal.read_lines(game)))

    (table.folder / EARLY).write_bytes(kept)  # The power went before the file was removed.
    assert table.act("next-group").status_code == 204
    table.begin_game()
    assert table.told() == []
    assert not (table.folder / EARLY).exists()


def test_an_act_that_cannot_be_kept_is_not_done(table: FloorTable) -> None:
    (table.folder / f".{EARLY}.new").mkdir()
    (table.folder / EARLY).mkdir()
    refused = table.act("language", language="fr")
    assert refused.json["code"] == "not_written"
    assert table.room.language != "fr"


def test_a_table_without_a_game_is_paused_by_no_one_and_has_no_caretaker(table: FloorTable) -> None:
    assert table.act("pause").json["code"] == "not_started"
    assert table.act("power-off").json["code"] == "no_caretaker"
    assert table.act("language", language="xx").status_code == 400
    assert msgspec.json.decode(table.act("state").data)["name"] == "Table 7"


def test_what_was_heard_on_the_wire_does_nothing_again(table: FloorTable) -> None:
    table.begin_game()
    assert table.act("pause").status_code == 204
    pause = table.sent
    assert table.act("continue").status_code == 204
    for path, body, signature in (pause, table.sent):
        refused = table.post(path, body, signature)
        assert (refused.status_code, refused.json["code"]) == (403, "counter_used")
        assert refused.json["next_counter"] == table.counter + 1
        other = table.post("/api/floor/acts/next-group", body, signature)
        assert (other.status_code, other.json["code"]) == (403, "unknown_floor")
    assert not table.fresh.host.table.history.paused
    table.room.floors.revoke_floor(FLOOR)
    assert table.act("pause").json["code"] == "unknown_floor"


def test_an_act_is_unsigned_nothing_and_a_floor_does_nothing_else(table: FloorTable) -> None:
    table.begin_game()
    unsigned = table.post("/api/floor/acts/pause", b'{"key": "k"}')
    assert (unsigned.status_code, unsigned.json["code"]) == (403, "unsigned")
    for path in ("/api/host/reset", "/api/host/requests", "/api/host/pin"):
        body = b'{"key": "k"}'
        signed = ActSignature(FLOOR, 50, sign_act(table.key, path, 50, body)).write()
        assert table.post(path, body, signed).status_code in {401, 403}
    assert table.told() == []


def test_the_answer_is_signed_too(table: FloorTable) -> None:
    answer = table.act("state")
    signed = sign_answer(table.key, table.sent[0], table.counter, 200, answer.data)
    assert answer.headers[ANSWER_HEADER] == signed
    refused = table.act("pause")
    signed = sign_answer(table.key, table.sent[0], table.counter, 409, refused.data)
    assert refused.headers[ANSWER_HEADER] == signed
