"""Attacks on the writes of a seat by a device that has a copy of its cookie; what one signature is
worth is tested for every operation (api/test_operations.py)."""

from typing import Any

from msgspec.structs import replace
from werkzeug.test import Client, TestResponse

from tests.worlds.signer import REGISTER, Signer, browser_of, new_cookie, signer_of
from tests.worlds.visitor import OURS, UNHURRIED, Visitor
from web.app import create_app
from web.browsers import WRITE as COST
from web.context import AppContext
from web.security import OPEN_ENDPOINTS
from web.security import SIGNATURE as HEADER

WRITE = "/api/seats/1/requests"
TURNS = (b"frozen", b"thawed")
WISH = b'{"event": {"event": "ended"}, "version": 0, "key": "x"}'


class TruePhone:
    """The phone at seat 1."""

    def __init__(self, app: Any) -> None:
        self.app, self._plays = app, 0
        visitor = Visitor(app)
        visitor.sits(1)
        self.cookie = f"companion={visitor.client.get_cookie('companion').value}"
        self.signer = signer_of(app, browser_of(app, self.cookie))

    def plays(self) -> TestResponse:
        """Call the judge, or send the judge away: the game is one version on."""
        body = b'{"event": {"event": "%s"}, "version": 0, "key": "true-%d"}' % (
            TURNS[self._plays % 2],
            self._plays,
        )
        self._plays += 1
        head = {"Cookie": self.cookie, HEADER: self.signer.signs(WRITE, body)}
        return sends(self.app, WRITE, body, head)


def sends(app: Any, path: str, body: bytes, head: dict[str, str], **how: Any) -> TestResponse:
    """Send these very bytes from another device, with these headers."""
    head = {"Origin": OURS, "Content-Type": "application/json", **head}
    place = {"REMOTE_ADDR": how.pop("address", "192.0.2.7")}
    how = {"method": "POST"} | how
    return Client(app, use_cookies=False).open(
        path, base_url=OURS, data=body, headers=head, environ_base=place, **how
    )


def test_a_flood_with_a_copied_cookie_costs_the_true_phone_no_share_of_its_rate(evening, seats):
    slow = replace(UNHURRIED, tokens=6 * COST, per_second=0.0001)
    context = AppContext(evening.host.table, seats, evening)
    phone = TruePhone(create_app(context, limits=slow))
    own = Signer(start=phone.signer.start)
    for signature in ("", *(own.signs(WRITE, WISH) for _ in range(30))) * 2:
        stolen = {"Cookie": phone.cookie, HEADER: signature}
        assert sends(phone.app, WRITE, WISH, stolen).status_code in (403, 429)
    assert [phone.plays().status_code for _ in range(7)] == [204] * 6 + [429]


def test_a_flood_of_reads_with_a_copied_cookie_costs_the_true_phone_none_either(evening, seats):
    """Once it has signed something; it may change its address, and signs again there."""
    slow = replace(UNHURRIED, tokens=40, per_second=0.0001)
    context = AppContext(evening.host.table, seats, evening)
    phone = TruePhone(create_app(context, limits=slow))

    def reads(address: str) -> list[int]:
        cookie, how = {"Cookie": phone.cookie}, {"method": "GET", "address": address}
        return [sends(phone.app, "/api/seats/1", b"", cookie, **how).status_code for _ in range(40)]

    assert phone.plays().status_code == 204
    assert reads("192.0.2.66") == [200] * 40
    assert reads("192.0.2.66") == [429] * 40
    assert reads("192.0.2.7")[:30] == [200] * 30
    browser = browser_of(phone.app, phone.cookie)
    known, stranger = f"browser {browser}", "192.0.2.66"
    assert context.browsers.find_client(browser, "192.0.2.8").key == "192.0.2.8"
    context.browsers.note_signed(browser, "192.0.2.8")
    keys = [context.browsers.find_client(browser, f"192.0.2.{n}").key for n in (7, 8, 66)]
    assert keys == [known, known, stranger]


def test_a_thief_who_registers_a_key_becomes_a_stranger(app, seats):
    phone = TruePhone(app)
    own = Signer(start=phone.signer.start)
    body = own.registration()
    head = {"Cookie": phone.cookie, HEADER: own.signs(REGISTER, body)}
    answer = sends(app, REGISTER, body, head)
    assert answer.status_code == 204
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    assert browser_of(app, cookie) != browser_of(app, phone.cookie)
    assert seats.seats_of(browser_of(app, cookie)) == ()
    wish = b'{"event": {"event": "frozen"}, "version": 0, "key": "k"}'
    refused = sends(app, WRITE, wish, {"Cookie": cookie, HEADER: own.signs(WRITE, wish)})
    assert refused.json["code"] == "not_your_seat"
    assert phone.plays().status_code == 204


def test_every_write_is_signed_but_for_the_calculations_of_the_judge(app):
    """Deny by default: what posts is looked up in the app itself."""
    writes = {
        rule.endpoint: rule
        for rule in app.url_map.iter_rules()
        if (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
    }
    without = set(OPEN_ENDPOINTS)
    assert without < writes.keys()
    head = {"Cookie": f"companion={new_cookie(app)}"}
    for endpoint, rule in writes.items():
        path = rule.build(dict.fromkeys(rule.arguments, 1))[1]
        refused = sends(app, path, b'{"key": "k", "public_key": "%s"}' % (b"0" * 64), head)
        if endpoint in without:
            assert refused.status_code == 400, endpoint
        else:
            assert (refused.status_code, refused.json["code"]) == (403, "unsigned"), endpoint
