"""The client that measures viewers hears only what came whole."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.speed.client import Client, Heard, JobPart, build_client, run_client
from companion.core.errors import Malformed
from tests.worlds.scripted_streams import FRAMINGS, ScriptedStreams, Turn

NEWS = b"event: state\nid: 1\ndata: " + b"x" * 3000 + b"\n\n"
PATIENT = (25, 60_000)
"""Pause and timeout in milliseconds."""
WAITS = (300, 3_000, 30_000)
"""Timeouts where something never comes: a longer one only if what does come came too late."""
VIEWER = JobPart("viewer", b"GET /stream HTTP/1.1\r\n\r\n")
STALLED = JobPart("stalled", VIEWER.data)
REQUEST = JobPart("request", b"POST /grants HTTP/1.1\r\n\r\n")

Watch = Callable[..., Heard]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    built = build_client(tmp_path_factory.mktemp("client"))
    assert built is not None, "there is no C compiler"
    assert built.inflates, "there is no zlib to build with"
    return built


@contextmanager
def serving(turns: Sequence[Turn], framing: str = "plain") -> Iterator[ScriptedStreams]:
    streams = ScriptedStreams(turns, framing)
    try:
        yield streams
    finally:
        streams.shut()


@pytest.fixture
def watch(client: Client, tmp_path: Path) -> Watch:
    def run(streams: ScriptedStreams, *job: JobPart, timings: tuple[int, int] = PATIENT) -> Heard:
        return run_client(client, tmp_path, streams.port, os.getpid(), job, timings)

    return run


@pytest.mark.parametrize("framing", FRAMINGS)
def test_an_event_in_several_packets_is_heard_when_its_end_came(watch: Watch, framing: str) -> None:
    pieces = [NEWS[:7], NEWS[7:1500], NEWS[1500:-1]]
    turn = [(1, piece) for piece in pieces] + [(0, NEWS), (1, NEWS[-1:])]
    with serving([turn, turn], framing) as streams:
        heard = watch(streams, VIEWER, VIEWER, REQUEST, REQUEST)
    assert (heard.viewers, heard.compressed) == (2, framing == "gzip")
    assert len(heard.requests) == 2
    for request in heard.requests:
        assert (request.status, request.reached) == (204, 2)
        assert request.answer > 0
        assert 0 < request.first < request.last, "the one whose event came in pieces is the last"
        assert request.cpu > 0


def test_what_came_is_counted(watch: Watch) -> None:
    with serving([[(0, NEWS), (1, NEWS)]]) as streams:
        heard = watch(streams, VIEWER, VIEWER, REQUEST)
    assert heard.requests[0].bytes == 2 * len(NEWS)
    assert heard.client_cpu > 0


def test_several_events_of_a_change_end_with_the_last(watch: Watch) -> None:
    turn = [(0, NEWS), (1, NEWS), (0, NEWS)]
    with serving([turn]) as streams:
        heard = watch(streams, VIEWER, VIEWER, REQUEST)
    request = heard.requests[0]
    assert request.reached == 2
    assert request.first < request.last


@pytest.mark.parametrize(
    "instead",
    [NEWS[:-1], b"event: heartbeat\ndata: \n\n", b": nothing\n\n", b""],
    ids=["no end", "heartbeat", "comment", "hung up"],
)
def test_what_is_no_whole_event_does_not_reach(watch: Watch, instead: bytes) -> None:
    for timeout in WAITS:
        with serving([[(0, NEWS), (1, instead)]]) as streams:
            heard = watch(streams, VIEWER, VIEWER, REQUEST, timings=(25, timeout))
        if heard.requests[0].reached:
            break
    assert [request.reached for request in heard.requests] == [1]
    assert heard.requests[0].first == heard.requests[0].last


def test_news_that_not_all_are_to_hear_are_not_waited_for(watch: Watch) -> None:
    silent = REQUEST._replace(counted=False)
    with serving([[], [(0, NEWS)]]) as streams:
        heard = watch(streams, VIEWER, silent, REQUEST)
    assert [request.reached for request in heard.requests] == [0, 1]
    assert heard.counted == [heard.requests[1]]


def test_a_stalled_viewer_takes_nothing_and_counts_for_none(watch: Watch) -> None:
    turn = [(1, NEWS * 3000), (0, NEWS)]
    with serving([turn]) as streams:
        heard = watch(streams, VIEWER, STALLED, REQUEST)
        assert (heard.viewers, heard.requests[0].reached) == (1, 1)
        assert streams.most_unsent > len(NEWS)


def test_a_refused_request_is_told_in_the_servers_words(watch: Watch) -> None:
    refused = JobPart("request", b"POST /refuses HTTP/1.1\r\n\r\n")
    with serving([]) as streams, pytest.raises(Malformed) as raised:
        watch(streams, VIEWER, refused)
    assert "Not yours" in str(raised.value.say.facts["reason"])


def test_a_viewer_that_is_not_let_in_is_told(watch: Watch) -> None:
    missing = JobPart("viewer", b"GET /nothing HTTP/1.1\r\n\r\n")
    with serving([]) as streams, pytest.raises(Malformed) as raised:
        watch(streams, missing)
    assert "not let in" in str(raised.value.say.facts["reason"])


def test_more_viewers_than_are_opened_at_once(watch: Watch) -> None:
    turn = [(n, NEWS) for n in range(70)]
    with serving([turn]) as streams:
        heard = watch(streams, *[VIEWER] * 70, REQUEST)
    assert heard.requests[0].reached == 70
