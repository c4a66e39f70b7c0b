"""`companion play`: a whole evening in one process, at a simulated table, nothing to configure.

Law: one page starts everything and stops it in mirrored order. Ctrl-C, a polite SIGTERM or a closed
terminal ends it within a second, however many pages are open, and leaves nothing behind but the
folder that somebody named.
"""

import argparse
import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import web
from companion.app import addresses, startup
from companion.app.simulated.bot_driver import NAMES
from companion.app.simulated.simulated_table import YOURS, Company, Evening
from companion.app.single_instance import UNKNOWN_ADDRESS, InstanceLock, lock_path
from companion.app.startup import Opening
from companion.app.temp_data_dir import is_temporary, open_data_folder
from companion.app.wanted import begin
from companion.cli import options
from companion.cli.greeting import qr_code_lines
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, get_language
from companion.games import RULEBOOKS, make_rulebook
from companion.games.rulebook import Rulebook
from companion.host import demo
from hardware.wiring import DEFAULT

LAID = N_("The table is laid for {title}. The seat of {who} waits for you; bots play {others}.")
GOES_ON = N_("The power was gone for a moment; {title} goes on where it stopped.")
TAKEN = N_("Port {wanted} is taken; this is port {port}.")
SIT, PHONES, SCREEN = N_("Sit down here"), N_("Phones"), N_("Table screen")
ENDS = N_("Ctrl-C ends the evening.")
ALREADY = N_("A simulated table is running already: {use}")
BESIDE = N_("Ctrl-C in its terminal ends it; --data FOLDER plays at another one beside it.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `companion play`."""
    add = parser.add_argument
    options.add_game_options(parser, "0.0.0.0", next(iter(RULEBOOKS)))
    boxes = [make_rulebook(game).box for game in RULEBOOKS]
    ranges = ", ".join(f"{box.game} {box.players.least}–{box.players.most}" for box in boxes)
    add("--seats", type=int, metavar="N", help=f"players: {ranges} (default: one above the least)")
    add("--seed", type=int, metavar="N", help="shuffle alike every time")
    add("--data", type=Path, metavar="FOLDER",
        help="keep the evening in this folder, or go on with the one in it "
             "(default: forget it in the end)")  # fmt: skip
    add("--no-browser", action="store_true", help="open no browser")
    parser.set_defaults(sim=True, junior=False, players=None)


def run(chosen: argparse.Namespace) -> int:
    """Play until somebody stops it."""
    words = get_language(chosen.lang)
    kept = None if is_temporary(chosen) else chosen.data
    try:
        if kept is not None:
            startup.make(kept)
        with InstanceLock(lock_path(kept)) as sign:
            # Whose plug was pulled goes on, whoever was quicker to hang a sign meanwhile.
            if sign.other_address is not None and not chosen.plugged:
                return _point_at(sign.other_address, chosen, words)
            with open_data_folder(chosen) as folder:
                return startup.open_on(chosen, folder, partial(_play, sign))
    except Malformed as error:
        return startup.fail(chosen, words(error.say))


def _point_at(there: str, chosen: argparse.Namespace, words: Language) -> int:
    """Say where the table is that runs already."""
    print(words.render(ALREADY, {"use": there}), words.render(BESIDE, {}), sep="\n", flush=True)
    if there != UNKNOWN_ADDRESS and _has_eyes(chosen):
        webbrowser.open(there)
    return 0


async def _play(sign: InstanceLock, at: Opening) -> int:
    chosen, rules = at.chosen, at.rules()
    chosen.players = _players(rules, chosen.seats)
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
    company = Company(chosen.players, seed, 0 if chosen.demo else YOURS)

    evening = at.simulated(rules, company, at.pin(), DEFAULT)

    def greet(here: web.AppContext, port: int) -> None:
        sign.write_address(_page("play", chosen.address, port))
        for line in _greeting(at, evening, here.addresses()):
            print(line, flush=True)
        evening.pin.ensure_pin()
        print(at.words.render(ENDS, {}), flush=True)
        if _has_eyes(chosen) and not chosen.plugged:
            page = _page("table" if chosen.demo else "play", chosen.address, port)
            # Some browsers let whoever starts them wait, and the table has a game to run.
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

    try:
        refused = None if chosen.demo else begin(evening, chosen)
        if refused is not None:
            return startup.fail(chosen, at.words(refused.say))
        return await at.serve(evening, greet)
    finally:
        evening.close()


def _players(rules: Rulebook, seats: int | None) -> Sequence[str]:
    """So many as are asked for, if the box has pieces for them."""
    least, most = rules.box.players.least, rules.box.players.most
    n = least + 1 if seats is None else seats
    if not least <= n <= most:
        text = N_("{title} is for {least} to {most} players, not {n}.")
        raise Malformed("--seats", text, title=rules.box.title, least=least, most=most, n=n)
    return NAMES[:n]


def _page(page: str, address: str, port: int) -> str:
    """Where whoever sits in front of this machine finds a page."""
    near = address in addresses.ANYWHERE or not addresses.is_for_phones(address)
    return f"http://{'localhost' if near else address}:{port}/{page}"


def _greeting(at: Opening, evening: Evening, found: Sequence[str]) -> list[str]:
    """What there is, and where."""

    def _(text: str, /, **facts: object) -> str:
        return at.words.render(text, facts)

    chosen, title, names = at.chosen, evening.table.rules.box.title, evening.wish.players
    if chosen.plugged:
        laid = _(GOES_ON, title=title)
    elif chosen.demo:
        laid = _(demo.PLAYS)
    else:
        laid = _(LAID, title=title, who=list(names[:YOURS]), others=list(names[YOURS:]))
    pages = {SIT: "play", SCREEN: "table"}
    ways = [(_(name), _page(page, chosen.address, at.port)) for name, page in pages.items()]
    scan = list[str]()
    if addresses.is_for_phones(chosen.address):
        ways += [(_(PHONES) if n == 0 else "", address) for n, address in enumerate(found)]
        scan = qr_code_lines(found[0], at.words)
    wide = max(len(name) for name, _address in ways)
    return [
        *([_(TAKEN, wanted=chosen.port, port=at.port)] if at.port != chosen.port else []),
        laid,
        "",
        *(f"  {name:<{wide}}  {address}" for name, address in ways),
        *scan,
        "",
    ]


def _has_eyes(chosen: argparse.Namespace) -> bool:
    """Whether somebody sits in front of this machine, to whom a browser may show the first page.

    Without a screen some systems would open one in the terminal.
    """
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    there = sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or bool(screen))
    return there and not chosen.no_browser
