"""That was not so: what happened instead is tapped on the phone."""

import html
import json
import re

import pytest

from companion.core.table_events import Corrected
from companion.table.activity_log import SHOWN_ENTRIES


@pytest.fixture
def ana(visit):
    """Ana turned a tile and chose a bank to rob."""
    ana = visit(1)
    ana.asks("tile_turned", tile="rob")
    ana.asks("bank_chosen", bank=3)
    return ana


def offered(page):
    return [html.unescape(way) for way in re.findall(r'name="choice" value="([^"]*)"', page)]


def test_the_log_leads_to_what_may_have_happened_instead(ana, evening):
    assert f'href="/phone/1/correct/{evening.host.table.version}"' in ana.get("/phone").text
    page = ana.reads(f"/phone/1/correct/{evening.host.table.version}")
    for text in ("What happened instead?", "Ana robs bank 3.", "Bank 1", "Bank 5"):
        assert text in page
    assert "Bank 3 Bank" not in page


def test_a_choice_and_a_reason_make_a_correction(ana, evening):
    at = evening.host.table.version
    (first, *_) = offered(ana.get(f"/phone/1/correct/{at}").text)
    answer = ana.asks("corrected", **json.loads(first), reason="it was the next one")
    assert answer.status_code == 204
    assert evening.host.table.state.figure == 1
    last = evening.host.table.history.moments[-1]
    instead = {"event": "bank_chosen", "seat": 1, "bank": 1}
    assert (last.via, last.event) == ("phone 1", Corrected(at, instead, "it was the next one"))


def test_a_moment_that_leaves_no_choice_says_so(ana, evening):
    ana.asks("sealed", seal="a" * 64)
    at = evening.host.table.version
    assert "Nothing else can have been seen then." in ana.reads(f"/phone/1/correct/{at}")
    assert "There is no such moment in this game." in ana.reads("/phone/1/correct/99")


def test_a_moment_long_ago_is_refused_in_a_heading(ana, evening):
    at = evening.host.table.version
    for _ in range(SHOWN_ENTRIES):
        ana.asks("frozen")
        ana.asks("thawed")
    assert evening.host.table.version >= at + SHOWN_ENTRIES
    page = ana.get("/phone/1/correct/1").text
    assert "<h1>The judge looks back in front of everyone" in page


def test_only_whoever_holds_the_seat_comes_to_its_corrections(visit, ana, evening):
    led = visit(2).client.get(
        f"/phone/1/correct/{evening.host.table.version}", base_url="http://localhost"
    )
    assert led.location == "/phone/elsewhere"
