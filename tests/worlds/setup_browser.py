"""The host's browser on the set-up pages."""

import re
from typing import Any

from tests.worlds.fresh_table import Fresh
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.visitor import words


class Host(HostsBrowser):
    """The host, who goes from step to step."""

    def does(self, what: str, /, **fields: Any) -> str:
        """Send a form of the page; return the page's words, or the refusal's."""
        answer = self.calls(f"first/{what}", **fields)
        page = self.get("/first") if answer.status_code == 204 else answer
        return words(re.sub(r"(?s)<nav.*?</nav>", "", page.text))

    def at(self, step: str) -> str:
        return self.does("step", step=step)


def host(table: Fresh) -> Host:
    made = Host(table.app)
    made.signs_in()
    return made
