"""`companion hotspot on|off|status`: a network of the table's own, made by NetworkManager."""

import argparse

from companion.app.settings import read_port
from companion.cli.greeting import can_draw_code, draw_qr_code
from companion.cli.options import add_json_option, print_json
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, get_language
from companion.hotspot import network
from companion.hotspot.addresses import TABLE_ADDRESS
from companion.hotspot.network import Wifi

ON = N_("The hotspot is on. The Wi-Fi is called {name}, its password is {use}")
SCAN = N_("Scan this with the camera of a phone to join the Wi-Fi:")
THEN = N_("Then open {use} on that phone.")
OFF = N_("The hotspot is off.")
HIDES = N_("The hotspot is on. Only root may see its password: sudo companion hotspot status")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion hotspot`."""
    add = parser.add_argument
    add("act", choices=("on", "off", "status"), help="on creates a new password each time")
    add("--name", default=network.DEFAULT_NAME, metavar="NAME",
        help="the name of the Wi-Fi (default: %(default)s)")  # fmt: skip
    add("--radio", metavar="DEVICE",
        help="the Wi-Fi device to use, if this machine has several")  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Switch the hotspot or print its state; return the exit status."""
    words = get_language(options.lang)
    page = f"http://{TABLE_ADDRESS}:{read_port()}/"
    wifi = _switch_on(options) if options.act == "on" else None
    if options.act == "off":
        network.close_hotspot()
    is_on = network.is_on_the_air()
    wifi = wifi or network.read_wifi()
    if options.json:
        told = {"wifi": wifi.name if wifi else "", "address": page} if is_on else {}
        print_json({"state": "on" if is_on else "off", **told})
    elif not is_on:
        print(words.render(OFF, {}))
    else:
        print("\n".join(_describe_access(wifi, page, words)))
    return 0


def _switch_on(options: argparse.Namespace) -> Wifi:
    if network.is_on_the_air():
        raise Malformed("on", HIDES)
    wifi = Wifi(options.name, network.new_password())
    network.open_hotspot(wifi, options.radio, stays=True)
    return wifi


def _describe_access(wifi: Wifi | None, page: str, words: Language) -> list[str]:
    """Name, password and address, on a terminal also as a QR code; never to whom NetworkManager
    does not tell them."""
    if wifi is None:
        return [words.render(HIDES, {})]
    lines = [words.render(ON, {"name": wifi.name, "use": wifi.password})]
    if can_draw_code():
        lines += ["", words.render(SCAN, {}), draw_qr_code(wifi.qr_text)]
    return [*lines, words.render(THEN, {"use": page})]
