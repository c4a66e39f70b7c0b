"""A long history of seats and PIN as the nemesis would record it, of a companion that is a model.

Law: the model keeps what the companion promises, whatever the network loses and however often it
dies; whatever a checker finds in it was put there by a test.
"""

import heapq
from collections.abc import Callable, Generator
from itertools import count
from random import Random
from typing import Any

from bench.nemesis.attempts import KEPT, OK, REFUSED, UNKNOWN, Attempt, Death, close_attempts
from bench.nemesis.host_model import BY_HOST
from bench.nemesis.seat_model import EFFECTS

SEATS, PLAYERS, HOSTS = 4, 5, 2
LIFE = 0.5, 9.0
"""Seconds that a companion lives."""
LATE = 0.3
"""Share of the unanswered requests that arrive after their client has given them up."""
Steps = Generator[float, None, None]
"""What somebody does, between pauses of so many seconds."""
Asking = Generator[float, None, Attempt]
Answer = tuple[str, Any]
"""The code of a refusal, and the answer."""


class ModelCompanion:
    """Who holds which seat, the PIN, and who is signed in."""

    def __init__(self) -> None:
        self.holders = [""] * SEATS
        self.pin, self.signed_in = "", set[str]()
        self._granted = set[str]()
        self._operations: dict[str, Callable[[Attempt], Answer]] = {
            "join": lambda by: ("", {"own": self._list_own(by)}),
            "seat_view": lambda by: ("" if by.seat in self._list_own(by) else "not_your_seat", {}),
            "sit": self._sit,
            "stand": self._stand,
            "sign_in": self._sign_in,
            "host_read": lambda by: ("", {}),
            "sign_out": self._sign_out,
            "new_pin": lambda by: self.renew_pin(by.client, by.key),
            "free": lambda by: self._put("", by.seat),
            "take": lambda by: self._put(by.client, by.seat),
        }

    def answer(self, attempt: Attempt) -> Answer:
        """Do what is asked for; a change of the seats once in a life for each key."""
        if attempt.kind in BY_HOST and attempt.client not in self.signed_in:
            return "not_host", {}
        if attempt.key in self._granted:
            return "", {}
        code, answer = self._operations[attempt.kind](attempt)
        if attempt.kind in EFFECTS and not code:
            self._granted.add(attempt.key)
        return code, answer

    def die(self) -> None:
        """Forget all that is not on the disk."""
        self._granted.clear()

    def renew_pin(self, client: str, pin: str) -> Answer:
        self.pin, self.signed_in = pin, {client}
        return "", {"pin": pin}

    def _list_own(self, by: Attempt) -> list[int]:
        return [n for n, who in enumerate(self.holders, 1) if who == by.client]

    def _put(self, client: str, seat: int) -> Answer:
        self.holders[seat - 1] = client
        return "", {}

    def _sit(self, by: Attempt) -> Answer:
        if self.holders[by.seat - 1] not in ("", by.client):
            return "seat_taken", {}
        self.holders = ["" if who == by.client else who for who in self.holders]
        return self._put(by.client, by.seat)

    def _stand(self, by: Attempt) -> Answer:
        if by.seat not in self._list_own(by):
            return "not_your_seat", {}
        return self._put("", by.seat)

    def _sign_in(self, by: Attempt) -> Answer:
        if by.sent["pin"] != self.pin:
            return "wrong_pin", {}
        self.signed_in.add(by.client)
        return "", {}

    def _sign_out(self, by: Attempt) -> Answer:
        self.signed_in.remove(by.client)
        return "", {}


class LongHistory:
    """So many seconds of players and hosts; `lost` is the share of requests without an answer."""

    def __init__(self, seed: int, seconds: float, lost: float = 0.2) -> None:
        self.random, self._lost, self._end = Random(seed), lost, seconds
        self._companion, self._now, self._keys = ModelCompanion(), 0.0, count(1)
        self._made, self._deaths = list[Attempt](), list[Death]()
        self._due: list[tuple[float, int, Steps]] = []
        self._order = count()
        self._known_pin = ""
        self._make_pin()
        for n in range(PLAYERS):
            self._plan(self._play(f"ana-{n}"))
        for n in range(HOSTS):
            self._plan(self._keep_house(f"host-{n}"))
        self._plan(self._die_often())
        self._run()
        self.attempts = close_attempts(self._made, self._deaths)

    def _plan(self, steps: Steps, pause: float = 0.0) -> None:
        heapq.heappush(self._due, (self._now + pause, next(self._order), steps))

    def _run(self) -> None:
        while self._due:
            self._now, _, steps = heapq.heappop(self._due)
            pause = next(steps, None)
            if pause is not None:
                self._plan(steps, pause)

    def _die_often(self) -> Steps:
        while self._now < self._end:
            yield self.random.uniform(*LIFE)
            self._deaths.append(Death(self._now, power_cut=False))
            self._companion.die()
            if not self._known_pin:
                yield 0.01
                self._make_pin()

    def _make_pin(self) -> None:
        """Have a PIN made on the command line, while the companion is down."""
        self._known_pin = f"pin {next(self._keys)}"
        self._companion.renew_pin("console", self._known_pin)
        made = Attempt("console", "pin_made", answer={"pin": self._known_pin}, outcome=OK)
        made.invoked = made.returned = self._now
        self._made.append(made)

    # Requests.

    def _ask(self, client: str, kind: str, seat: int, key: str = "", **sent: Any) -> Asking:
        """Send a request; it, or its answer, may be lost, or it arrives late."""
        attempt = Attempt(client, kind, seat, key or f"key {next(self._keys)}", sent)
        attempt.invoked = self._now
        self._made.append(attempt)
        life, is_lost = len(self._deaths), self.random.random() < self._lost
        is_late = is_lost and self.random.random() < LATE
        if is_late:
            self._plan(self._arrive(attempt, life), self.random.uniform(0.2, 3))
        yield self.random.uniform(0.001, 0.2)
        arrives = life == len(self._deaths) and not is_late
        if arrives and (not is_lost or self.random.random() < 0.5):
            code, answer = self._companion.answer(attempt)
            yield self.random.uniform(0.001, 0.1)
            if not is_lost and life == len(self._deaths):
                attempt.outcome, attempt.code = REFUSED if code else OK, code
                attempt.answer = answer if kind in KEPT else None
                attempt.returned = self._now
        if attempt.outcome == UNKNOWN:
            attempt.given_up = self._now
        return attempt

    def _arrive(self, attempt: Attempt, life: int) -> Steps:
        if life == len(self._deaths):
            self._companion.answer(attempt)
        yield from ()

    def _write(self, client: str, kind: str, seat: int, key: str = "", **sent: Any) -> Asking:
        """Send a request until it is answered, or patience ends."""
        key = key or f"key {next(self._keys)}"
        attempt = yield from self._ask(client, kind, seat, key, **sent)
        while attempt.outcome == UNKNOWN and self.random.random() < 0.6:
            yield self.random.uniform(0.1, 0.5)
            attempt = yield from self._ask(client, kind, seat, key, **sent)
        return attempt

    # People.

    def _play(self, client: str) -> Steps:
        own, unanswered = 0, list[Attempt]()
        while self._now < self._end:
            yield self.random.uniform(0.12, 0.5)
            chance, seat = self.random.random(), self.random.randint(1, SEATS)
            if unanswered and chance < 0.04:
                late = unanswered.pop(self.random.randrange(len(unanswered)))
                yield from self._ask(client, late.kind, late.seat, late.key)
            elif not own or chance < 0.1:
                done = yield from self._write(client, "sit", seat)
                own = seat if done.outcome == OK else 0
                unanswered += [done] if done.outcome == UNKNOWN else []
            elif chance < 0.13:
                yield from self._write(client, "stand", own)
                own = 0
            elif chance < 0.2:
                done = yield from self._ask(client, "join", 0)
                own = min(done.answer["own"], default=0) if done.outcome == OK else own
            else:
                done = yield from self._ask(client, "seat_view", own)
                own = 0 if done.code == "not_your_seat" else own

    def _keep_house(self, client: str) -> Steps:
        is_in = False
        while self._now < self._end:
            yield self.random.uniform(0.3, 1.2)
            kinds, weights = ("host_read", "free", "take", "sign_out", "new_pin"), (12, 2, 1, 2, 1)
            (kind,) = self.random.choices(kinds, weights)
            if not is_in:
                pin = self._known_pin if self.random.random() < 0.9 else "wrong"
                done = yield from self._write(client, "sign_in", 0, pin=pin)
                is_in = done.outcome == OK
                continue
            send = self._ask if kind in ("host_read", "new_pin") else self._write
            done = yield from send(client, kind, self.random.randint(1, SEATS))
            is_in = kind != "sign_out" and done.code != "not_host"
            if kind == "new_pin" and done.outcome != REFUSED:
                self._known_pin = done.answer["pin"] if done.outcome == OK else ""
