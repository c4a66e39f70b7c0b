"""The host's browser, and the safe of the host's backups."""

import secrets
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from companion.app.data_folder import BOX_TITLES, UNATTENDED_CHECKS
from companion.backup.service import BackedFolder, Backups
from companion.host.host_pass import write_pass
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


def safe_of(table: Table, folder: Path) -> Backups:
    """Where the backups of a table on this folder come from."""
    there = BackedFolder(folder, None, UNATTENDED_CHECKS, BOX_TITLES)
    return Backups(there, lambda: table.history.is_over, table.notify_watchers)
