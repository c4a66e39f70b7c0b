"""The history of a run: every request as it was invoked, and what became of it.

Laws: an attempt is noted before it is sent, so none is forgotten. It is `unknown` where no answer
came: it may have had its effect, once, until the companion that it was sent to died; that is at the
latest the first one that died after its client had given it up. Times are seconds of one monotonic
clock.
"""

import math
import threading
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from bench.nemesis.looks import Looks

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
NEVER = math.inf


class Attempt(msgspec.Struct, omit_defaults=True):
    """One request of one client.

    `given_up` is when its client stopped waiting for an answer that says what became of it;
    `latest` is when it can have had its effect at the latest.
    """

    client: str
    kind: str
    seat: int = 0
    key: str = ""
    sent: dict[str, Any] = {}
    invoked: float = 0.0
    returned: float = NEVER
    given_up: float = NEVER
    outcome: str = UNKNOWN
    status: int = 0
    code: str = ""
    answer: Any = None
    is_again: bool = False
    latest: float = NEVER

    def __str__(self) -> str:
        if self.kind == FAULT:
            return f"[{self.invoked:.3f} {self.code}]"
        when = f"{self.invoked:.3f}–{self.returned:.3f}"
        what = f"{self.kind} {self.seat or ''}".strip()
        code = f" {self.code}" if self.code else ""
        return f"[{when} {self.client}: {what} {self.key} → {self.outcome}{code}]"


FAULT = "fault"
"""The kind of an attempt that stands for what befell the companion."""
MOST_TRACED = 3
MAYBE = "maybe_written"
"""The code of a refusal by a disk that failed so late that nothing more can be told."""


@dataclass
class Death:
    """A companion came to its end: killed, or the power cut."""

    at: float
    power_cut: bool


LOOKS = ("seat_view", "table_view", "stream")
"""The kinds of attempts whose answer is a view."""
KEPT = ("join", "new_pin", "pin_made", "pin_printed")
"""The kinds of attempts whose answer is looked at later."""


class Recorder:
    """Takes down all attempts of all clients. Thread-safe."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self.attempts: list[Attempt] = []
        self.deaths: list[Death] = []
        self.notes: list[str] = []
        """What was wrong without any check."""
        self._lock = threading.Lock()
        self._begun = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._begun

    def begin(self, attempt: Attempt) -> Attempt:
        """Take down an attempt that is about to be sent."""
        with self._lock:
            attempt.invoked = self.now()
            self.attempts.append(attempt)
            return attempt

    def end(self, attempt: Attempt, status: int, answer: Any) -> None:
        """Take down its answer; some answers do not say whether it had its effect."""
        attempt.status = status
        attempt.code = str(answer.get("code", "")) if isinstance(answer, dict) else ""
        if status < 500 and attempt.code != MAYBE:
            attempt.outcome = OK if status < 400 else REFUSED
            attempt.returned = self.now()
        else:
            self.give_up(attempt)
        if attempt.kind in KEPT:
            attempt.answer = answer
        elif attempt.kind in LOOKS and attempt.outcome == OK:
            with self._lock:
                attempt.answer = self._looks.keep(answer)

    def give_up(self, attempt: Attempt) -> None:
        """Take down that nobody waits for its answer any more: its connection is closed."""
        attempt.given_up = self.now()

    def note_death(self, power_cut: bool) -> None:
        """Take down that the companion is dead."""
        self.deaths.append(Death(self.now(), power_cut))

    def note_fault(self, fault: str) -> None:
        """Take down what befalls the companion now, for the traces."""
        attempt = self.begin(Attempt("nemesis", FAULT, code=fault))
        attempt.outcome, attempt.returned = OK, attempt.invoked

    def note(self, wrong: str) -> None:
        """Take down something that must not happen."""
        with self._lock:
            self.notes.append(f"[{self.now():.3f}] {wrong}")

    def closed(self) -> list[Attempt]:
        """Return all attempts, by the time of their beginning, each unknown one with its end."""
        return close_attempts(self.attempts, self.deaths)


def close_attempts(attempts: list[Attempt], deaths: list[Death]) -> list[Attempt]:
    """Return all attempts, by the time of their beginning, each unknown one with its end."""
    ends = [death.at for death in deaths]
    for attempt in attempts:
        n = bisect_right(ends, attempt.given_up)
        attempt.latest = min(attempt.returned, ends[n] if n < len(ends) else NEVER)
    return sorted(attempts, key=lambda attempt: attempt.invoked)


def group_by_key(attempts: "list[Attempt]") -> "dict[str, list[Attempt]]":
    """Return the attempts of each request: those with the same key."""
    found = defaultdict(list)
    for attempt in attempts:
        if attempt.key:
            found[attempt.key].append(attempt)
    return dict(found)


def trace_back(attempts: list[Attempt], until: Attempt, is_about: Callable[[Attempt], bool]) -> str:
    """Return the last few attempts that changed what a call is about, and the faults since."""
    before = [each for each in attempts if each.invoked < until.returned and each is not until]
    about = [each for each in before if is_about(each) and each.outcome != REFUSED][-MOST_TRACED:]
    since = about[-1].invoked if about else 0.0
    faults = [each for each in before if each.kind == FAULT and each.invoked >= since]
    told = [*faults[:MOST_TRACED], *faults[MOST_TRACED:][-MOST_TRACED:]]
    return " ".join(map(str, [*about, *told]))
