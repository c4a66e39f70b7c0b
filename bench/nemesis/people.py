"""People at the table, each with a browser and a will of their own, all at the same time.

Laws: nobody waits for anybody. A request without an answer is sent again with its key, at once or
much later, and now and then one is sent twice from the start. Everything is drawn from the seed.
"""

import threading
from abc import ABC, abstractmethod
from random import Random

from bench.nemesis.attempts import OK, UNKNOWN, Attempt
from bench.nemesis.browser import Browser
from bench.nemesis.phones import Hands, choose_event

SEATS = 4
LATE = 40
"""Unanswered requests that one person remembers."""


class Person(ABC, threading.Thread):
    """One person; `act` is what they do between two pauses, until `stop` is set."""

    pause = 0.12, 0.5
    """Seconds between two actions, as at a hectic table; the table allows five writes a second."""

    def __init__(self, browser: Browser, seed: str, stop: threading.Event) -> None:
        super().__init__(name=browser.name, daemon=True)
        self.browser, self.random, self._stop_event = browser, Random(seed), stop
        self._unanswered = list[tuple[str, Attempt]]()

    def run(self) -> None:
        """Come in, and act until it is over."""
        while not self._stop_event.wait(self.random.uniform(*self.pause)):
            if self.browser.is_known:
                self.act()
            else:
                self.look_round()

    @abstractmethod
    def act(self) -> None:
        """Do one thing."""

    def look_round(self) -> Attempt:
        """Ask which seats are taken, and which of them are one's own."""
        return self.browser.read("/api/join", "join")

    def new_key(self) -> str:
        return f"{self.name}-{self.random.getrandbits(48):012x}"

    def write(self, path: str, kind: str, seat: int = 0, **sent: object) -> Attempt:
        """Send a request, again while it is not answered and patience lasts."""
        if self.random.random() < 0.03:
            return self._write_twice(path, kind, seat, **sent)
        attempt = self.browser.write(path, kind, self.new_key(), seat, **sent)
        while (attempt.outcome == UNKNOWN or attempt.code == "down") and self.random.random() < 0.6:
            if self._stop_event.wait(self.random.uniform(*self.pause)):
                return attempt
            attempt = self.browser.write_again(path, attempt)
        if attempt.outcome == UNKNOWN:
            self._unanswered = [*self._unanswered, (path, attempt)][-LATE:]
        elif attempt.code == "not_written" and self.random.random() < 0.5:
            attempt = self.browser.write_again(path, attempt)
        return attempt

    def _write_twice(self, path: str, kind: str, seat: int, **sent: object) -> Attempt:
        """Send one request twice at the same time, as a network that repeats itself does."""
        before = Attempt(self.name, kind, seat, self.new_key(), sent)
        copy = threading.Thread(target=self.browser.write_again, args=(path, before))
        copy.start()
        attempt = self.browser.write_again(path, before)
        copy.join()
        return attempt

    def send_late(self) -> None:
        """Send a request again that was not answered long ago."""
        if self._unanswered:
            path, attempt = self._unanswered.pop(self.random.randrange(len(self._unanswered)))
            self.browser.write_again(path, attempt)


class Player(Person):
    """Somebody who plays: sits down, plays what is offered, tries what is not."""

    def __init__(self, browser: Browser, seed: str, stop: threading.Event, hands: Hands) -> None:
        super().__init__(browser, seed, stop)
        self._hands, self._own = hands, list[int]()

    def act(self) -> None:
        chance = self.random.random()
        if not self._own or chance < 0.04:
            self.note_own(self.look_round())
        if not self._own:
            self.sit(self.random.randint(1, SEATS))
        elif chance < 0.04:
            self.send_late()
        elif chance < 0.07:
            self.sit(self.random.randint(1, SEATS))
        elif chance < 0.09:
            self.stand(self._own[0])
        elif chance < 0.11:
            self.play(self.random.randint(1, SEATS))
        else:
            self.play(self.random.choice(self._own))

    def note_own(self, door: Attempt) -> None:
        if door.outcome == OK:
            self._own = list(door.answer["own"])

    def sit(self, seat: int) -> None:
        done = self.write(f"/api/join/seats/{seat}", "sit", seat)
        self._own = [seat] if done.outcome == OK else []

    def stand(self, seat: int) -> None:
        self.write(f"/api/join/seats/{seat}/freed", "stand", seat)
        self._own = []

    def play(self, seat: int) -> None:
        """Look, and ask for something."""
        looked, view = self.browser.look(f"/api/seats/{seat}", "seat_view", seat)
        if looked.outcome != OK:
            self._own = [own for own in self._own if own != seat or looked.code != "not_your_seat"]
            return
        if view["public"]["phase"] == "over" and self.random.random() < 0.3:
            self.write(f"/api/play/{seat}/deal", "deal", seat)
            return
        event = choose_event(view, self._hands, self.random)
        if event is None:
            return
        version = view["at"] if self.random.random() < 0.95 else max(0, view["at"] - 3)
        path = f"/api/seats/{seat}/requests"
        done = self.write(path, "ask", seat, event=event, version=version)
        if done.code == "frozen":
            self.write(path, "ask", seat, event={"event": "thawed"}, version=version)
        elif done.code == "ended":
            self.write(f"/api/play/{seat}/deal", "deal", seat)


class Listener(threading.Thread):
    """A page that stays open: it follows the stream of a seat, or of the table."""

    def __init__(self, browser: Browser, seat: int, stop: threading.Event) -> None:
        super().__init__(name=browser.name, daemon=True)
        self._browser, self._seat, self._stop_event = browser, seat, stop

    def run(self) -> None:
        path = f"/api/stream/seats/{self._seat}" if self._seat else "/api/stream/table"
        while not self._stop_event.wait(0.5):
            for _ in self._browser.stream(path, self._seat):
                if self._stop_event.is_set():
                    return
