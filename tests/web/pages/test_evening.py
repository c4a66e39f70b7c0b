"""The end of a game on its pages, and the picture card under its link."""

import re
import struct
from pathlib import Path
from typing import Any

import pytest

from companion.core.table_events import Undone
from companion.games import game_names
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.campaign import pick
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.lantern_night import on_the_shelf
from tests.worlds.request_campaign import served
from tests.worlds.standing_tables import NEVER, states
from tests.worlds.visitor import Visitor
from web.context import CONTEXT_KEY
from web.rate_limits import DEFAULT_LIMITS, RATE_LIMITER, RateLimiter

LINK = re.compile(r"/evening/([\w-]{22})\.png")
PAGES = ("/table", "/phone/1", "/share")


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return served(tmp_path / "j.sqlite3", "bankueberfall", "over")


def seated(app: Any) -> Visitor:
    visitor = Visitor(app)
    visitor.sits(1)
    return visitor


def link_on(page: str) -> str:
    found = LINK.search(page)
    return found.group() if found else ""


def load(app: Any, link: str) -> Any:
    """The answer to a browser that comes again for as long as the picture is being drawn."""
    answer = Visitor(app).get(link)
    while answer.status_code == 503:
        assert answer.headers["Refresh"] == answer.headers["Retry-After"]
        answer = Visitor(app).get(link)
    return answer


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


@pytest.mark.parametrize("path", PAGES)
def test_every_page_says_it_once_and_who_won(app: Any, path: str) -> None:
    page = seated(app).get(path).text
    assert page.count("The game is over.") == 1
    said, *_ = re.findall(r'role="status">(.*?)</p>', page)
    assert "Ben wins with 26\u00a0coins." in said
    assert page.count('class="rank rank-') == 3
    assert "decided it: Ben" in page
    assert '<svg class="curve"' in page


def test_the_phone_says_how_its_own_player_did(app: Any) -> None:
    assert "You finish in place 2, with 23 coins." in seated(app).reads("/phone/1")


def test_every_page_leads_to_the_same_picture(app: Any) -> None:
    visitor = seated(app)
    links = {link_on(visitor.get(path).text) for path in PAGES}
    assert len(links) == 1
    answer = load(app, links.pop())
    assert answer.status_code == 200
    assert answer.mimetype == "image/png"
    assert size_of(answer.data) == (1080, 1350)
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("game", game_names())
def test_before_the_end_there_is_no_picture_and_no_link(tmp_path: Path, game: str) -> None:
    others = [state for state in states(game) if state not in ("over", NEVER)]
    for n, state in enumerate(others[: pick(3, 99, 99)]):
        early = served(tmp_path / f"{n}.sqlite3", game, state)
        visitor = seated(early)
        for path in PAGES:
            assert "/evening/" not in visitor.get(path).text
        assert early.extensions[CONTEXT_KEY].pictures._links == {}


def test_a_guess_leads_nowhere(app: Any) -> None:
    right = link_on(seated(app).get("/table").text)
    wrong = right.replace(".png", "")[:-1] + ("A" if right[-5] != "A" else "B") + ".png"
    assert Visitor(app).get(wrong).status_code == 404


def test_the_link_dies_with_the_group(app: Any) -> None:
    link = link_on(seated(app).get("/table").text)
    assert load(app, link).status_code == 200
    HostsBrowser(app).signs_in().taps("reset")
    assert Visitor(app).get(link).status_code == 404


def test_an_undo_that_opens_the_game_again_takes_the_picture_away(app: Any) -> None:
    table = app.extensions[CONTEXT_KEY].table
    link = link_on(seated(app).get("/table").text)
    undone = next(moment.at for moment in table.view().table.log[::-1] if moment.undoable)
    assert table.request(Undone(undone, ""), HOST_AUTHOR) is None
    assert not table.view().shows_end
    assert Visitor(app).get(link).status_code == 404


def test_the_picture_of_the_last_game_outlives_the_start_of_the_next(app: Any) -> None:
    link = link_on(seated(app).get("/table").text)
    host = HostsBrowser(app).signs_in()
    host.taps("games/again")
    table = app.extensions[CONTEXT_KEY].table
    assert not table.view().shows_end
    assert load(app, link).status_code == 200


def test_one_source_loads_only_so_many_pictures(app: Any) -> None:
    link = link_on(seated(app).get("/table").text)
    assert load(app, link).status_code == 200
    app.extensions[RATE_LIMITER] = RateLimiter(DEFAULT_LIMITS, clock=lambda: 0.0)
    visitor = Visitor(app)
    statuses = [visitor.get(link).status_code for _ in range(DEFAULT_LIMITS.pictures.burst + 1)]
    assert statuses[-2:] == [200, 429]


def test_a_picture_is_drawn_once_for_each_language(app: Any) -> None:
    context = app.extensions[CONTEXT_KEY]
    link = link_on(seated(app).get("/table").text)
    first = load(app, link).data
    assert Visitor(app).get(link).data == first
    assert len(context.pictures._drawn) == 1
    context.language = "de"
    assert load(app, link).data != first


def test_a_game_without_a_template_gets_the_whole_ceremony(tmp_path: Path) -> None:
    with on_the_shelf():
        app = served(tmp_path / "j.sqlite3", "lantern_night", "over")
        told = seated(app).get("/table").text
        assert told.count('class="rank rank-') >= 2
        assert '<svg class="curve"' in told
        assert "points" in told
        assert size_of(load(app, link_on(told)).data) == (1080, 1350)
