"""Strangers at many addresses push out each other, never those who play."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worlds.simulated_hands import does
from web.browsers import Client, Limits, source_of
from web.server.connections import MOST_OF_FIRST, MOST_OF_SOURCE, Places

LOOK = b"GET /stream/table HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = b"GET /table HTTP/1.1\r\nHost: loc"
SLOWLY_SENT = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
FEW = Limits(connections=40, viewers=20)
STRANGERS = [f"127.0.1.{n}" for n in range(1, 21)]
GREEDY, PHONE = "127.0.2.1", "127.0.3.1"


def cookie_of(visitor) -> str:
    return visitor.client.get_cookie("companion").value


async def surround(cafe) -> None:
    """Take all connections, from many addresses, in every way that does not end by itself."""
    for n in range(60):
        raw = (b"", HALF, SLOWLY_SENT, LOOK)[n % 4]
        cafe.silent(raw, STRANGERS[n % 20])
    while len(cafe.server.connections) < 40:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("limits", [FEW])
def test_a_seated_phone_plays_while_strangers_hold_every_connection(serve, visit, evening):
    ana = visit(1)

    async def story(cafe):
        await surround(cafe)
        hand = await cafe.listen("phone/1", ana, source=PHONE)
        assert (await anext(hand))[0] in ("state", "news")
        for _ in range(10):
            await surround(cafe)
            assert await cafe.ask("/phone/1", cookie=cookie_of(ana), source=PHONE) == 200
        await asyncio.to_thread(does, evening, 1, do="tile_turned")
        assert (await anext(hand))[0] in ("state", "news")

    serve(story)


@pytest.mark.parametrize("limits", [FEW])
def test_the_stream_of_a_seat_displaces_one_of_a_stranger(serve, visit):
    ana = visit(1)

    async def story(cafe):
        watching = [await cafe.listen("table", source=source) for source in STRANGERS]
        for events in watching:
            await anext(events)
        assert await cafe.ask("/stream/table", source=GREEDY) == 503
        assert "Retry-After: " in cafe.lines[-1].head
        hand = await cafe.listen("phone/1", ana, source=GREEDY)
        assert (await anext(hand))[0] in ("state", "news")
        assert [name async for name, _ in watching[-1]] == ["stop"]
        assert await cafe.ask("/stream/table", source=GREEDY) == 503

    serve(story)


@pytest.mark.parametrize("limits", [Limits(tokens=100, per_second=0.001)])
def test_a_connection_flood_of_one_source_is_cut_off(serve):
    async def story(cafe):
        for _ in range(100):
            cafe.silent(b"", GREEDY)
        asked = cafe.silent(b"GET /table HTTP/1.1\r\nHost: localhost\r\n\r\n", GREEDY)
        assert await cafe.hears(asked) == b"", "not even a refusal"
        assert await cafe.ask("/table", source=PHONE) == 200

    serve(story)


def test_sources() -> None:
    assert source_of("127.0.0.1") == source_of("::1") == source_of("::ffff:127.0.0.1")
    assert source_of("127.0.0.2") == "127.0.0.2" != source_of("127.0.0.3")
    assert source_of("::ffff:10.0.0.7") == "10.0.0.7"
    assert source_of("2001:db8:1:2::5") == source_of("2001:db8:1:2:ffff::9%eth0")
    assert source_of("2001:db8:1:2::5") != source_of("2001:db8:1:3::5")


FIRST = [Client("browser ana", comes_first=True), Client("loopback", comes_first=True)]
CLIENTS = [*FIRST, *(Client(f"10.0.0.{n}") for n in range(6))]


@given(st.lists(st.tuples(st.sampled_from(CLIENTS), st.booleans()), max_size=120))
def test_no_stranger_takes_the_place_of_one_who_comes_first(steps) -> None:
    places, holders = Places[int](40), dict[int, Client]()
    for holder, (client, waits) in enumerate(steps):
        holders[holder] = client
        gone = places.place(holder, client, waits=waits)
        assert (gone is None) == (len(holders) <= 40)
        if gone is not None:
            loser = holders.pop(gone)
            strangers = [one for one in holders.values() if not one.comes_first]
            greedy = [one for one in FIRST if [*holders.values()].count(one) >= MOST_OF_FIRST]
            assert not loser.comes_first or loser in greedy or not strangers
        assert len(places) == len(holders) <= 40


def test_one_source_has_not_all_places() -> None:
    places = Places[int](3 * MOST_OF_SOURCE)
    gone = [places.place(n, CLIENTS[3], waits=n % 2 == 0) for n in range(MOST_OF_SOURCE + 50)]
    assert [each for each in gone if each is not None] == [2 * n for n in range(50)]
    assert len(places) == MOST_OF_SOURCE
