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
VENDOR = Path(web.__file__).with_name("static") / "vendor"


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
    for path in ("/phone/1", "/play/1", "/play/1?beside", "/table?beside", "/share?beside"):
        policy = ana.get(path).headers
        assert "frame-ancestors 'none'" in policy["Content-Security-Policy"], path
        assert policy["X-Frame-Options"] == "DENY"
        assert (FRAMING in policy["Content-Security-Policy"]) == path.startswith("/play")
    assert FRAMING not in ana.get("/phone/1?beside").headers["Content-Security-Policy"]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_code_or_style_between_its_lines(visit, page):
    text = visit(1).get(page).text
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", text) == []
    assert re.findall(r'(?:src|href|action)="(?!/)', text) == []


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


def test_tables_at_two_ports_take_no_seat_from_each_other(evening):
    names = []
    for port in (8000, 8001):
        app = create_app(AppContext(evening.host.table, machine=Machine(port=port)))
        names.append(app.test_client().get("/", base_url=OURS).headers["Set-Cookie"].split("=")[0])
    assert names == ["companion", "companion-8001"]
