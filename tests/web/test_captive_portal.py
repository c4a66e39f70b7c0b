"""What a phone hears in the table's own network when it looks for the internet."""

import pytest

from companion.hotspot.addresses import TABLE_ADDRESS
from web.captive_portal import PROBE_REPLIES
from web.context import CONTEXT_KEY

PAGE = f"http://{TABLE_ADDRESS}:8000/no-internet"


@pytest.fixture
def hotspot(app):
    """The Pi has an address in a network of its own."""
    app.extensions[CONTEXT_KEY].machine.hosts.append(TABLE_ADDRESS)
    return app.test_client()


def test_a_phone_that_looks_for_the_internet_is_led_to_a_page(hotspot):
    for name, path in PROBE_REPLIES:
        answer = hotspot.get(path, base_url=f"http://{name}")
        assert (answer.status_code, answer.headers["Location"]) == (302, PAGE)
        assert "Set-Cookie" not in answer.headers
    page = hotspot.get("/no-internet", base_url=f"http://{TABLE_ADDRESS}").text
    assert "Stay in this Wi-Fi" in page


def test_once_it_is_to_stay_it_hears_what_it_hopes_for(hotspot):
    there = hotspot.get(
        "/no-internet/stay", base_url=f"http://{TABLE_ADDRESS}", follow_redirects=True
    )
    assert f'<p class="now">http://{TABLE_ADDRESS}:8000/</p>' in there.text
    for (name, path), text in PROBE_REPLIES.items():
        answer = hotspot.get(path, base_url=f"http://{name}")
        assert (answer.text, answer.status_code) == (text, 200 if text else 204)
        other = {"REMOTE_ADDR": "10.71.0.77"}
        assert hotspot.get(path, base_url=f"http://{name}", environ_base=other).status_code == 302


def test_nothing_else_is_answered_under_a_foreign_name(hotspot):
    for name, path, method in (
        ("captive.apple.com", "/table", "GET"),
        ("captive.apple.com", "/", "POST"),
        ("rebound.example", "/generate_204", "GET"),
        ("connectivitycheck.gstatic.com", "/hotspot-detect.html", "GET"),
        ("connectivitycheck.gstatic.com:81", "/generate_204", "GET"),
    ):
        answer = hotspot.open(path, method=method, base_url=f"http://{name}")
        assert (answer.status_code, answer.text) == (400, "The table did not understand that.")
