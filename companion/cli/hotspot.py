"""`companion hotspot on|off|status`: a network of the table's own, made by NetworkManager."""

import argparse
from pathlib import Path

from companion.app.settings import CONFIG, read_port
from companion.app.welcome import can_draw_code, draw_qr_code
from companion.cli.language import fill_help
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.core.i18n import N_, Language, get_language
from companion.hotspot import plan, switch
from companion.hotspot.plan import CONNECTION, DEFAULT_NAME
from companion.hotspot.switch import ROOT
from companion.hotspot.wifi import Wifi
from web.captive_portal import PROBE_HOSTS

ON = N_("The hotspot is on. The Wi-Fi is called {name}, its password is {use}")
SCAN = N_("Scan this with the camera of a phone to join the Wi-Fi:")
THEN = N_("Then open {use} on that phone.")
OFF = N_("The hotspot is off.")
NOT_HEARD = N_("The hotspot is set up, but not on the air: sudo nmcli connection up {name}")
HIDES = N_("The hotspot is on. Only root may see its password: sudo companion hotspot status")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion hotspot`."""
    add = parser.add_argument
    add("act", choices=("on", "off", "status"), help="on creates a new password each time")
    add("--name", default=DEFAULT_NAME, metavar="NAME",
        help="the name of the Wi-Fi (default: %(default)s)")  # fmt: skip
    add("--radio", metavar="DEVICE",
        help="the Wi-Fi device to use, if this machine has several")  # fmt: skip
    fill_help(add("--config", type=Path, metavar="FILE",
        help="the config with the port (default: %(usual)s, if it exists)"),
        usual=CONFIG)  # fmt: skip
    add_json_option(parser)
    add("--dry-run", action="store_true", help="print every step and change nothing")


def run(options: argparse.Namespace, root: Path = ROOT) -> int:
    """Switch the hotspot or print its state; return the exit status."""
    words = get_language(options.lang)
    commands = {"on": _switch_on, "off": _switch_off, "status": _show_status}
    if options.act != "status" and not options.dry_run:
        switch.require_can_switch(options.act, root)
    with waiting(words):
        lines = [] if _asks_facts(options) else commands[options.act](options, root, words)
    if not options.json:
        print("\n".join(lines))
    elif options.dry_run and options.act != "status":
        print_json({"steps": lines})
    else:
        _print_status(options, root)
    return 0


def _asks_facts(options: argparse.Namespace) -> bool:
    return bool(options.act == "status" and options.json)


def _switch_on(options: argparse.Namespace, root: Path, words: Language) -> list[str]:
    port = read_port(options.config, root)
    wifi, steps = switch.plan_on(
        options.name, options.radio, port, PROBE_HOSTS, dry_run=options.dry_run
    )
    if options.dry_run:
        return [line for step in steps for line in plan.describe_step(step)]
    switch.switch_on(steps, root)
    return _describe_access(wifi, port, words)


def _switch_off(options: argparse.Namespace, root: Path, words: Language) -> list[str]:
    if options.dry_run:
        return [line for step in plan.steps_off() for line in plan.describe_step(step)]
    switch.switch_off(root)
    return [words.render(OFF, {})]


def _show_status(options: argparse.Namespace, root: Path, words: Language) -> list[str]:
    port, (state, wifi) = read_port(options.config, root), switch.read_status(root)
    if state == "off":
        return [words.render(OFF, {})]
    if state == "not on the air":
        return [words.render(NOT_HEARD, {"name": CONNECTION})]
    return [words.render(HIDES, {})] if wifi is None else _describe_access(wifi, port, words)


def _print_status(options: argparse.Namespace, root: Path) -> None:
    """Print the state, and where phones find the table; never the password."""
    state, wifi = switch.read_status(root)
    address = plan.page_address(read_port(options.config, root)) if state == "on" else ""
    print_json({"state": state, "wifi": wifi.name if wifi else "", "address": address})


def _describe_access(wifi: Wifi, port: int, words: Language) -> list[str]:
    """Name, password and address, on a terminal also as a QR code."""
    lines = [words.render(ON, {"name": wifi.name, "use": wifi.password})]
    if can_draw_code():
        lines += ["", words.render(SCAN, {}), draw_qr_code(wifi.qr_text)]
    return [*lines, words.render(THEN, {"use": plan.page_address(port)})]
