"""`companion play`: a whole evening in one process, at a simulated table, nothing to configure.

Law: one page starts everything and stops it in mirrored order. Ctrl-C, or a polite SIGTERM, ends
it within a second, however many pages are open.
"""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import time
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import web
from companion.cli import addresses, language_argument
from companion.cli.evening import NAMES, YOURS, Company, Evening
from companion.cli.greeting import ALSO, code, say_pin
from companion.cli.room import Room
from companion.cli.serving import answering, calling, hush, listening, serve
from companion.cli.sitters import PACES, paced
from companion.cli.wanted import house_rules
from companion.errors import Malformed
from companion.games import rulebook
from companion.journal import Journal
from companion.pin import Pin
from companion.systemd import Service
from companion.texts import N_, Language, language
from companion.wish import Wish
from hardware.errors import NotConnected
from web.seats import Seats
from web.server import Server
from web.words import offered

GAME = "bankueberfall"
ENDS = N_("Ctrl-C ends the evening.")
LOCAL = "http://localhost:{port}/"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `companion play`."""
    add = parser.add_argument
    add("--seats", type=int, choices=range(2, 6), default=3, help="players (default: 3)")
    add("--port", type=port, default=8000, help="this or the next free one (default: 8000)")
    add("--house-rule", action="append", default=[], metavar="NAME=ANSWER",
        help="play by this house rule (companion rules bankueberfall lists them)")  # fmt: skip
    add("--seed", type=int, help="shuffle alike every time")
    add("--pace", choices=PACES, default="human", help="how fast bots play (default: human)")
    add("--journal", type=Path, metavar="FILE", help="keep the journal in this file")
    add("--no-browser", action="store_true", help="open no browser")
    address_argument(parser)
    language_argument(parser)


def address_argument(parser: argparse.ArgumentParser) -> None:
    """Who finds the pages; `companion run` asks for it too."""
    parser.add_argument(
        "--address",
        default="127.0.0.1",
        help="where pages are served; 0.0.0.0 for every phone (default: 127.0.0.1, this machine)",
    )


def port(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 65_536):
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def run(chosen: argparse.Namespace) -> int:
    """Play until somebody stops it."""
    hush()
    with tempfile.TemporaryDirectory(prefix="companion-") as aside:
        path = chosen.journal or Path(aside) / "journal.sqlite3"
        try:
            with closing(Journal(path)) as journal:
                return asyncio.run(_play(chosen, journal))
        except (NotConnected, Malformed) as error:
            return _fail(language(chosen.lang)(error.say))


def _fail(sentence: str) -> int:
    print(f"companion play: {sentence}", file=sys.stderr)
    return 2


async def _play(chosen: argparse.Namespace, journal: Journal) -> int:
    spoken = language(chosen.lang if chosen.lang in offered() else "en")
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
    players = NAMES[: chosen.seats]
    pin = Pin(tell=lambda digits: say_pin(digits, spoken))
    company, seats = Company(players, seed), Seats(open_house=True)
    evening = Evening(rulebook(GAME), journal, Room(), company, seats, pin)
    try:
        refused = evening.begin(Wish(GAME, tuple(players), house_rules(chosen)))
        if refused is not None:
            return _fail(language(chosen.lang)(refused.say))
        return await _serve(chosen, evening, spoken)
    finally:
        evening.close()


async def _serve(chosen: argparse.Namespace, evening: Evening, spoken: Language) -> int:
    sockets = listening(chosen.port, chosen.address)
    evening.pace = chosen.pace
    evening.call = calling(asyncio.get_running_loop())
    here = web.Room(evening.table, evening.seats, evening, evening, chosen.lang)
    app = web.create_app(here)
    turn = answering(app.config, chosen.address, paced(evening))

    def greet(port: int) -> None:
        here.addresses = lambda: addresses.to_type(chosen.address, port)
        _greet(chosen, port, here, spoken)
        evening.pin.set_up()
        print("", spoken.render(ENDS, {}), sep="\n", flush=True)
        _open_browser(chosen, port)

    return await serve(lambda: Server(app, sockets), turn, Service(time.monotonic), greet)


def _greet(chosen: argparse.Namespace, port: int, here: web.Room, spoken: Language) -> None:
    """Say in the terminal what there is, and where."""
    found = here.addresses() if addresses.for_phones(chosen.address) else [LOCAL.format(port=port)]
    for line in _greeting(chosen, port, found, spoken):
        print(line, flush=True)


def _open_browser(chosen: argparse.Namespace, port: int) -> None:
    """Open the first page by itself, for whoever sits in front of this machine."""
    if not chosen.no_browser and sys.stdout.isatty() and _has_screen():
        webbrowser.open(LOCAL.format(port=port))


def _greeting(
    chosen: argparse.Namespace, port: int, found: Sequence[str], spoken: Language
) -> list[str]:
    def _(text: str, /, **facts: object) -> str:
        return spoken.render(text, facts)

    names, here = NAMES[: chosen.seats], found[0]
    lines = []
    if spoken.code != chosen.lang:
        lines.append(_("There are no texts in that language yet; this is English."))
    if port != chosen.port:
        lines.append(
            _("Port {wanted} is taken; this is port {port}.", wanted=chosen.port, port=port)
        )
    others = names[: YOURS - 1] + names[YOURS:]
    by_name = [_(ALSO, use=address) for address in found[1:]]
    scan = code(here, spoken) if addresses.for_phones(chosen.address) else []
    return [
        *lines,
        _("The table is laid. {who} waits for you; bots play {others}.",
          who=[names[YOURS - 1]], others=others),
        "",
        f"  {_('Sit down here')}    {here}",
        f"  {_('Table screen')}     {here}table",
        *by_name,
        *scan,
        "",
    ]  # fmt: skip


def _has_screen() -> bool:
    """Whether a browser would have a screen; without one some systems open one in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
