"""Who may ask from where, and what a browser may do with our pages."""

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

import web
from companion.hotspot.machine import Machine
from tests.worlds.visitor import OURS
from web.app import create_app
from web.context import AppContext

PAGES = ("/", "/phone", "/table", "/play", "/nowhere")
WRITES = (
    "/api/join/seats/2",
    "/api/join/language",
    "/api/seats/1/requests",
    *(f"/api/play/1/{act}" for act in ("lift", "put", "turn", "press", "deal", "faults", "bots")),
    *(f"/api/play/1/{act}" for act in ("seats", "take", "give")),
    "/api/demo/games",
)
VENDOR = Path(web.__file__).with_name("static") / "vendor"


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://localhost:9"])
def test_a_write_from_elsewhere_changes_nothing(visit, seats, evening, origin):
    ana, before = visit(1), evening.host.table.version
    for path in WRITES:
        assert visit().post(path, origin, do="tile_turned").status_code == 403
        assert ana.post(path, origin, do="tile_turned").status_code == 403
        assert ana.tells(path, {"key": "k-1"}, origin).json["code"] == "http_403"
    assert (seats.taken_seats(), evening.host.table.version) == ({1}, before)


def test_an_address_that_is_not_ours_is_not_answered(visit):
    for path in PAGES:
        answer = visit().client.get(path, base_url="http://rebound.example")
        assert answer.status_code == 400
        assert answer.text == "The table did not understand that."


def test_a_rebound_address_cannot_vouch_for_itself(visit, seats):
    evil = "http://rebound.example"
    visit().client.post("/seats/1", base_url=evil, headers={"Origin": evil})
    assert not seats.taken_seats()


@pytest.mark.parametrize("page", PAGES)
def test_every_page_forbids_what_it_does_not_need(visit, page):
    answer = visit(1).get(page)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


FRAMING = "frame-src 'self'"


def test_a_phone_stands_in_a_frame_beside_its_own_table_and_nowhere_else(visit):
    ana = visit(1)
    policy = ana.get("/phone/1?beside").headers
    assert "frame-ancestors 'self'" in policy["Content-Security-Policy"]
    assert policy["X-Frame-Options"] == "SAMEORIGIN"
    for path in (
        "/phone/1",
        "/play/1",
        "/play/1?beside",
        "/table?beside",
        "/?beside",
        "/share?beside",
    ):
        policy = ana.get(path).headers
        assert "frame-ancestors 'none'" in policy["Content-Security-Policy"], path
        assert policy["X-Frame-Options"] == "DENY"
        assert (FRAMING in policy["Content-Security-Policy"]) == path.startswith("/play")
    assert FRAMING not in ana.get("/phone/1?beside").headers["Content-Security-Policy"]


def test_links_lead_out_of_the_frame(visit):
    ana = visit(1)
    assert '<base target="_top">' in ana.get("/phone/1?beside").text
    assert "<base" not in ana.get("/phone/1").text


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_code_or_style_between_its_lines(visit, page):
    text = visit(1).get(page).text
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", text) == []
    assert re.findall(r'(?:src|href|action)="(?!/)', text) == []


def test_too_much_is_refused(visit):
    answer = visit(1).asks("tile_turned", tile="x" * 20_000)
    assert answer.status_code == 413
    assert "That is more than the table takes at once." in answer.text


def test_a_fault_of_ours_is_one_sentence(visit, evening, app, monkeypatch):
    def fail(*_args, **_more):
        raise RuntimeError("the secret of seat 2")

    ana = visit(1)
    monkeypatch.setattr(evening.host.table, "view", fail)
    answer = ana.get("/table")
    assert answer.status_code == 500
    assert "The game is safe in the journal." in answer.text
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_vendored_files_are_the_ones_that_were_published():
    manifest = tomllib.loads((VENDOR / "manifest.toml").read_text("utf-8"))
    for name, library in manifest.items():
        found = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (VENDOR / name).iterdir()
        }
        assert found == library["files"]
        assert "LICENSE" in found
    assert {path.name for path in VENDOR.iterdir() if path.is_dir()} == set(manifest)


def test_the_cookie_is_for_this_table_alone_and_comes_once(visit):
    first = visit().client.get("/", base_url="http://localhost")
    ana = visit(1)
    again = [ana.get(path).headers.getlist("Set-Cookie") for path in ("/", "/table")]
    (cookie,) = first.headers.getlist("Set-Cookie")
    for flag in ("HttpOnly", "Path=/", "SameSite=Lax"):
        assert flag in cookie.split("; ")
    assert "Domain" not in cookie
    assert again == [[], []]


def test_tables_at_two_ports_take_no_seat_from_each_other(evening):
    names = []
    for port in (8000, 8001):
        app = create_app(AppContext(evening.host.table, machine=Machine(port=port)))
        names.append(app.test_client().get("/", base_url=OURS).headers["Set-Cookie"].split("=")[0])
    assert names == ["companion", "companion-8001"]
