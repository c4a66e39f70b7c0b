"""A short evening as the nemesis would record it, with nothing wrong: calls, views and journal.

Law: it is played at a real table and journal, one call after another; whatever a checker finds in
it was put there by a test.
"""

from copy import copy, deepcopy
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from bench.nemesis.attempts import LOOKS, OK, REFUSED, Attempt
from bench.nemesis.check import check_history
from bench.nemesis.journal_model import StoredLine, read_journal
from bench.nemesis.looks import Looks, read_look
from bench.nemesis.phones import Hands, choose_event
from companion.core.errors import Malformed
from companion.games import make_rulebook
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from web.body_validation import parse_event

SEATS = 4
NAMES = ("Ana", "Ben", "Cleo", "Dora")
PIN = "271828"


class QuietEvening:
    """Four phones and a host, one call a second."""

    def __init__(self, folder: Path, game: str, seed: int, calls: int = 40) -> None:
        self.path, self.looks = folder / "journal.sqlite3", Looks(folder / "views.txt")
        self.journal = Journal(self.path, keeps_names_apart=True)
        self.rules = make_rulebook(game)
        self.table = Table(self.rules, self.journal, None, lambda: 1000.0)
        self.table.start(self.rules.start_event(id="g1", players=NAMES), HOST_AUTHOR)
        self.random, self.hands = Random(seed), Hands()
        self.attempts: list[Attempt] = []
        self._seconds = count(1)
        self.come_in()
        for _ in range(calls):
            self.play(self.random.randint(1, SEATS))
        self.journal.close()
        self.lines: list[StoredLine] = read_journal(self.path)[0]

    def note(self, client: str, kind: str, seat: int = 0, **more: Any) -> Attempt:
        """Note a call that is answered half a second later."""
        begun = float(next(self._seconds))
        key = f"k-{begun:.0f}" if kind not in ("join", "seat_view", "host_read") else ""
        how = {"outcome": OK, "status": 200, "key": key, "returned": begun + 0.5} | more
        attempt = Attempt(client, kind, seat, invoked=begun, **how)
        attempt.latest = attempt.returned
        self.attempts.append(attempt)
        return attempt

    def come_in(self) -> None:
        """Everyone sits down, and the host signs in."""
        self.note("console", "pin_made", answer={"pin": PIN})
        self.note("host", "sign_in", sent={"pin": PIN})
        for seat in range(1, SEATS + 1):
            self.note(f"ana-{seat}", "sit", seat)
            self.note(f"ana-{seat}", "join", answer={"own": [seat]})

    def play(self, seat: int) -> None:
        """A seat looks, and asks for something."""
        view: Any = msgspec.json.decode(msgspec.json.encode(self.table.view(seat)))
        self.note(f"ana-{seat}", "seat_view", seat, answer=view)
        event = choose_event(view, self.hands, self.random)
        if event is None:
            return
        sent = {"event": event, "version": view["at"]}
        asked = self.note(f"ana-{seat}", "ask", seat, sent=sent)
        code = self.ask(seat, event, view["at"], asked.key)
        if code:
            asked.outcome, asked.code, asked.status = REFUSED, code, 409

    def ask(self, seat: int, fields: Any, version: int, key: str) -> str:
        """Ask the table; return the code of its refusal, or nothing."""
        try:
            event = parse_event(fields, seat, self.rules)
        except Malformed:
            return "malformed"
        refused = self.table.request(event, Author(seat, f"phone {seat}"), version, key)
        return "" if refused is None else refused.code

    def copy(self) -> "QuietEvening":
        """Return the same evening, to plant something in."""
        again = copy(self)
        again.attempts, again.lines = deepcopy(self.attempts), list(self.lines)
        return again

    def check(self) -> list[str]:
        """Return what the nemesis finds in this evening."""
        attempts = deepcopy(self.attempts)
        for each in attempts:
            if each.kind in LOOKS and each.outcome == OK:
                each.answer = self.looks.keep(each.answer)
        return check_history(attempts, self.lines, partial(read_look, self.looks.path))

    def of_kind(self, kind: str, outcome: str = OK) -> list[Attempt]:
        """Return the attempts of this kind with this outcome."""
        return [each for each in self.attempts if (each.kind, each.outcome) == (kind, outcome)]
