"""How much one browser and one address may ask: six quick phones yes, a flood no."""

import pytest
from msgspec.structs import replace

from tests.worlds.hand_clock import HandClock
from tests.worlds.visitor import UNHURRIED
from web.browsers import MAX_BUCKETS, NEW_GAME, WRITE, Limits, RateLimit

FEW = replace(UNHURRIED, tokens=3 * WRITE, per_second=0.001)


def test_a_bucket_grants_so_many_at_once_and_then_at_its_pace():
    clock = HandClock()
    limit = RateLimit(Limits(tokens=6, per_second=4), clock)
    assert [limit.take("ana", 2) for _ in range(5)] == [0, 0, 0, 0.5, 0.5]
    clock.now += 0.5
    assert [limit.take("ana", 2) for _ in range(2)] == [0, 0.5]
    clock.now += 60
    assert [limit.take("ana", 2) > 0 for _ in range(4)] == [False, False, False, True]


def test_strangers_are_not_remembered_without_end():
    limit = RateLimit(Limits(), HandClock())
    for n in range(MAX_BUCKETS + 100):
        limit.take(str(n), 1)
    assert len(limit) == MAX_BUCKETS


def speaks(phone, n: int):
    """Ask for something that is always granted."""
    return phone.tells("/api/join/language", {"key": f"k{n}", "language": "de"})


@pytest.mark.parametrize("limits", [replace(FEW, tokens=20 * WRITE)])
def test_a_flood_from_elsewhere_does_not_slow_a_seat(visit):
    ana, stranger = visit(1), visit()
    while speaks(stranger, 0).status_code != 429:
        pass
    assert speaks(ana, 0).status_code == 204


@pytest.mark.parametrize("limits", [replace(FEW, tokens=2 * NEW_GAME + 2 * WRITE)])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/play/1/seats", {"seats": 3, "game": "robby_solo"}),
        ("/api/demo/games", {"game": "robby_solo"}),
    ],
)
def test_new_games_are_limited_so_that_the_journal_does_not_fill(visit, path, body):
    ben = visit()
    ben.sits(1)
    told = [ben.tells(path, {"key": f"k{n}", **body}) for n in range(3)]
    assert [answer.status_code == 429 for answer in told] == [False, False, True]
    assert speaks(ben, 0).status_code == 204


@pytest.mark.parametrize("limits", [FEW])
def test_the_page_of_a_case_costs_what_the_judge_costs(visit):
    asks = [visit().get("/judge/case").status_code for _ in range(4)]
    assert asks == [200, 200, 200, 429]


@pytest.mark.parametrize("limits", [FEW])
def test_what_another_page_sends_is_limited_as_well(visit):
    sends = [visit().tells("/healthz", {}, "http://evil.example").status_code for _ in range(4)]
    assert sends == [403, 403, 403, 429]


@pytest.mark.parametrize("limits", [replace(FEW, tokens=2)])
def test_opening_streams_without_end_is_refused_too(serve):
    async def story(cafe):
        assert [await cafe.ask("/stream/table") for _ in range(3)] == [200, 200, 429]
        assert "Retry-After: " in cafe.lines[-1].head
        assert (await cafe.lines[-1].problem())["code"] == "http_429"

    serve(story)
