"""Generated requests, as stranger, player and host, checked against the OpenAPI document.

Law: whatever is sent, the answer is one that the document promises for that operation: its status,
its media type, its headers, its schema. What is malformed is never granted. Nothing answers 5xx.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from companion.journal import Journal
from companion.seating.seats import Seats
from tests.worlds.host_browser import AtHome
from tests.worlds.signer import SigningApp
from tests.worlds.standing_tables import table
from tests.worlds.visitor import OURS, UNHURRIED
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.session_cookies import make_serializer
from web.sessions import BROWSER_KEY

PROMISED = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.allow_header_conformance,
]
CHECKS = [*PROMISED, checks.negative_data_rejection]
STRANGER, PLAYER, HOST = "stranger", "player", "host"
DOCUMENT = "/api/openapi.json"
STREAMS, HOSTS = "/api/stream/", "/api/host/"
JSON = "application/json"
FORMS = (
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
)
FROM = {"Origin": OURS, "Accept-Encoding": "identity"}
REQUESTS = {"/api/seats/{seat}/requests": PLAYER, "/api/host/requests": HOST}
KNOWN = "in cookie - violates"
"""Who is to be known by the cookie is decided here: no case can leave it out."""
MINE = 1
"""The seat of the player."""

WORDS = ("do", "choice", "version", "key", "event", "language", "seat", "a.b", "a[]")
WAYS = ("cards", "log", "hand", "reader")
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 10**30, 0.5, "", "5", "red", "\x00", "\ud800", "x" * 300, [], [1], {},
    {"red": 1}, {"red": -1}, {"": ""}, [[[]]], {"event": "opened"},
)  # fmt: skip
"""What stands where something else should."""
RUDE = st.one_of(
    st.binary(max_size=200),
    st.sampled_from(
        [
            b"[" * 5_000,
            b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
            b'{"key":"a","key":"b","version":1,"event":{}}',
            b'{"key":"a","version":NaN,"event":{}}',
            b'{"key":"a","version":1e999,"event":{"event":"opened","value":1e999,"nonce":""}}',
            b'{"key":"a","version":1,"event":{"event":"opened","value":%s,"nonce":""}}'
            % (b"9" * 5_000),
            b'{"key":"a","version":1,"event":{"event":"undone","target":-1,"reason":"\\ud800"}}',
            b'{"key":"a","version":1,"event":{"event":"undone","target":1,"reason":"\\u0000"}}',
            b'{"key":"a","version":1,"event":{"event":["x"],"seat":{}}}',
            b'{"key":"\xff","version":1,"event":{}}',
            b"\xef\xbb\xbf{}",
            b"null",
            b"x" * 20_000,
        ]
    ),
    st.lists(
        st.tuples(
            st.sampled_from(WORDS),
            st.text(max_size=20) | st.sampled_from(["{", "1"]),
        )
    ).map(
        lambda pairs: "&".join(f"{name}={value}" for name, value in pairs).encode(
            "utf-8", "replace"
        )
    ),
)
"""Bodies that no document would have."""
KINDS = st.sampled_from(
    [
        JSON,
        JSON,
        "application/json; charset=utf-16",
        "text/plain",
        "",
        *FORMS,
        "*/*",
        "application/xml",
    ]
)


class Campaign:
    """Requests against one app, counted; and what was wrong with the answers."""

    def __init__(self, app: Flask, seed: int = 1) -> None:
        self.app, self.seed = app, seed
        self.schema = schemathesis.openapi.from_wsgi(DOCUMENT, SigningApp(app))
        self.statuses: Counter[int] = Counter()
        self.codes: set[str] = set()
        self.wrong: list[str] = []

    @property
    def cases(self) -> int:
        """How many requests were sent."""
        return self.statuses.total()

    def operations(self) -> Iterator[Any]:
        """Every operation of the document; streams do not end, and so are not among them."""
        for found in self.schema.get_all_operations():
            if not found.ok().path.startswith(STREAMS):
                yield found.ok()

    def ask_all(self, many: int, who: str) -> None:
        """So many requests to every operation: as the document has them, otherwise, and rudely."""
        for operation in self.operations():
            if who != STRANGER and operation.path.startswith(HOSTS) != (who == HOST):
                continue  # To a player the host's operations are what they are to a stranger.
            send = partial(self._send, who)
            if REQUESTS.get(operation.path) == who:
                self._run(
                    partial(self._send_nearly, who, operation),
                    many,
                    st.integers(0, 2**32).map(Random),
                )
            if not operation.body:
                self._run(send, many, cases(operation, GenerationMode.POSITIVE))
                continue
            self._run(send, many // 2, cases(operation, GenerationMode.POSITIVE))
            self._run(send, many // 4, cases(operation, GenerationMode.NEGATIVE))
            rudely = partial(self._send_rudely, who, operation)
            self._run(rudely, many // 4, st.tuples(RUDE, KINDS))

    def _run(self, send: Callable[[Any], None], many: int, cases: st.SearchStrategy[Any]) -> None:
        @seed(self.seed)
        @settings(
            max_examples=many,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(cases)
        def run(case: Any) -> None:
            send(case)

        run()

    def _send(self, who: str, case: Any) -> None:
        case.headers.pop("Authorization", None)  # Of a program; what asks here is a browser.
        answer = case.call(headers=FROM, cookies=self.cookies(who))
        if answer.status_code >= 400:
            self.codes.add(answer.json()["code"])
        self._look(case, answer, CHECKS, f"{case.body!r}")

    def _send_nearly(self, who: str, operation: Any, random: Random) -> None:
        """What this seat may do now, or what could be amended, with perhaps one field otherwise."""
        table = self.app.extensions[CONTEXT_KEY].table
        view = table.view(MINE)
        event = wish(view, random) if view else {"event": "passed"}
        if random.random() < 0.3:
            event[random.choice([*event, "seat"])] = random.choice(ODD)
        body = {"event": event, "version": table.version, "key": f"k-{self.cases}"}
        where = {"seat": MINE} if "{seat}" in operation.path else {}
        self._send(who, operation.Case(path_parameters=where, body=body))

    def _send_rudely(self, who: str, operation: Any, sent: tuple[bytes, str]) -> None:
        body, kind = sent
        path = operation.path.replace("{seat}", str(MINE))
        client = self.app.test_client()
        for name, value in self.cookies(who).items():
            client.set_cookie(name, value)
        answer = client.open(
            path, method=operation.method, data=body, content_type=kind, base_url=OURS, headers=FROM
        )
        case = operation.Case(path_parameters={"seat": MINE} if path != operation.path else {})
        self._look(case, answer, PROMISED, f"{body!r} as {kind}")

    def _look(self, case: Any, answer: Any, checks: list[Any], sent: str) -> None:
        self.statuses[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=checks)
        except FailureGroup as group:
            for failure in group.exceptions:
                if KNOWN in str(failure):
                    continue
                self.wrong.append(f"{case.method} {case.formatted_path} {sent}: {failure}")

    def cookies(self, who: str) -> dict[str, str]:
        """What a browser sends along to be known; the player's still holds the seat."""
        if who == STRANGER:
            return {}
        here = self.app.extensions[CONTEXT_KEY]
        here.seats.free_seat(MINE)
        if here.table.view():
            assert here.seats.take_seat(MINE, who) is None
        if who == HOST:
            here.host.sessions.admit_by_pass(who)
        return {"companion": cookie(self.app, who)}


def wish(view: Any, random: Random) -> dict[str, Any]:
    """Something that a seat may ask for as things stand, or that could be amended."""
    asked = [{"event": may.do, **one} for may in view.may for one in may.choices or ({},)]
    chosen = dict(random.choice([*asked, *asked, {"event": "passed"}]))
    for name, value in chosen.items():
        if isinstance(value, tuple) and value:
            chosen[name] = random.choice(value)
    moment = random.randint(0, view.at + 1)
    amended: list[dict[str, Any]] = [
        {"event": "undone", "target": moment},
        {"event": "corrected", "target": moment, "instead": {"seat": MINE, **chosen}},
        {"event": "settled", "place": random.randint(0, 9), "way": random.choice(WAYS)},
        {"event": random.choice(["frozen", "thawed", "resealed", "ended"])},
        {"event": "sealed", "seal": f"{random.getrandbits(256):064x}"},
        {"event": "opened", "value": random.choice(ODD), "nonce": "a" * 32},
    ]
    return chosen if random.random() < 0.5 else random.choice(amended)


def cases(operation: Any, mode: GenerationMode) -> st.SearchStrategy[Any]:
    """Requests to this operation; where it is about a seat, most are about the player's."""
    anywhere = operation.as_strategy(generation_mode=mode)
    if "{seat}" not in operation.path:
        return anywhere
    mine = operation.as_strategy(generation_mode=mode, path_parameters={"seat": MINE})
    return st.one_of(mine, mine, mine, mine, anywhere)


def cookie(app: Flask, browser: str) -> str:
    """The signed cookie of a browser of this name."""
    return str(make_serializer(app).dumps({BROWSER_KEY: browser}))


def served(path: Path, game: str, state: str) -> Flask:
    """The pages of a table in this state, with a house; nobody is told to wait."""
    at = table(path, game, state)
    house = AtHome(at, Journal(path.with_suffix(".house")))
    here = AppContext(at, Seats(open_house=True), host=house, backups=house.safe(path.parent))
    return create_app(here, limits=UNHURRIED)
