"""Asks answered at once and asks answered by Flask: no phone can tell which it was.

Law: whatever is sent, in whatever order, both answer with the same status, headers and body, and
leave the same game behind.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from companion.core.errors import NotWritten
from companion.host.demo import DemoLoop
from companion.host.run_on_loop import TableBusy
from companion.identity import IdentityStore
from companion.seating.seat_map import SeatHolder
from companion.seating.seats import Seats
from tests.worlds.campaign import pick
from tests.worlds.signer import Signer
from tests.worlds.visitor import OURS, UNHURRIED
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.asks import QuickAsks
from web.context import CONTEXT_KEY, AppContext
from web.rate_limits import Limits, Rate
from web.rendering.templates import LANGUAGE_KEY
from web.security import SIGNATURE
from web.session_cookies import make_serializer
from web.sessions import BROWSER_KEY

PATH = "/api/seats/1/requests"
SEATS = (1, 2, 3)
STEPS = pick(150, 2_000, 2_000)


class FullDisk(IdentityStore):
    """An identity store whose disk can be full."""

    is_full = False

    def raise_counter_ceiling(self, browser: str, to: int) -> None:
        if self.is_full:
            raise NotWritten("disk", "The disk is full.")
        super().raise_counter_ceiling(browser, to)


class AskedTable:
    """A table whose seats ask by signed requests, with or without what answers at once."""

    def __init__(self, folder: Path, *, quickly: bool, limits: Limits = UNHURRIED) -> None:
        self.watched = Watched(folder / f"{quickly}.sqlite3")
        self.identity = FullDisk()
        self.seats = Seats({seat: SeatHolder(f"browser {seat}") for seat in SEATS})
        context = AppContext(self.watched.table, self.seats, identity=self.identity)
        self.app: Flask = create_app(context, limits=limits)
        assert isinstance(self.app.wsgi_app, QuickAsks)
        if not quickly:
            self.app.wsgi_app = self.app.wsgi_app.flask  # type: ignore[method-assign]
        self.signers = {seat: Signer(bytes([seat]) * 32) for seat in SEATS}
        for seat, signer in self.signers.items():
            self.identity.bind_key(f"browser {seat}", signer.public_key)

    def cookie(self, browser: str, **more: str) -> str:
        return f"companion={make_serializer(self.app).dumps({BROWSER_KEY: browser, **more})!s}"

    def asks(
        self, body: bytes, seat: int = 1, path: str = PATH, head: dict[str, str] | None = None,
        **how: Any,
    ) -> TestResponse:  # fmt: skip
        """Send a signed body from the phone of this seat."""
        signed = self.signers[seat].signs(path.partition("?")[0], body)
        return self.sends(
            path,
            body,
            {"Cookie": self.cookie(f"browser {seat}"), SIGNATURE: signed} | (head or {}),
            **how,
        )

    def sends(self, path: str, body: bytes, head: dict[str, str], **how: Any) -> TestResponse:
        head = {"Origin": OURS, "Content-Type": "application/json"} | head
        place = {"REMOTE_ADDR": how.pop("address", "192.0.2.7")}
        how = {"method": "POST", "base_url": OURS} | how
        return Client(self.app, use_cookies=False).open(
            path, data=body, headers=head, environ_base=place, **how
        )

    @property
    def moments(self) -> list[tuple[int, str, str]]:
        """What came to pass, through what."""
        moments = self.watched.table.history.moments
        return [(each.at, type(each.event).__name__, each.via) for each in moments]


def wish(do: str, key: str, version: int = 0, **fields: Any) -> bytes:
    return json.dumps({"event": {"event": do, **fields}, "version": version, "key": key}).encode()


def answered(answer: TestResponse) -> tuple[int, list[tuple[str, str]], bytes]:
    return answer.status_code, sorted(answer.headers), answer.data


class Asking:
    """Someone who asks two tables for the same, now rightly, now wrongly."""

    def __init__(self, twins: tuple[AskedTable, AskedTable], seed: int) -> None:
        self.twins, self.dice, self.count = twins, Random(seed), 0
        self.statuses = set[int]()

    def asks(self) -> None:
        """Ask both for one thing, and compare what they answer and what they keep."""
        self.count += 1
        ask = self.dice.choice([
            self.plays, self.plays, self.plays, self.repeats_a_key, self.is_refused, self.is_late,
            self.writes_nonsense, self.leaves_out_a_field, self.asks_for_another_seat,
            self.adds_a_query, self.comes_from_elsewhere, self.speaks_another_language,
            self.names_another_host, self.names_the_type_otherwise, self.posts_a_form,
            self.sends_a_replay, self.sends_no_signature, self.writes_too_much, self.reads,
            self.asks_at_an_odd_path, self.keeps_no_cookie, self.fills_the_disk,
        ])  # fmt: skip
        state = self.dice.getstate()
        found = []
        for twin in self.twins:
            self.dice.setstate(state)
            found.append([answered(each) for each in ask(twin)])
        assert found[0] == found[1], ask.__name__
        assert self.twins[0].moments == self.twins[1].moments, ask.__name__
        self.statuses |= {status for status, _, _ in found[0]}

    def body(self) -> bytes:
        return wish(self.dice.choice(["frozen", "thawed"]), f"k{self.count}")

    def plays(self, twin: AskedTable) -> list[TestResponse]:
        do = "thawed" if twin.watched.table.history.frozen else "frozen"
        return [twin.asks(wish(do, f"k{self.count}"))]

    def repeats_a_key(self, twin: AskedTable) -> list[TestResponse]:
        body = wish("frozen", f"k{self.dice.randrange(self.count)}")
        return [twin.asks(body), twin.asks(body)]

    def is_refused(self, twin: AskedTable) -> list[TestResponse]:
        return [twin.asks(wish("bank_chosen", f"k{self.count}", bank=3))]

    def is_late(self, twin: AskedTable) -> list[TestResponse]:
        return [twin.asks(wish("bank_chosen", f"k{self.count}", 10**6, bank=3))]

    def writes_nonsense(self, twin: AskedTable) -> list[TestResponse]:
        return [twin.asks(self.dice.choice([b"", b"{", b"\xff", b"[]", b"null", b"[" * 5000]))]

    def leaves_out_a_field(self, twin: AskedTable) -> list[TestResponse]:
        wrong = [b'{"event": {}, "version": 0}', b'{"event": 1, "version": 0, "key": "a"}',
                 wish("frozen", "no key!"), wish("no_such_event", "a"), wish("frozen", "a", -1),
                 wish("frozen", f"k{self.count}", seat=2)]  # fmt: skip
        return [twin.asks(self.dice.choice(wrong))]

    def asks_for_another_seat(self, twin: AskedTable) -> list[TestResponse]:
        path = f"/api/seats/{self.dice.choice([0, 2, 3, 9, 77])}/requests"
        return [twin.asks(self.body(), 1, path)]

    def adds_a_query(self, twin: AskedTable) -> list[TestResponse]:
        return [twin.asks(self.body(), path=PATH + "?a=1"), twin.asks(self.body(), path=PATH + "?")]

    def comes_from_elsewhere(self, twin: AskedTable) -> list[TestResponse]:
        origin = self.dice.choice(["http://elsewhere", "null", "https://localhost", f"{OURS}:80"])
        return [twin.asks(self.body(), head={"Origin": origin})]

    def speaks_another_language(self, twin: AskedTable) -> list[TestResponse]:
        cookie = twin.cookie("browser 1", **{LANGUAGE_KEY: self.dice.choice(["de", "fr"])})
        head = {"Cookie": cookie, "Accept-Language": "fr", "Accept": "text/html"}
        return [twin.asks(wish("bank_chosen", f"k{self.count}", bank=3), head=head)]

    def names_another_host(self, twin: AskedTable) -> list[TestResponse]:
        host = self.dice.choice(["elsewhere", "LOCALHOST", "localhost:80", "localhost:81"])
        origin = self.dice.choice([f"http://{host}", OURS])
        return [twin.asks(self.body(), head={"Host": host, "Origin": origin})]

    def names_the_type_otherwise(self, twin: AskedTable) -> list[TestResponse]:
        kinds = ["application/json; charset=utf-8", "text/plain", "", "application/xml"]
        return [twin.asks(self.body(), head={"Content-Type": self.dice.choice(kinds)})]

    def posts_a_form(self, twin: AskedTable) -> list[TestResponse]:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return [twin.asks(b"do=frozen&version=0&key=f%d" % self.count, head=kind)]

    def sends_a_replay(self, twin: AskedTable) -> list[TestResponse]:
        body, signer = self.body(), twin.signers[1]
        sent = {"Cookie": twin.cookie("browser 1"), SIGNATURE: signer.signs(PATH, body)}
        return [twin.sends(PATH, body, sent), twin.sends(PATH, body, sent)]

    def sends_no_signature(self, twin: AskedTable) -> list[TestResponse]:
        odd = self.dice.choice(["", "1.00", "9" * 400, "1." + "0" * 128])
        return [twin.sends(PATH, self.body(), {"Cookie": twin.cookie("browser 1"), SIGNATURE: odd})]

    def writes_too_much(self, twin: AskedTable) -> list[TestResponse]:
        return [twin.asks(self.body() + b" " * self.dice.choice([17, 16_300, 17_000]))]

    def reads(self, twin: AskedTable) -> list[TestResponse]:
        return [twin.sends(PATH, b"", {"Cookie": twin.cookie("browser 1")}, method="GET")]

    def asks_at_an_odd_path(self, twin: AskedTable) -> list[TestResponse]:
        paths = [PATH + "/", "/api/seats/01/requests", "/api/seats//requests",
                 "/api/seats/1/wishes", "/api/seats/-1/requests"]  # fmt: skip
        return [twin.asks(self.body(), path=self.dice.choice(paths))]

    def keeps_no_cookie(self, twin: AskedTable) -> list[TestResponse]:
        cookie = self.dice.choice(["", "companion=x", "companion=" + "x" * 3000, "other=1"])
        return [
            twin.asks(self.body(), head={"Cookie": cookie}),
            twin.asks(self.body(), head={"Cookie": twin.cookie("browser 9")}),
        ]

    def fills_the_disk(self, twin: AskedTable) -> list[TestResponse]:
        twin.identity.is_full = True
        twin.signers[1].counter += 1_100  # Beyond the ceiling, which cannot be raised now.
        answers = [twin.asks(self.body())]
        twin.identity.is_full = False
        return [*answers, self.plays(twin)[0]]


class BusyDemo(DemoLoop):
    """A recorded game that cannot make room for a person just now."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def note_visitor(self) -> None:
        raise self._error


def make_twins(folder: Path, limits: Limits = UNHURRIED) -> tuple[AskedTable, AskedTable]:
    return (
        AskedTable(folder, quickly=True, limits=limits),
        AskedTable(folder, quickly=False, limits=limits),
    )


def test_both_ways_answer_and_keep_the_same(tmp_path: Path) -> None:
    asking = Asking(make_twins(tmp_path), 7)
    for _ in range(STEPS):
        asking.asks()
    assert {204, 400, 403, 409, 413, 415} <= asking.statuses


def test_both_ways_are_too_quick_at_the_same_ask(tmp_path: Path) -> None:
    limits = Limits(writes=Rate(4, 0.01), writes_per_browser=Rate(3, 0.01))
    for limit in (limits, Limits(writes=Rate(3, 0.01))):
        (folder := tmp_path / str(limit.writes.burst)).mkdir()
        quick, plain = make_twins(folder, limit)
        for n in range(6):
            answers = [answered(each.asks(wish("frozen", f"k{n}"))) for each in (quick, plain)]
            assert answers[0] == answers[1]
            assert answers[0][0] == (429 if n >= 3 else 204 if n == 0 else answers[0][0])
        assert dict(answers[0][1])["Retry-After"]


@pytest.mark.parametrize("error", [TableBusy(), NotWritten("disk", "No disk.")])
def test_what_is_raised_is_worded_alike(tmp_path: Path, error: Exception) -> None:
    twins = make_twins(tmp_path)
    for twin in twins:
        context: AppContext = twin.app.extensions[CONTEXT_KEY]
        context.demo = BusyDemo(error)
    answers = [answered(twin.asks(wish("frozen", "k"))) for twin in twins]
    assert answers[0] == answers[1]
    assert answers[0][0] in (409, 503)


def test_a_granted_ask_never_enters_flask_again(tmp_path: Path) -> None:
    quick, _ = make_twins(tmp_path)
    entered = []
    assert isinstance(quick.app.wsgi_app, QuickAsks)
    behind = quick.app.wsgi_app.flask

    def enter(*request: Any) -> Any:
        entered.append(request)
        return behind(*request)

    quick.app.wsgi_app.flask = enter
    for n in range(6):
        do = "thawed" if n % 2 else "frozen"
        assert quick.asks(wish(do, f"k{n}")).status_code == 204
    assert len(entered) == 1
    assert len(quick.moments) == 7
