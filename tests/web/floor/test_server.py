"""The page of a floor: who may see it, what it sends, and what it refuses."""

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from companion.app.floor import table_line
from companion.floor.table_state import CalledStaff, TableState
from companion.floor.tiles import RoomSpot
from tests.worlds.floor_browser import FloorBrowser
from tests.worlds.mosquitto import until
from tests.worlds.served_floor import ServedFloor

A = "aaaaaaaaaaaa"
PLAYING = TableState(name="Table <7>", game="Box", phase="seal", players=3, waiting=(2,))


@pytest.fixture
def floor() -> Iterator[ServedFloor]:
    served = ServedFloor()
    yield served
    served.close()


def ask(
    floor: ServedFloor, method: str, path: str, body: str = "", **head: str
) -> tuple[int, str, http.client.HTTPMessage]:
    """Ask as the browser on the machine of the floor does, or one elsewhere; what is written is
    signed, and said as to scripts."""
    browser = floor.browser
    return browser.post(path, body, **head) if method == "POST" else browser.read(path, **head)


def test_a_tile_is_drawn_from_what_its_table_said_and_escaped(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    status, page, head = ask(floor, "GET", "/")
    assert (status, "Table &lt;7&gt;" in page, "Table <7>" in page) == (200, True, False)
    assert "default-src 'none'" in head["Content-Security-Policy"]
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(files) >= 3
    assert {ask(floor, "GET", file)[0] for file in files} == {200}


def test_every_language_is_spoken(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    said = {"en": "Game under way", "fr": "Partie en cours", "de": "Spiel läuft"}
    for language, words in said.items():
        assert words in ask(floor, "GET", "/", **{"Accept-Language": f"{language}-XX,x;q=0.1"})[1]
    head = ask(floor, "POST", "/language", "language=de")[2]
    assert "de" in head["Set-Cookie"]


def test_a_stream_begins_with_all_tiles_and_goes_on_with_each_change(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    line = http.client.HTTPConnection(floor.address.removeprefix("http://"), timeout=30)
    line.request("GET", "/stream")
    stream = line.getresponse()

    def next_event() -> tuple[str, object]:
        name, data = stream.readline().decode(), stream.readline().decode()
        stream.readline()
        if "beat" in name:
            return next_event()
        return name.split()[1], msgspec.json.decode(data.removeprefix("data: "))

    name, tiles = next_event()
    assert (name, [tile["table"] for tile in tiles]) == ("all", [A])  # type: ignore[attr-defined]
    floor.tell(A, msgspec.structs.replace(PLAYING, call=CalledStaff(3, 2, 0)))
    name, tile = next_event()
    assert name == "tile"
    assert "Staff, please" in tile["html"]  # type: ignore[index]
    floor.call(floor.tiles.forget_table, A)
    assert next_event() == ("gone", A)
    line.close()


def test_a_call_is_answered_and_a_table_forgotten(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    assert ask(floor, "POST", "/answer", f"table={A}&number=1")[0] == 204
    assert floor.answered == [(A, 1)]
    floor.takes_answers = False
    assert ask(floor, "POST", "/answer", f"table={A}&number=1")[0] == 502
    assert ask(floor, "POST", "/forget", f"table={A}")[0] == 204
    assert A not in floor.tiles
    assert ask(floor, "POST", "/answer", f"table={A}&number=1")[0] == 404


def test_what_is_refused_is_said_in_the_language_of_the_reader(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    french = {"Accept-Language": "fr"}
    status, said, _ = ask(floor, "POST", "/forget", "table=bbbbbbbbbbbb", Origin="x", **french)
    sentence = "Cela n’a pas été envoyé par la page de la salle."
    assert (status, json.loads(said)["title"]) == (403, sentence)
    status, said, head = ask(floor, "GET", "/table/bbbbbbbbbbbb", **french)
    assert (status, said[:8], head["Content-Type"][:10]) == (404, "La salle", "text/plain")
    floor.disk_fails = True
    status, said, _ = ask(floor, "POST", "/forget", f"table={A}")
    assert (status, "disk" in said, A in floor.tiles) == (503, True, True)
    assert ask(floor, "POST", "/answer", f"table={A}")[0] == 400


def test_a_table_is_moved_in_the_plan_and_stays_there(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    assert ask(floor, "POST", "/move", f"table={A}&x=0.25&y=1")[0] == 204
    assert 'data-x="0.25" data-y="1.0"' in ask(floor, "GET", "/")[1]
    for body in (f"table={A}&x=1.1&y=0", f"table={A}&x=nan&y=0", f"table={A}&x=a&y=0"):
        assert ask(floor, "POST", "/move", body)[0] == 400
    assert ask(floor, "POST", "/move", "table=x&x=0&y=0")[0] == 404
    floor.disk_fails = True
    assert ask(floor, "POST", "/move", f"table={A}&x=0&y=0")[0] == 503
    assert floor.tiles.spots[A] == RoomSpot(0.25, 1.0)
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    assert ask(floor, "POST", "/move", f"table={A}&x=0&y=0", **elsewhere)[0] == 401


def test_other_pages_and_other_names_are_refused(floor: ServedFloor) -> None:
    floor.tell(A, PLAYING)
    for origin in ("http://evil.example", ""):
        assert ask(floor, "POST", "/forget", f"table={A}", Origin=origin)[0] == 403
    assert ask(floor, "GET", "/", Host="evil.example")[0] == 400
    assert A in floor.tiles


def test_another_machine_needs_the_pin(floor: ServedFloor) -> None:
    """A request that a proxy passed on counts as one from elsewhere."""
    floor.tell(A, PLAYING)
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    status, page, _ = ask(floor, "GET", "/", **elsewhere)
    assert (status, "PIN of the floor" in page, "Table" in page) == (200, True, False)
    for method, path in (("GET", "/stream"), ("POST", "/answer"), ("POST", "/forget")):
        body = f"table={A}" if method == "POST" else ""
        assert ask(floor, method, path, body, **elsewhere)[0] == 401
    digits, phone = floor.pin.renew_pin(), FloorBrowser(floor.address, **elsewhere)
    status, said, _ = phone.enter("000000" if digits != "000000" else "111111")
    assert (status, json.loads(said)["title"]) == (401, "That is not the PIN of the floor.")
    status, _, head = phone.enter(digits)
    assert (status, head["Location"]) == (303, "/")
    assert "Table &lt;7&gt;" in phone.read("/")[1]
    assert phone.post("/answer", f"table={A}&number=1")[0] == 204


def test_a_new_pin_is_made_here_alone_and_signs_out_every_phone(floor: ServedFloor) -> None:
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    for method in ("GET", "POST"):
        status, said, _ = ask(floor, method, "/pin", **elsewhere)
        assert (status, "on the machine of the floor" in said) == (403, True)
    assert "/pin" not in ask(floor, "GET", "/", **elsewhere)[1]
    assert 'href="/pin"' in ask(floor, "GET", "/")[1]
    assert floor.pin.generation == ""
    assert "Make a new PIN" in ask(floor, "GET", "/pin")[1]
    assert floor.pin.generation == ""
    status, page, _ = ask(floor, "POST", "/pin", **{"Accept-Language": "de"})
    (digits,) = re.findall(r"\b[0-9]{6}\b", page)
    assert "nur jetzt" in page
    phone = FloorBrowser(floor.address, **elsewhere)
    assert phone.enter(digits)[0] == 303
    floor.tell(A, PLAYING)
    assert "Table &lt;7&gt;" in phone.read("/")[1]
    assert 'href="/pin"' not in phone.read("/")[1]

    line = http.client.HTTPConnection(floor.address.removeprefix("http://"), timeout=30)
    line.request("GET", "/stream", headers={"Cookie": phone.cookie, **elsewhere})
    stream = line.getresponse()
    assert stream.readline() == b"event: all\n"
    assert digits not in ask(floor, "POST", "/pin")[1]
    floor.tell(A, msgspec.structs.replace(PLAYING, waiting=()))
    rest = stream.read()
    line.close()
    assert rest.count(b"event:") == rest.count(b"event: beat")
    assert phone.read("/stream")[0] == 401
    assert phone.post("/answer", f"table={A}&number=1")[0] == 401
    assert "PIN of the floor" in phone.read("/")[1]


def test_a_release_is_taken_from_staff_alone_and_not_during_a_round(
    floor: ServedFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_line, "TIMEOUT", 60.0)
    release = b"signed by its maker" * 100_000
    elsewhere = {"Origin": "http://elsewhere.example"}
    assert send_release(floor, release, **elsewhere) == 403
    assert not floor.release.is_there()
    assert send_release(floor, b"") == 503
    assert send_release(floor, release) == 303
    assert floor.release.path.read_bytes() == release
    silent = socket.create_server(("127.0.0.1", 0))
    floor.pair_table(A, "Table 7", f"http://127.0.0.1:{silent.getsockname()[1]}")
    assert "has a release (2 MiB)" in ask(floor, "GET", "/all")[1]
    assert send_release(floor, b"another") == 303
    assert floor.release.path.read_bytes() == b"another"
    assert [path.name for path in floor.release.path.parent.glob("*.update*")] == ["release.update"]
    assert ask(floor, "POST", "/release/drop")[0] == 303
    assert not floor.release.is_there()
    assert ask(floor, "POST", "/all", "kind=update")[0] == 303
    assert send_release(floor, release) == 409, "that table is waited for"
    assert ask(floor, "POST", "/release/drop")[0] == 409
    silent.close()
    until(lambda: ask(floor, "GET", "/all/state")[1] == "fa", "the end of the round")


def send_release(floor: ServedFloor, body: bytes, **head: str) -> int:
    kind = {"Content-Type": "application/octet-stream"}
    return floor.browser.post("/release", body, **kind, **head)[0]


def test_a_viewer_that_takes_nothing_is_dropped_and_one_that_reads_is_not() -> None:
    """Both the floor and the kernel keep little of what it leaves lying."""
    floor = ServedFloor(taken_within=0.5, send_buffer=4096)
    host, _, port = floor.address.removeprefix("http://").partition(":")
    with closing(floor), socket.socket() as deaf, socket.socket() as reader:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for viewer in (deaf, reader):
            viewer.connect((host, int(port)))
            viewer.sendall(f"GET /stream HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        until(lambda: floor.count_viewers() == 2, "both viewers")
        reading = threading.Thread(target=lambda: all(iter(lambda: reader.recv(65_536), b"")))
        reading.start()
        for n in range(100):
            floor.tell(f"{n:012x}", PLAYING)
        until(lambda: floor.count_viewers() < 2, "that one is dropped")
        assert floor.count_viewers() == 1
        assert reading.is_alive()
        reader.shutdown(socket.SHUT_RDWR)
        reading.join()


def test_a_pairing_is_removed_at_the_floor(floor: ServedFloor) -> None:
    floor.pair_table(A, "Table 7")
    assert "Remove the pairing" in ask(floor, "GET", f"/table/{A}")[1]
    status, _, head = ask(floor, "POST", f"/table/{A}", "act=unpair")
    assert (status, head["Location"]) == (303, "/all")
    assert ask(floor, "GET", f"/table/{A}")[0] == 404
