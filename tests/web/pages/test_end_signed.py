"""The end of a game: its fingerprint on every page, and what phones may sign."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.signatures import end_text, seal_text
from companion.core.table_events import EndSigned, Undone
from companion.records.checks import check_record
from companion.records.fingerprint import fingerprint_words
from companion.records.format import Record, end_chain, to_bytes
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.request_campaign import served
from tests.worlds.signer import Signer, browser_of, signer_of
from tests.worlds.visitor import Visitor
from web.context import CONTEXT_KEY

PAGES = ("/table", "/phone/1", "/share")
SEATS = "/api/seats/1/requests"


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return served(tmp_path / "j.sqlite3", "bankueberfall", "over")


class SeatedPhone:
    """The phone of seat 1 and its key."""

    def __init__(self, app: Any) -> None:
        self.table, self.visitor = app.extensions[CONTEXT_KEY].table, Visitor(app)
        self.visitor.sits(1)
        cookie = self.visitor.client.get_cookie("companion")
        self.signer = signer_of(app, browser_of(app, f"companion={cookie.value}"))

    def signs_end(self, signer: Signer | None = None, line: int = 0, chain: str = "") -> Any:
        """Sign the end, or another line with another key."""
        end = self.table.played.end_line()
        line, chain = line or end.n, chain or end.chain
        text = end_text(end.id, 1, line, chain)
        signature = (signer or self.signer).key.sign(text).signature.hex()
        return self.asks({"event": "end_signed", "line": line, "signature": signature})

    def asks(self, event: dict[str, Any]) -> Any:
        return self.visitor.tells(
            SEATS, {"event": event, "version": self.table.version, "key": "k"}
        )

    def record(self) -> Record:
        found = self.table.played.last_record()
        assert isinstance(found, Record)
        return found


def test_every_page_shows_the_fingerprint_of_the_record(app: Any) -> None:
    phone = SeatedPhone(app)
    words = fingerprint_words(end_chain(phone.record()))
    for path in PAGES:
        assert words in phone.visitor.get(path).text
    assert 'data-signs="' in phone.visitor.get("/phone/1").text
    assert 'data-signs="' not in phone.visitor.get("/share").text


def test_a_signature_of_the_end_is_in_the_record_and_changes_no_page(app: Any) -> None:
    phone = SeatedPhone(app)
    before, version = phone.visitor.get("/table").text, phone.table.version
    assert phone.signs_end().status_code == 204
    assert (phone.visitor.get("/table").text, phone.table.version) == (before, version)
    report = check_record(to_bytes(phone.record()))
    assert (report.failed, report.answer("signed")) == ((), "yes")
    ended = {seat.seat: (seat.ended, seat.keys) for seat in report.seats}
    assert ended[1] == (True, (phone.signer.public_key.hex(),))
    assert ended[2] == (False, ())


def test_what_does_not_fit_is_refused_and_so_is_a_second_signature(app: Any) -> None:
    phone = SeatedPhone(app)
    before = len(phone.record().moments)
    assert phone.signs_end(Signer()).json["code"] == "wrong_signature"
    assert phone.signs_end(chain="0" * 64).json["code"] == "wrong_signature"
    assert phone.signs_end(line=3).json["code"] == "other_end"
    assert len(phone.record().moments) == before
    assert phone.signs_end().status_code == 204
    assert phone.table.request(
        phone.table.history.moments[-1].event, HOST_AUTHOR
    ).code == "not_yours"  # fmt: skip
    assert len(phone.record().moments) == before + 1


def test_the_key_of_a_signature_is_the_registered_one_whatever_is_said(app: Any) -> None:
    phone, other = SeatedPhone(app), Signer()
    end = phone.table.played.end_line()
    said = other.key.sign(end_text(end.id, 1, end.n, end.chain)).signature.hex()
    event = {"event": "end_signed", "line": end.n, "signature": said}
    answer = phone.asks({**event, "key": other.public_key.hex()})
    assert answer.json["code"] == "wrong_signature"


def test_an_undo_after_the_end_takes_the_fingerprint_away(app: Any) -> None:
    phone = SeatedPhone(app)
    words = phone.table.played.end_line().words
    assert phone.signs_end().status_code == 204
    undone = next(each.at for each in phone.table.view().table.log[::-1] if each.undoable)
    assert phone.table.request(Undone(undone, ""), HOST_AUTHOR) is None
    assert phone.table.played.end_line() is None
    assert words not in phone.visitor.get("/table").text
    moment = phone.table.history.moments[-2]
    assert isinstance(moment.event, EndSigned)


def test_before_the_end_there_is_nothing_to_sign(tmp_path: Path) -> None:
    early = served(tmp_path / "j.sqlite3", "bankueberfall", "seal")
    phone = SeatedPhone(early)
    assert phone.table.played.end_line() is None
    answer = phone.asks({"event": "end_signed", "line": 3, "signature": "0" * 128})
    assert answer.json["code"] == "not_over"
    assert not any("data-end=" in phone.visitor.get(path).text for path in PAGES)


def test_a_seal_is_taken_with_a_signature_that_fits_or_with_none(tmp_path: Path) -> None:
    phone = SeatedPhone(served(tmp_path / "j.sqlite3", "bankueberfall", "seal"))
    state, seal = phone.table.state, "ab" * 32
    said = phone.signer.key.sign(seal_text(state.id, state.hands.round, 1, seal)).signature.hex()
    sealed = {"event": "sealed", "seal": seal}
    answer = phone.asks({**sealed, "signature": said[:-1] + ("0" if said[-1] != "0" else "1")})
    assert answer.json["code"] == "wrong_signature"
    assert phone.asks({**sealed, "signature": said}).status_code == 204
    event: Any = phone.table.history.moments[-1].event
    assert (event.key, event.signature) == (phone.signer.public_key.hex(), said)
