"""The host of the table at random: signing in and out, new PINs, and the game as a whole.

Law: a host whose PIN is lost, because the answer that said it was, has the command line make one
while the companion is down (`lost_pin`).
"""

import threading

from bench.nemesis.attempts import OK, UNKNOWN
from bench.nemesis.browser import Browser
from bench.nemesis.people import SEATS, Person

WRONG = "000000"


class KnownPin:
    """The PIN as the people of the house know it; `lost` while nobody does."""

    def __init__(self) -> None:
        self.digits, self.lost = "", False


class Host(Person):
    """Somebody who knows the PIN, at one of several browsers of the house."""

    pause = 0.3, 1.2

    def __init__(self, browser: Browser, seed: str, stop: threading.Event, pin: KnownPin) -> None:
        super().__init__(browser, seed, stop)
        self._pin, self._is_in = pin, False

    def act(self) -> None:
        if not self._is_in:
            self.sign_in()
            return
        chance = self.random.random()
        if chance < 0.5:
            self.decide()
        elif chance < 0.72:
            self._is_in = self.browser.read("/api/host/health", "host_read").code != "not_host"
        elif chance < 0.80:
            self.sign_in()
        elif chance < 0.90:
            self.write("/api/host/session/end", "sign_out")
            self._is_in = False
        elif chance < 0.94:
            self.write("/api/host/session/end-all", "sign_out_all")
            self._is_in = False
        else:
            self.renew_pin()

    def sign_in(self) -> None:
        """Sign in with the PIN, now and then with a wrong one."""
        if self.random.random() < 0.7:
            self._is_in = self.browser.read("/api/host/health", "host_read").outcome == OK
        wrong = self._pin.lost or self.random.random() < 0.05
        pin = WRONG if wrong else self._pin.digits
        done = self.write("/api/host/session", "sign_in", pin=pin)
        self._is_in = self._is_in or done.outcome == OK

    def renew_pin(self) -> None:
        """Have a new PIN made; it is lost if its answer is."""
        done = self.browser.write("/api/host/pin", "new_pin", self.new_key())
        if done.outcome == OK:
            self._pin.digits, self._pin.lost = done.answer["pin"], False
        elif done.outcome == UNKNOWN:
            self._pin.lost = True

    def decide(self) -> None:
        """Decide something about the game or its seats."""
        seat, chance = self.random.randint(1, SEATS), self.random.random()
        if chance < 0.1:
            self.write(f"/api/host/seats/{seat}/free", "free", seat)
        elif chance < 0.15:
            self.write(f"/api/host/seats/{seat}/take", "take", seat)
        elif chance < 0.2:
            self.write(f"/api/join/seats/{seat}/freed", "stand", seat)
        else:
            looked, view = self.browser.look("/api/table", "table_view")
            if looked.outcome == OK:
                self.ask_for_table(view["at"])

    def ask_for_table(self, version: int) -> None:
        """Ask for something in the name of the table; mostly that it goes on."""
        names = ["thawed"] * 12 + ["paused", "paused", "resealed", "ended"]
        event = {"event": self.random.choice(names)}
        self.write("/api/host/requests", "table_ask", event=event, version=version)
