"""A phone becomes the host's in a real browser: by the code of the table, or by a held button."""

from playwright.sync_api import expect

from companion.core.sensor_events import ButtonHeldOn
from companion.host.host import Host
from tests.browser.conftest import PHONE, SCREEN
from tests.worlds.served import Workshop
from tests.worlds.visitor import PlacedMachine


def hold_button(host: Host, seat: int) -> str:
    """Hold the button of a seat; return the word of the code that the screen shows."""
    host.run_on_loop(lambda: host.filter_evidence([ButtonHeldOn(3.0, seat)]))
    shown = host.host_pass.shown_pass()
    assert shown is not None
    return shown.word


def test_the_code_appears_makes_one_phone_the_hosts_and_is_gone(company, open_browser):
    table = company("bankueberfall")
    table.room.machine = PlacedMachine("http://192.168.1.20:8000/")
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    code = screen.locator("#host-pass svg.qr")
    expect(code).to_have_count(0)
    word = hold_button(table.evening.host, 2)
    expect(code).to_be_visible()
    phone, asked = open_browser(PHONE).new_page(), []
    phone.on("request", lambda request: asked.append(f"{request.url} {request.post_data}"))
    phone.goto(f"{table.address}/host/enter#{word}")
    expect(phone).to_have_url(f"{table.address}/host/enter")
    phone.get_by_role("button", name="Become the host").click()
    phone.wait_for_url("**/host")
    expect(code).to_have_count(0)
    assert not any(word in each.partition("#")[0] for each in asked), "it went over no wire"


def test_a_phone_that_asks_follows_when_a_button_is_held(put_up, open_browser):
    table, phone = put_up(Workshop), open_browser(PHONE).new_page()
    phone.goto(f"{table.address}/host")
    phone.get_by_role("button", name="Ask with this phone").click()
    expect(phone.get_by_text("Now hold any seat's button")).to_be_visible()
    hold_button(table.host, 3)
    phone.wait_for_url("**/host")
