"""What a real browser writes is signed by its own key, which never leaves it; and sealed as the
table seals."""

import re

from playwright.sync_api import expect

from companion.core.commitment import make_seal
from tests.browser.conftest import FILES, sit

MAIN = f"**{FILES}/js/main.mjs"
KEY = """() => JSON.parse(localStorage.getItem("companion key"))"""
SIGNED = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{32}\.[0-9a-f]{128}")
WRITE = """async (n) => {
  const { sendSigned } = await import("/static/js/signing.mjs");
  const body = JSON.stringify({ language: "en", key: `tab-${n}` });
  const headers = { "Content-Type": "application/json" };
  return (await sendSigned("/api/join/language", body, headers)).status;
}""".replace("/static", FILES)
SEAL = """async ([game, round, seat, value]) => {
  const { randomHex, seal } = await import("/static/js/seal.mjs");
  const secret = randomHex();
  return [secret, seal(game, round, seat, value, secret)];
}""".replace("/static", FILES)


def test_what_a_page_sends_is_signed_and_the_key_stays_at_home(company, open_browser):
    table = company("robby_solo")
    page, sent = open_browser().new_page(), []
    page.on("request", lambda request: sent.append((request.url, request.all_headers(), request)))
    page.goto(table.address)
    page.locator("li", has_text="Ana").get_by_role("button").click()
    page.wait_for_url("**/phone/1")
    secret = page.evaluate(KEY)["secret"]
    writes = [(url, head) for url, head, request in sent if request.method == "POST"]
    assert [url.removeprefix(table.address) for url, _ in writes] == [
        "/api/browser/key",
        "/api/browser/key",  # Only now the table has told its start number.
        "/api/join/seats/1",
    ]
    assert all(SIGNED.fullmatch(head["companion-signature"]) for _, head in writes)
    assert not any(secret in f"{url}{head}{request.post_data}" for url, head, request in sent)


def test_a_phone_whose_cookie_is_gone_gets_its_seat_back_by_its_key(company, open_browser):
    table = company("robby_solo")
    ana = sit(open_browser(), table.address, "Ana")
    ana.context.clear_cookies()
    ana.goto(table.address)
    assert ana.evaluate(WRITE, 1) == 204
    ana.goto(f"{table.address}/phone/1")
    expect(ana.locator(".me")).to_contain_text("Ana")


def first_tap(context, address, scripts):
    """Open the first page, whose scripts are delayed, and tap a seat before they run."""
    page = context.new_page()
    page.route(MAIN, lambda route: scripts.extend([route]), times=1)
    with page.expect_request(MAIN):
        page.goto(address, wait_until="commit")
    page.locator("li", has_text="Ana").get_by_role("button").click()
    expect(page).to_have_url(f"{address}/")
    return page


def test_what_is_tapped_before_the_scripts_run_is_signed_and_sent_then(company, open_browser):
    table, scripts = company("robby_solo"), []
    page = first_tap(open_browser(), table.address, scripts)
    assert table.room.seats.taken_seats() == set()
    scripts.pop().continue_()
    page.wait_for_url("**/phone/1")


def test_a_seal_made_in_the_browser_is_the_seal_of_the_table(hall, open_browser):
    page = open_browser().new_page()
    page.goto(hall().address)
    for game, round, seat, value in (
        ("g1", 3, 2, 12),
        ("a|b", 1, 1, 0),
        ("é", 20, 6, "yellow"),
        ("g", 1, 4, {"red": 2, "blue": 1, "green": 0}),
    ):
        nonce, sealed = page.evaluate(SEAL, [game, round, seat, value])
        assert re.fullmatch("[0-9a-f]{32}", nonce)
        assert sealed == make_seal(game, round, seat, value, nonce)
