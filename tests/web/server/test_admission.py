"""Fair admission: strangers at many addresses push out each other, never those who play."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.host.fair_threads import Claimant
from tests.worlds.simulated_hands import does
from web.rate_limits import Limits
from web.server.admission import KEPT_PLACES, Places
from web.sources import source_of

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
def test_the_machine_itself_is_served_while_strangers_hold_every_connection(serve):
    async def story(cafe):
        await surround(cafe)
        screen = await cafe.listen("table")
        await surround(cafe)
        assert (await anext(screen))[0] == "state"
        assert await cafe.ask("/table") == 200

    serve(story)


@pytest.mark.parametrize("limits", [FEW])
def test_the_greediest_gives_up_its_oldest_idle_connection(serve):
    async def story(cafe):
        modest = [cafe.silent(HALF, source) for source in STRANGERS[:10]]
        greedy = [cafe.silent(HALF, GREEDY) for _ in range(30)]
        await settle(cafe, 40)
        newcomers = [cafe.silent(HALF, source) for source in STRANGERS[10:]]
        for gone in greedy[:10]:
            assert await cafe.hears(gone) == b""
        for line in (*modest, *greedy[10:], *newcomers):
            line.sendall(b"alhost\r\n\r\n")
            assert b" 200 " in await cafe.hears(line, "\r\n\r\n")

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


@pytest.mark.parametrize("limits", [FEW])
def test_a_newcomer_displaces_a_stream_of_a_greedier_stranger(serve):
    async def story(cafe):
        watching = [await cafe.listen("table", source=GREEDY) for _ in range(20)]
        for events in watching:
            await anext(events)
        assert await cafe.ask("/stream/table", source=GREEDY) == 503
        assert await cafe.ask("/stream/table", source=PHONE) == 200
        assert [name async for name, _ in watching[-1]] == ["stop"]

    serve(story)


@pytest.mark.parametrize("limits", [Limits()])
def test_a_connection_flood_of_one_source_is_cut_off(serve):
    async def story(cafe):
        bursts = Limits().connects.burst + Limits().further_connects.burst
        lines = [cafe.silent(b"", GREEDY) for _ in range(bursts + 60)]
        assert [await cafe.hears(line) for line in lines[-2:]] == [b"", b""]
        assert await cafe.ask("/table", source=PHONE) == 200

    serve(story)


async def settle(cafe, connections: int) -> None:
    """Wait until this many connections are open."""
    while len(cafe.server.connections) != connections:
        await asyncio.sleep(0.01)


def test_sources() -> None:
    assert source_of("127.0.0.1") == source_of("::1") == source_of("::ffff:127.0.0.1")
    assert source_of("127.0.0.2") == "127.0.0.2" != source_of("127.0.0.3")
    assert source_of("::ffff:10.0.0.7") == "10.0.0.7"
    assert source_of("2001:db8:1:2::5") == source_of("2001:db8:1:2:ffff::9%eth0")
    assert source_of("2001:db8:1:2::5") != source_of("2001:db8:1:3::5")
    assert source_of("") == ""


KNOWN = [Claimant("browser ana", is_known=True), Claimant("loopback", is_known=True)]
CLAIMANTS = [*KNOWN, *(Claimant(f"10.0.0.{n}") for n in range(6))]


@given(st.lists(st.tuples(st.sampled_from(CLAIMANTS), st.booleans()), max_size=120))
def test_known_claimants_keep_their_places_and_a_greedier_one_goes_first(steps) -> None:
    places, count = Places[int](40), Counter[Claimant]()
    holders: dict[int, Claimant] = {}
    for holder, (claimant, is_idle) in enumerate(steps):
        holders[holder] = claimant
        count[claimant] += 1
        gone = places.add(holder, claimant, is_idle=is_idle)
        assert (gone is None) == (len(holders) <= 40)
        if gone is not None:
            loser = holders.pop(gone)
            greed = {who: n - KEPT_PLACES * who.is_known for who, n in count.items() if n}
            assert greed[loser] == max(greed.values())
            assert not loser.is_known or count[loser] > KEPT_PLACES
            count[loser] -= 1
        assert len(places) == len(holders) <= 40


@given(st.lists(st.sampled_from(["open", "show", "idle", "leave"]), max_size=40))
def test_no_place_is_lost_or_counted_twice(steps) -> None:
    places, holders = Places[int](10), list[int]()
    for n, step in enumerate(steps):
        if step == "open":
            gone = places.add(n, CLAIMANTS[3 + n % 3], is_idle=True)
            holders = [each for each in (*holders, n) if each != gone]
        elif holders and step == "leave":
            places.remove(holders.pop(0))
        elif holders:
            known = KNOWN[n % 2] if step == "show" else places.claimant_of(holders[0])
            places.change(holders[0], known, is_idle=step == "idle")
        assert [each for each in range(n + 1) if each in places] == sorted(holders)
