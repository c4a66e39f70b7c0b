"""An evening at a real companion that comes to a sudden end again and again.

The players are browsers of their own, which sign what they ask for over HTTP; what they are granted
is written down before anything else. Law: after each start all that was granted is there exactly
once, nothing is there that nobody asked for, and the game goes on.
"""

import http.client
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random, randrange
from typing import Any

from companion.core.commitment import make_seal
from companion.games import make_rulebook
from companion.host.settings import load_choices
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.table.history import build_history, event_union
from tests.worlds.campaign import pick
from tests.worlds.ports import free_port
from tests.worlds.program_browser import Browser

PLAYERS = ("Ana", "Ben", "Cleo")
DEAD = (OSError, http.client.HTTPException)
"""What a browser hears of a companion that is no longer there."""
GRANTED, TOO_MANY = 204, 429
ENDLESS = 1_000_000
"""More moves than are ever granted."""
LINES = "SELECT key, id, event FROM line ORDER BY n"
SEATS = "SELECT seat, public_key FROM seat JOIN browser ON browser = browser.id"
HOSTS = "SELECT public_key FROM host JOIN browser ON browser = browser.id"
Fields = dict[str, Any]


class Evening:
    """One game after another in one folder."""

    def __init__(self, folder: Path, game: str) -> None:
        self.seed = f"{game} {pick(1, 1, randrange(1_000_000))}"
        self.folder, self.game, self.random = folder, game, Random(self.seed)
        folder.mkdir(mode=0o700)
        self._address = f"http://127.0.0.1:{free_port()}"
        self._host, self._is_calm = Browser(self._address), {False}
        self._holders: dict[int, list[Browser]] = {}
        """Who may hold a seat: two browsers, if it is not known who does."""
        self.granted: list[str] = []
        """The keys of the moves that were granted."""
        self._unknown: dict[str, tuple[int, Fields]] = {}
        """Moves that were not answered, with their seats, by their keys."""
        self._lines: list[tuple[Any, ...]] = []
        """The journal when it was last looked at."""
        self._hands: dict[str, tuple[Any, str]] = {}
        self.process: subprocess.Popen[str]

    # What must be there.

    def start(self, start: Callable[..., "subprocess.Popen[str]"]) -> None:
        """Start a companion, and check that it knows everything; if it dies meanwhile, so be it."""
        words = ["run", "--profile", "phones-only", "--data", str(self.folder)]
        words += ["--port", self._address.rpartition(":")[2], "--log-level", "error"]
        if not self._holders:
            words += [self.game, "--players", ",".join(PLAYERS)]
        self.process = start(*words)
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise ConnectionResetError
        if not self._holders:
            self._come_in()
        self._lines = self._check_files(self.folder)
        self._check_pages()

    def close(self) -> None:
        """Kill the companion wherever it is."""
        with self.process:
            self.process.kill()

    def check_copy(self, folder: Path) -> None:
        """Open these files as a start does, check them, and fold every game."""
        rules = make_rulebook(self.game)
        with (
            closing(Journal(folder / "journal.sqlite3")) as journal,
            closing(IdentityStore(folder / "identity.sqlite3")),
        ):
            self._check_files(folder)
            for game in journal.list_games():
                lines, events = journal.read_lines(game.id), event_union(rules)
                build_history(
                    rules, [(each.decode_event(events), each.via, each.at) for each in lines]
                )

    def _check_files(self, folder: Path) -> list[tuple[Any, ...]]:
        """Check the files of a folder that a start has opened; return the lines of its journal."""
        lines = _read(folder / "journal.sqlite3", LINES)
        keys = Counter(_key_of(line) for line in lines if _key_of(line))
        lost = [key for key in self.granted if not keys[key]]
        assert not lost, f"{self.seed}: lost of {len(self.granted)}: {lost}"
        assert set(keys.values()) <= {1}, f"{self.seed}: doubled: {keys.most_common(3)}"
        unasked = set(keys) - {*self.granted, *self._unknown}
        assert not unasked, f"{self.seed}: nobody was granted {unasked}"
        assert lines[: len(self._lines)] == self._lines, f"{self.seed}: the lines are others"
        sitting = dict(_read(folder / "identity.sqlite3", SEATS))
        for seat, holders in self._holders.items():
            known = [holder.public_key for holder in holders]
            assert sitting.get(seat) in known, f"{self.seed}: nobody holds seat {seat}"
        hosts = _read(folder / "identity.sqlite3", HOSTS)
        assert (self._host.public_key,) in hosts, f"{self.seed}: the host is signed out"
        assert load_choices(folder).calm in self._is_calm, f"{self.seed}: a setting is lost"
        return lines

    def _check_pages(self) -> None:
        """Check the pages, and send unanswered requests again."""
        for seat, holders in self._holders.items():
            self._holders[seat] = [each for each in holders if each.read(f"/api/seats/{seat}")]
            assert len(self._holders[seat]) == 1, f"{self.seed}: seat {seat} is held twice"
        self._host.get("/table")
        self._is_calm &= {'data-calm="table"' in self._host.said}
        assert self._is_calm, f"{self.seed}: another setting than in the file"
        written = {*map(_key_of, self._lines)}
        for key, (seat, asked) in list(self._unknown.items()):
            status = self._ask(seat, key, asked)
            assert status == GRANTED or key not in written, f"{self.seed}: {key} is unknown"

    # What people do.

    def _come_in(self) -> None:
        """Have the host sign in and everybody sit down."""
        assert self._host.becomes_host(self.folder) == GRANTED
        for seat in range(1, len(PLAYERS) + 1):
            self._holders[seat] = [Browser(self._address)]
            assert self._holders[seat][0].post(f"/api/join/seats/{seat}") == GRANTED

    def play(self, moves: int) -> None:
        """Play until so many more moves are granted."""
        enough = len(self.granted) + moves
        while len(self.granted) < enough:
            self._act()

    def _act(self) -> None:
        """Have somebody do one thing."""
        what = self.random.random()
        if what < 0.05:
            self._hand_over(self.random.choice(list(self._holders)))
        elif what < 0.2:
            self._set_calm(self.random.random() < 0.5)
        else:
            self._move()

    def _move(self) -> None:
        public = self._host.read("/api/table")["public"]
        if public["phase"] == "over":
            assert self._host.post("/api/host/games/again") in (GRANTED, TOO_MANY)
            return
        seat = self.random.choice(public["waiting"])
        view = self._holders[seat][0].read(f"/api/seats/{seat}")
        if view["may"]:
            event = self._fill(view, self.random.choice(view["may"]))
            key = f"{self.random.getrandbits(64):016x}"
            self._ask(seat, key, {"event": event, "version": view["at"]})

    def _ask(self, seat: int, key: str, asked: Fields) -> int:
        """Ask for a move; it is unknown until it is answered."""
        self._unknown[key] = seat, asked
        status = self._holders[seat][0].post(f"/api/seats/{seat}/requests", key=key, **asked)
        del self._unknown[key]
        if status == GRANTED:
            self.granted.append(key)
        elif status == TOO_MANY:
            time.sleep(0.2)
        return status

    def _hand_over(self, seat: int) -> None:
        """Have a newcomer take a seat that its holder has offered."""
        (before,) = self._holders[seat]
        newcomer = Browser(self._address)
        if before.post(f"/api/join/seats/{seat}/handover", to="newcomer") == GRANTED:
            self._holders[seat] = [before, newcomer]
            status = newcomer.post(f"/api/join/seats/{seat}")
            self._holders[seat] = [newcomer if status == GRANTED else before]

    def _set_calm(self, calm: bool) -> None:
        self._is_calm.add(calm)
        if self._host.post("/api/host/calm", calm=calm) == GRANTED:
            self._is_calm = {calm}

    def _fill(self, view: Fields, offer: Fields) -> Fields:
        """Return the event of an offer, with every field filled."""
        public, seat = view["public"], view["seat"]
        closed = self._hands.get(public["seats"][seat - 1]["seal"], (0, "0" * 32))
        if offer["do"] == "sealed":
            value, nonce = self._close_around(view), f"{self.random.getrandbits(128):032x}"
            seal = make_seal(public["id"], public["round"], seat, value, nonce)
            self._hands[seal] = value, nonce
            return {"event": "sealed", "seal": seal}
        if offer["do"] == "opened":
            return {"event": "opened", "value": closed[0], "nonce": closed[1]}
        fields = {
            name: self.random.choice(value) if isinstance(value, list) and value else value
            for name, value in self.random.choice(offer.get("choices") or [{}]).items()
        }
        if offer["do"] == "declared":
            fields["will"] = fields["bank"] == closed[0]
        return {"event": offer["do"], **fields}

    def _close_around(self, view: Fields) -> Any:
        """Choose the content of a hand: coins, chips or a bank."""
        mine = view["mine"]
        if "coins" in mine:
            return self.random.randint(0, mine["coins"])
        if "chips" in mine:
            return {c: self.random.randint(0, min(n, 2)) for c, n in mine["chips"].items() if n}
        return self.random.choice(view["public"]["banks"])["name"]

    def tell(self, what: str, least: int) -> None:
        """Print the evening's result; too few moves prove nothing."""
        assert len(self.granted) >= least, f"{self.seed}: only {len(self.granted)} were granted"
        print(f"{self.seed}: {what}, {len(self.granted)} moves granted, 0 lost, 0 doubled")  # noqa: T201


def _key_of(line: tuple[Any, ...]) -> str:
    """Return the key of the move that a line is of; the journal puts its author before it."""
    return str(line[0]).rpartition(" ")[2]


def _read(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as file:
        return file.execute(query).fetchall()
