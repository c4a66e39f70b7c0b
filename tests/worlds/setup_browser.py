"""The host's browser on the set-up pages, with scripts or without."""

import re

from tests.worlds.fresh_table import Fresh
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.visitor import words


class Host(HostsBrowser):
    """The host, who goes from step to step."""

    def does(self, what: str, /, **fields: str) -> str:
        """Send a form of the page; what the page says then."""
        answer = self.taps(f"first/{what}", page="first", form=what, **fields)
        page = self.get("/first") if answer.status_code == 303 else answer
        return words(re.sub(r"(?s)<nav.*?</nav>", "", page.text))

    def at(self, step: str) -> str:
        return self.does("step", step=step)


def host(table: Fresh, **how: bool) -> Host:
    made = Host(table.app, **how)
    made.signs_in()
    return made
