"""Attacks on the writes of a floor by a guest who hears everything: what its browser did not sign
changes nothing, and the true browser goes on after each attack."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from urllib.parse import urlsplit

import pytest

from companion.floor.table_state import TableState
from tests.worlds.campaign import pick
from tests.worlds.floor_browser import FloorBrowser, seal_pin
from tests.worlds.heard_wire import HeardWire
from tests.worlds.served_floor import ServedFloor
from tests.worlds.signer import REGISTER, Signer
from web.floor.server import FloorHandler
from web.floor.stream import MOST_VIEWERS
from web.rate_limits import DEFAULT_LIMITS

A = "aaaaaaaaaaaa"
PLAYING = TableState(name="Table 7", game="Box", phase="seal", players=3)
PHONE, THIEF = {"X-Forwarded-For": "192.0.2.7"}, {"X-Forwarded-For": "192.0.2.66"}
"""Both are elsewhere: a request that was passed on never counts as one from this machine."""
WRITE = f"/table/{A}"
ROUNDS = pick(12, 100, 100)


@pytest.fixture
def floor() -> Iterator[ServedFloor]:
    served = ServedFloor()
    served.tell(A, PLAYING)
    yield served
    served.close()


@pytest.fixture
def wire(floor: ServedFloor) -> Iterator[HeardWire]:
    """What passes here between the phone of staff and the floor is heard."""
    heard = HeardWire()
    heard.port = int(urlsplit(floor.address).port or 0)
    yield heard
    heard.close()


def sign_in(floor: ServedFloor, address: str = "") -> FloorBrowser:
    """The phone of staff, by the PIN."""
    phone = FloorBrowser(address or floor.address, **PHONE)
    assert phone.enter(floor.pin.renew_pin())[0] == 303
    return phone


def answer_call(floor: ServedFloor, phone: FloorBrowser) -> None:
    before = len(floor.answered)
    assert phone.post("/answer", f"table={A}&number={before}")[0] == 204
    assert len(floor.answered) == before + 1


def code_of(answer: bytes) -> tuple[int, str]:
    """Status and code of a raw answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    said = json.loads(body) if body.startswith(b"{") else {}
    return int(head.split()[1]), said.get("code", "")


class Guest:
    """A guest on the Wi-Fi with the cookie of a phone, and everything that it has sent."""

    def __init__(self, floor: ServedFloor, phone: FloorBrowser, wire: HeardWire) -> None:
        self.phone, self.wire, self.own = phone, wire, FloorBrowser(floor.address, **THIEF)
        self.own.register()

    def attack(self, dice: Random) -> str:
        """Try one of all attacks; return its name, having seen it refused."""
        attacks: list[Callable[[], None]] = [
            self.send_the_cookie_alone, self.sign_with_another_key, self.replay,
            self.replay_something_old, self.change_the_body, self.change_the_address,
            self.change_the_counter, self.send_an_odd_signature, self.write_as_itself,
        ]  # fmt: skip
        chosen = dice.choice(attacks)
        chosen()
        return chosen.__name__

    def refuse(self, head: dict[str, str], body: bytes = b"act=power-off") -> str:
        """Send this with the cookie of the phone; return the code of the refusal."""
        copied = {**THIEF, "Origin": self.own.address, "Accept": "application/problem+json"}
        copied |= {"Cookie": self.phone.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        status, said, answered = self.own.send("POST", WRITE, body, copied | head)
        assert status == 403
        assert "Set-Cookie" not in answered
        return str(json.loads(said)["code"])

    def send_the_cookie_alone(self) -> None:
        assert self.refuse({}) == "unsigned"

    def sign_with_another_key(self) -> None:
        assert self.refuse(self.own.signer.head(WRITE, b"act=power-off")) == "bad_signature"

    def send_an_odd_signature(self) -> None:
        for odd in ("", "0." + "0" * 128, "x", "9" * 400):
            assert self.refuse({"Companion-Signature": odd}) == "unsigned"
        assert self.refuse({"Companion-Signature": "1." + "0" * 128}) == "bad_signature"

    def write_as_itself(self) -> None:
        assert self.own.post(WRITE, "act=power-off")[0] == 401

    def replay(self) -> None:
        assert code_of(self.wire.send_again(self.wire.requests[-1])) == (403, "counter_used")

    def replay_something_old(self) -> None:
        for heard in self.wire.requests:
            assert code_of(self.wire.send_again(heard)) == (403, "counter_used")

    def change_the_body(self) -> None:
        head, _, body = self.wire.requests[-1].partition(b"\r\n\r\n")
        longer = re.sub(rb"(?i)content-length: \d+", b"Content-Length: %d" % (len(body) + 2), head)
        for forged in (head + b"\r\n\r\n" + body[::-1], longer + b"\r\n\r\n" + body + b"&a"):
            assert code_of(self.wire.send_again(forged)) == (403, "bad_signature")

    def change_the_address(self) -> None:
        first, _, rest = self.wire.requests[-1].partition(b"\r\n")
        for other in (WRITE.encode(), b"/forget", first.split()[1] + b"?a=1"):
            forged = b"POST " + other + b" HTTP/1.1\r\n" + rest
            assert code_of(self.wire.send_again(forged)) == (403, "bad_signature")

    def change_the_counter(self) -> None:
        heard = self.wire.requests[-1]
        forged = re.sub(rb"(Companion-Signature: )\d+", rb"\g<1>999999", heard)
        assert code_of(self.wire.send_again(forged)) == (403, "bad_signature")


def test_a_guest_who_hears_everything_writes_nothing(floor: ServedFloor, wire: HeardWire) -> None:
    floor.pair_table(A, "Table 7")
    phone = sign_in(floor, wire.address)
    guest, dice, seen = Guest(floor, phone, wire), Random(21), set()
    answer_call(floor, phone)
    for _ in range(ROUNDS):
        before = (list(floor.answered), A in floor.tiles)
        seen.add(guest.attack(dice))
        assert before == (floor.answered, A in floor.tiles)
        answer_call(floor, phone)
    assert len(seen) >= min(ROUNDS // 2, 9)


def test_the_pin_is_not_heard_and_what_was_heard_lets_no_one_in(
    floor: ServedFloor, wire: HeardWire
) -> None:
    digits, phone = floor.pin.renew_pin(), FloorBrowser(wire.address, **PHONE)
    assert phone.enter(digits)[0] == 303
    heard = next(sent for sent in wire.requests if sent.startswith(b"POST /enter"))
    assert digits.encode() not in heard
    assert code_of(wire.send_again(heard)) == (403, "counter_used")
    sealed = heard.partition(b"\r\n\r\n")[2]
    guest = FloorBrowser(wire.address, **THIEF)
    assert guest.post("/enter", sealed)[0] == 401, "sealed for the key of another browser"
    public, mine = phone.read("/enter")[1], guest.signer.public_key.hex()
    assert guest.post("/enter", f"sealed={seal_pin(digits, public, mine)}")[0] == 303


def test_after_a_restart_no_replay_counts_and_the_phone_goes_on(
    floor: ServedFloor, wire: HeardWire
) -> None:
    phone = sign_in(floor, wire.address)
    for _ in range(3):
        answer_call(floor, phone)
        floor.restart()
        floor.tell(A, PLAYING)
        for heard in wire.requests:
            assert code_of(wire.send_again(heard)) == (403, "counter_used")
        answer_call(floor, phone)


def test_a_key_that_comes_with_a_copied_cookie_is_another_browser(floor: ServedFloor) -> None:
    phone, own = sign_in(floor), Signer()
    body = own.registration()
    head = {**THIEF, "Origin": floor.address, "Cookie": phone.cookie, **own.head(REGISTER, body)}
    status, _, answered = phone.send("POST", REGISTER, body, head)
    assert status == 200
    cookie = answered["Set-Cookie"].partition(";")[0]
    assert cookie != phone.cookie
    refused = {**head, "Cookie": cookie, **own.head("/forget", b"table=" + A.encode())}
    assert phone.send("POST", "/forget", b"table=" + A.encode(), refused)[0] == 401
    answer_call(floor, phone)


def test_the_machine_of_the_floor_signs_too(floor: ServedFloor) -> None:
    for path in ("/forget", "/pin", "/all", "/pair"):
        answer = floor.browser.send("POST", path, b"a=1", {"Origin": floor.address})
        assert answer[:2] == (403, "What this browser sends is not signed. Allow scripts for this"
                              " page, and load it again.")  # fmt: skip
    assert floor.pin.generation == ""


def test_every_write_is_signed_but_for_those_that_change_nothing(floor: ServedFloor) -> None:
    """Deny by default: the handlers are looked up in the floor itself."""
    handlers = floor.list_handlers()
    writes = {path for path, handler in handlers if handler.post is not FloorHandler.post}
    assert {"/answer", "/forget", "/move", "/all", "/release", "/enter", "/pin"} < writes
    assert {path for path, handler in handlers if handler.is_open} == {
        "/language", "/api/browser/key"
    }  # fmt: skip


def test_a_file_with_another_body_than_was_signed_is_not_kept(floor: ServedFloor) -> None:
    phone = sign_in(floor)
    head = phone.signed_head("/release", b"what was signed")
    for body in (b"what came..signed", b"what was signe"):
        assert phone.send("POST", "/release", body, head)[0] == 403
        head = phone.signed_head("/release", b"what was signed")
    assert not floor.release.is_there()
    assert list(floor.release.path.parent.glob("*.update*")) == []
    copied = {**THIEF, "Cookie": phone.cookie, "Origin": floor.address}
    assert phone.send("POST", "/release", b"x" * 100_000, copied)[0] == 403
    assert phone.post("/release", b"what was signed")[0] == 303
    assert floor.release.path.read_bytes() == b"what was signed"


@pytest.mark.wide
def test_a_flood_of_strangers_costs_staff_nothing() -> None:
    floor = ServedFloor(limits=DEFAULT_LIMITS)
    floor.tell(A, PLAYING)
    phone, refused = sign_in(floor), set[int]()
    copied = {**THIEF, "Cookie": phone.cookie, "Origin": floor.address}
    for _ in range(80):
        refused.add(phone.send("POST", "/forget", b"table=x", copied)[0])
    for _ in range(40):
        own = Signer()
        body = own.registration()
        head = {**THIEF, "Origin": floor.address, **own.head(REGISTER, body)}
        status, _, answered = phone.send("POST", REGISTER, body, head)
        refused.add(status)
        assert ("Retry-After" in answered) == (status == 429)
    assert refused == {200, 403, 429}
    for _ in range(30):
        answer_call(floor, phone)
    floor.close()


def test_nothing_is_kept_of_a_visitor_who_only_reads(floor: ServedFloor) -> None:
    before = (floor.folder / "identity.sqlite3").read_bytes()
    stranger = FloorBrowser(floor.address, **THIEF)
    assert "PIN of the floor" in stranger.read("/", Cookie="floor=made-up")[1]
    assert (floor.folder / "identity.sqlite3").read_bytes() == before
    with socket.create_connection(("127.0.0.1", urlsplit(floor.address).port or 0)):
        assert stranger.read("/stream")[0] == 401


@pytest.mark.wide
def test_streams_of_a_copied_cookie_take_no_place_of_staff(floor: ServedFloor) -> None:
    phone = sign_in(floor)
    place = urlsplit(floor.address)
    asked = f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {phone.cookie}\r\n\r\n".encode()

    def watch(source: str) -> socket.socket:
        line = socket.create_connection((str(place.hostname), place.port or 0), 30, (source, 0))
        line.sendall(asked)
        assert b"event: all" in line.recv(65_536)
        return line

    with ExitStack() as lines:
        guest = [lines.enter_context(watch("127.0.0.3")) for _ in range(MOST_VIEWERS - 1)]
        staff = [lines.enter_context(watch("127.0.0.2")) for _ in range(2)]
        more = [lines.enter_context(watch("127.0.0.3")) for _ in range(3)]
        floor.call(floor.tiles.forget_table, A)
        for line in (*staff, *more, guest[-1]):
            assert read_until(line, b"event: gone")
        assert not read_until(guest[0], b"event: gone")


def read_until(line: socket.socket, text: bytes) -> bool:
    """Read a stream up to this text; False if it ends before."""
    heard = b""
    while text not in heard:
        chunk = line.recv(65_536)
        heard += chunk
        if not chunk or heard.endswith(b"0\r\n\r\n"):
            return False
    return True
