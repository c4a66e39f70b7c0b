"""Attacks on the writes of a seat: what is not signed by its browser changes nothing.

Law: between two attacks the true phone plays on, and each of its writes is granted at once.
"""

from random import Random
from typing import Any

from msgspec.structs import replace
from werkzeug.test import Client, TestResponse

from tests.worlds.campaign import pick
from tests.worlds.signer import REGISTER, Signer, browser_of, new_cookie, signer_of
from tests.worlds.visitor import OURS, UNHURRIED, Visitor
from web.app import create_app
from web.browsers import WRITE as COST
from web.context import AppContext
from web.security import OPEN_ENDPOINTS
from web.security import SIGNATURE as HEADER

ROUNDS = pick(20, 200, 200)
WRITE = "/api/seats/1/requests"
TURNS = ("frozen", "thawed")


class TruePhone:
    """The phone at seat 1, whose every write can be heard on the way."""

    def __init__(self, app: Any) -> None:
        self.app, self.sent, self.told = app, [], []
        visitor = Visitor(app)
        visitor.sits(1)
        cookie = visitor.client.get_cookie("companion")
        self.cookie = f"companion={cookie.value}"
        self.signer = signer_of(app, browser_of(app, self.cookie))

    def plays(self) -> TestResponse:
        """Call the judge, or send the judge away: the game is one version on."""
        number = len(self.sent)
        body = b'{"event": {"event": "%s"}, "version": 0, "key": "true-%d"}' % (
            TURNS[number % 2].encode(),
            number,
        )
        return self.says(WRITE, body)

    def says(self, path: str, body: bytes, more: dict[str, str] | None = None) -> TestResponse:
        """Send this, signed."""
        head = {"Cookie": self.cookie, HEADER: self.signer.signs(path, body)} | (more or {})
        self.sent.append((path, body, head))
        answer = sends(self.app, path, body, head)
        self.told.append((answer.status_code, path))
        return answer


def sends(app: Any, path: str, body: bytes, head: dict[str, str], **how: Any) -> TestResponse:
    """Send these very bytes from another device, with these headers."""
    head = {"Origin": OURS, "Content-Type": "application/json", **head}
    place = {"REMOTE_ADDR": how.pop("address", "192.0.2.7")}
    how = {"method": "POST"} | how
    return Client(app, use_cookies=False).open(
        path, base_url=OURS, data=body, headers=head, environ_base=place, **how
    )


class Thief:
    """Another device that hears everything, and has the cookie of the true phone."""

    def __init__(self, phone: TruePhone, seed: int) -> None:
        self.phone, self.dice = phone, Random(seed)
        self.own = Signer(start=phone.signer.start)

    def attacks(self) -> tuple[str, TestResponse]:
        """One of all attacks."""
        attack = self.dice.choice([
            self.copies_the_cookie, self.signs_with_a_key_of_its_own, self.replays,
            self.replays_something_old, self.changes_what_was_signed, self.writes_without_cookie,
            self.sends_an_odd_signature, self.posts_a_form,
        ])  # fmt: skip
        return attack.__name__, attack()

    def wish(self) -> bytes:
        return b'{"event": {"event": "ended"}, "version": 0, "key": "x%d"}' % self.dice.getrandbits(
            32
        )

    def copies_the_cookie(self) -> TestResponse:
        return self.sends(self.wish(), {})

    def signs_with_a_key_of_its_own(self) -> TestResponse:
        wish = self.wish()
        return self.sends(wish, {HEADER: self.own.signs(WRITE, wish)})

    def replays(self) -> TestResponse:
        return sends(self.phone.app, *self.phone.sent[-1])

    def replays_something_old(self) -> TestResponse:
        return sends(self.phone.app, *self.dice.choice(self.phone.sent))

    def changes_what_was_signed(self) -> TestResponse:
        path, body, head = self.phone.sent[-1]
        start, _, value = head[HEADER].split(".")
        other = f"{start}.{self.dice.getrandbits(128):032x}.{value}"
        return self.dice.choice([
            lambda: sends(self.phone.app, path, self.wish(), head),
            lambda: sends(self.phone.app, f"{path}?a=1", body, head),
            lambda: sends(self.phone.app, "/api/seats/1/requests/", body, head),
            lambda: sends(self.phone.app, "/api/join/seats/1/freed", b'{"key": "a"}', head),
            lambda: sends(self.phone.app, path, body, head | {HEADER: other}),
            lambda: sends(self.phone.app, path, body + b" ", head | {HEADER: other}),
        ])()  # fmt: skip

    def writes_without_cookie(self) -> TestResponse:
        path, body, head = self.phone.sent[-1]
        return sends(self.phone.app, path, body, {HEADER: head[HEADER]})

    def sends_an_odd_signature(self) -> TestResponse:
        start = self.phone.signer.start
        odd = self.dice.choice(["", f"{start}.{'0' * 32}.{'0' * 128}", "x", "9" * 400, "1.é"])
        return self.sends(self.wish(), {HEADER: odd.encode().decode("latin-1")})

    def posts_a_form(self) -> TestResponse:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.sends(b"do=ended&version=0&page=phone/1", kind)

    def sends(self, body: bytes, head: dict[str, str]) -> TestResponse:
        return sends(self.phone.app, WRITE, body, {"Cookie": self.phone.cookie} | head)


def test_whatever_a_copied_cookie_tries_the_true_phone_plays_on(app, evening, seats):
    phone = TruePhone(app)
    assert phone.plays().status_code == 204
    thief, seen = Thief(phone, 1), set()
    for _ in range(ROUNDS):
        before = (evening.host.table.version, seats.seats_of(browser_of(app, phone.cookie)))
        attack, answer = thief.attacks()
        seen.add(attack)
        assert answer.status_code in (403, 404), (attack, answer.text)
        assert "Set-Cookie" not in answer.headers, attack
        assert before == (evening.host.table.version, (1,)), attack
        assert phone.plays().status_code == 204, attack
        assert evening.host.table.version == before[0] + 1
    assert len(seen) == 8


def test_a_flood_with_a_copied_cookie_costs_the_true_phone_no_share_of_its_rate(evening, seats):
    slow = replace(UNHURRIED, tokens=6 * COST, per_second=0.0001)
    context = AppContext(evening.host.table, seats, evening)
    phone = TruePhone(create_app(context, limits=slow))
    thief = Thief(phone, 2)
    told = [thief.copies_the_cookie().status_code for _ in range(30)]
    told += [thief.signs_with_a_key_of_its_own().status_code for _ in range(30)]
    assert {*told} == {403, 429}
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


def test_a_signature_in_the_query_signs_no_write(app):
    phone, path = TruePhone(app), "/api/join/language?a=1"
    body = b'{"language": "de", "key": "k"}'
    address = f"{path}&signature={phone.signer.signs(path, body)}"
    assert sends(app, address, body, {"Cookie": phone.cookie}).json["code"] == "unsigned"


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
