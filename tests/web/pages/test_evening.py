"""The end of a game on its pages."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.worlds.served_tables import served
from tests.worlds.visitor import Visitor

PAGES = ("/table", "/phone/1", "/share")


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return served(tmp_path / "j.sqlite3", "bankueberfall", "over")


def seated(app: Any) -> Visitor:
    visitor = Visitor(app)
    visitor.sits(1)
    return visitor


@pytest.mark.parametrize("path", PAGES)
def test_every_page_says_it_once_and_who_won(app: Any, path: str) -> None:
    page = seated(app).get(path).text
    assert page.count("The game is over.") == 1
    said, *_ = re.findall(r'role="status">(.*?)</p>', page)
    assert re.search("wins with [0-9]+\u00a0coins.", said)
    assert page.count('class="rank rank-') == 3
    assert "decided it: " in page
    assert '<svg class="curve"' in page
