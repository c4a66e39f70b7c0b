"""The way from page to page: whoever follows links comes everywhere, and nothing refuses."""

import re

from tests.worlds.visitor import OURS, Visitor

LINK = re.compile(r'<a [^>]*href="(/[^"#]*)["#]')


def found(visitor: Visitor, first: str) -> set[str]:
    """Every page that links lead to from this one, each of which answers."""
    seen, ahead = set[str](), {first}
    while ahead:
        path = ahead.pop().replace("&amp;", "&")
        answer = visitor.client.get(path, base_url=OURS, follow_redirects=True)
        assert answer.status_code == 200, path
        seen.add(path)
        if answer.mimetype == "text/html" and "case?" not in path:
            ahead |= set(LINK.findall(answer.text)) - seen
    return seen


def test_a_guest_without_a_seat_comes_from_the_table_to_everything(visit):
    assert found(visit(), "/table") >= {"/", "/table", "/judge", "/judge/case", "/host"}


def test_a_player_comes_to_the_table_and_back(visit):
    assert found(visit(1), "/phone/1") >= {"/phone/1", "/phone", "/play/1", "/table", "/judge"}


def test_the_host_meets_no_link_that_refuses_from_the_first_page_to_the_end(host):
    assert "/api/host/record" not in found(host, "/host")
    host.decides("ended")
    assert {"/api/host/record", "/host/new/robby_solo"} <= found(host, "/host")
    host.calls("reset")
    assert "/api/host/record" in found(host, "/host"), "the last game is still to be had"
