"""Taps on pages without a screen: links that are followed, numbers that are changed, buttons.

Law: what is not on the page cannot be tapped; every tap is counted.
"""

import json
from html.parser import HTMLParser
from typing import Any

from tests.worlds.visitor import Visitor

Fields = dict[str, str]


class PageReader(HTMLParser):
    """The links of a page by what they say, and its forms with their fields and buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: dict[str, str] = {}
        self.forms: list[tuple[str, Fields, dict[str, Fields]]] = []
        self._said: list[str] = []
        self._open: tuple[str, Fields] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((about.get("action", ""), {"leads": about.get("data-leads", "")}, {}))
        elif tag == "input" and self.forms and about.get("name"):
            self.forms[-1][1][about["name"]] = about.get("value", "")
        elif tag in ("a", "button"):
            self._open, self._said = (tag, about), []

    def handle_data(self, data: str) -> None:
        self._said.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._open is None or self._open[0] != tag:
            return
        _, about = self._open
        said = about.get("aria-label") or " ".join(" ".join(self._said).split())
        if tag == "a":
            self.links.setdefault(said.replace("\u00a0", " "), about.get("href", ""))
        elif self.forms:
            named = {about["name"]: about.get("value", "")} if about.get("name") else {}
            self.forms[-1][2][said.replace("\u00a0", " ")] = named
        self._open = None


class Taps:
    """A visitor who taps, and how often."""

    def __init__(self, visitor: Visitor, page: str) -> None:
        self.visitor, self.n = visitor, 0
        self.opens(page)

    def opens(self, address: str) -> None:
        """The page that one looks at; without a tap."""
        answer = self.visitor.get(address)
        while answer.location:
            answer = self.visitor.get(answer.location)
        assert answer.status_code == 200, answer.text
        self.address = address
        self.page = PageReader(answer.text)
        self.text = answer.text

    def follow(self, said: str) -> "Taps":
        """Tap a link."""
        assert said in self.page.links, (said, sorted(self.page.links))
        self.n += 1
        self.opens(self.page.links[said])
        return self

    def step(self, field: str, by: int) -> "Taps":
        """Tap plus or minus beside a number, so often."""
        (form,) = (form for form in self.page.forms if field in form[1])
        self.n += abs(by)
        form[1][field] = str(int(form[1][field]) + by)
        return self

    def press(self, said: str) -> Any:
        """Tap a button, and look at the page that it leads to."""
        form = next(form for form in self.page.forms if said in form[2])
        self.n += 1
        action, fields, buttons = form
        do, wish = event_of(fields | buttons[said])
        answer = self.visitor.requests(action, do, wish)
        if answer.status_code == 204:
            self.opens(fields["leads"] or self.address)
        return answer


def event_of(fields: Fields) -> tuple[str, dict[str, Any]]:
    """The event of a form and its fields, as `forms.mjs` collects them."""
    found = json.loads(fields.get("choice", "{}"))
    for name, value in fields.items():
        if name in ("do", "choice", "leads", "form", "page", "version"):
            continue
        *outer, last = name.split(".")
        place = found
        for part in outer:
            place = place.setdefault(part, {})
        place[last] = value if name == "reason" else json.loads(value)
    return fields["do"], found
