"""The host's browser, and a host service where there is no other."""

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask
from werkzeug.test import TestResponse

from companion.app.data_folder import BOX_TITLES, UNATTENDED_CHECKS
from companion.backup.service import BackedFolder, Backups
from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message
from companion.core.sensor_events import ReaderCondition
from companion.core.table_events import Cleared, Ended
from companion.games.new_game import NewGame, prepare_game
from companion.host.health import BoxCheckProgress, Health, Light
from companion.host.host_pass import HostPass, HostSessions, write_pass
from companion.host.status import health_lights
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.table.permissions import HOST_AUTHOR
from companion.table.recovery import same_game_again
from companion.table.table import Table
from tests.worlds.signer import signer_of
from tests.worlds.visitor import OURS, Visitor
from web.browsers import BROWSER_KEY
from web.context import CONTEXT_KEY


class HostsBrowser(Visitor):
    """Somebody who stands at the table, and may become its host."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.house = app.extensions[CONTEXT_KEY].host

    def get(self, page: str, **how: Any) -> TestResponse:
        """A page; whoever is not signed in is led to where one becomes the host."""
        return super().get(page, follow_redirects=page == "/host", **how)

    def signs_in(self) -> "HostsBrowser":
        """By a pass that was just printed."""
        answer = self.answers(write_pass(self.house.journal.path.parent))
        assert answer.status_code == 204, answer.text
        return self

    def answers(self, word: str) -> TestResponse:
        """Answer the word of a pass."""
        return self.calls("pass", answer=signer_of(self.app, self.browser).answers(word))

    @property
    def browser(self) -> str:
        """The id in its cookie, made if there is none."""
        with self.client.session_transaction(base_url=OURS) as session:
            return str(session.setdefault(BROWSER_KEY, secrets.token_hex(10)))

    def calls(self, what: str, /, **fields: Any) -> TestResponse:
        """Post to an operation of the host."""
        return self.post(f"/api/host/{what}", **fields)

    def decides(self, do: str, **fields: Any) -> TestResponse:
        """Ask the game for something in the name of the table."""
        return self.requests("/api/host/requests", do, fields)

    def wishes(self, *players: str, **fields: Any) -> TestResponse:
        """Ask for a new game."""
        wish = {"game": "bankueberfall", "players": list(players), "first": 1} | fields
        return self.calls("games", **wish)


class AtHome:
    """A house for a table that a test holds in its own hands."""

    def __init__(
        self, table: Table, journal: Journal, identity: IdentityStore | None = None
    ) -> None:
        self.table, self.journal = table, journal
        self.host_pass = HostPass(journal.path.parent, time.monotonic)
        self.sessions = HostSessions(identity or IdentityStore(), time.monotonic)
        self.last_replaced: Message | None = None
        self._after_reset: list[Callable[[], object]] = []

    @property
    def next_game(self) -> NewGame:
        return same_game_again(self.table.history)

    def call_after_reset(self, function: Callable[[], object]) -> None:
        self._after_reset.append(function)

    def safe(self, folder: Path) -> Backups:
        """Where its backups come from, if they are to come from somewhere."""
        there = BackedFolder(folder, None, UNATTENDED_CHECKS, BOX_TITLES)
        return Backups(there, lambda: self.table.history.is_over, self.table.notify_watchers)

    def begin_game(self, wish: NewGame) -> Refusal | None:
        found = prepare_game(wish, secrets.token_hex(6))
        if isinstance(found, Refusal):
            return found
        rules, started = found
        return self.table.choose_box(rules, None) or self.table.start(started, HOST_AUTHOR)

    def reset_table(self) -> Refusal | None:
        for step in (Ended(), Cleared()):
            self.table.request(step, HOST_AUTHOR)
        for forget in self._after_reset:
            forget()
        return None

    def read_health(self) -> Health:
        readers = tuple(ReaderCondition(n, "well") for n in range(1, 9))
        journal = msgspec.structs.replace(self.journal.health(5.0), free=2**33)
        return Health("1", "3", "five", readers, (), journal, 60.0)

    def health_lights(self) -> tuple[Light, ...]:
        return health_lights(self.read_health())

    def start_box_check(self) -> Refusal | None:
        return refusal("not_enrolled", "T.host", "No reader answers: tap everything on the phones.")

    def box_check(self) -> BoxCheckProgress | None:
        return None

    def stop_box_check(self) -> None:
        pass

    def replace_sticker(self, _piece: str, _at_place: bool) -> Refusal | None:
        return refusal("not_enrolled", "T.host", "No reader answers: tap everything on the phones.")

    def replaceable_pieces(self) -> dict[str, Message]:
        return {}
