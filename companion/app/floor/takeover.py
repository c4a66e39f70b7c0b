"""Tell whether another program uses a table's id at the broker, or the broker itself goes away.

Laws: a broker that says "session taken over" is believed at once. Mosquitto 2.0 closes the older
connection without a word, which looks as if the broker were started anew. So after some connections
that were hardly there, a second one under a name of its own watches the broker: only where that one
stays while the first is lost, again and again, another program has the id. A broker or a network
that comes and goes takes both.
"""

import secrets
import time
from typing import NamedTuple

from paho.mqtt.client import Client
from paho.mqtt.reasoncodes import ReasonCode

from companion.app.floor.client import make_client, start_client, stop_client
from companion.floor.broker import Broker

TAKEN_OVER, NO_SIGN_OF_LIFE = 0x8E, 0x8D
SHORT = 15.0
"""Seconds of a connection that was hardly there."""
SUSPICIOUS, TOO_MANY = 2, 2
"""How many of them in a row have the broker watched, and how many losses of only one of both tell
of another program."""
GRACE = 0.3
"""Seconds for the loss of the second connection to be noticed: less than before a reconnection."""


class _Loss(NamedTuple):
    """A connection that was lost: since when it had been there, and until when."""

    begun: float
    ended: float


class TakeoverWatch:
    """Watches one client of a broker: it is told of connections, and asked now and then."""

    def __init__(self, broker: Broker, name: str) -> None:
        self._broker, self._name = broker, f"{name}-{secrets.token_hex(4)}"
        self._connected: float | None = None
        self._short_lives = self._takeovers = 0
        self._is_told = False
        self._loss: _Loss | None = None
        self._watcher: Client | None = None
        self._watching: float | None = None

    def note_connected(self) -> None:
        """Take that the watched client is connected."""
        self._connected = time.monotonic()

    def note_lost(self, reason: ReasonCode) -> None:
        """Take that it was disconnected, for this reason."""
        begun, ended, self._connected = self._connected, time.monotonic(), None
        if reason.value == TAKEN_OVER:
            self._is_told = True
        elif begun is not None and ended - begun < SHORT and reason.value != NO_SIGN_OF_LIFE:
            self._short_lives += 1
            self._loss = _Loss(begun, ended)

    def is_taken_over(self) -> bool:
        """Return whether another program has the id; ask more often than a connection is made."""
        now = time.monotonic()
        if self._connected is not None and now - self._connected > SHORT:
            self.close()
        if self._short_lives >= SUSPICIOUS and self._watcher is None:
            self._begin_watching()
        if self._loss is not None and now - self._loss.ended > GRACE:
            is_only_one = self._watching is not None and self._watching < self._loss.begun
            self._takeovers = self._takeovers + 1 if is_only_one else 0
            self._loss = None
        return self._is_told or self._takeovers >= TOO_MANY

    def close(self) -> None:
        """Watch no more, and forget what raised suspicion."""
        self._short_lives = self._takeovers = 0
        if self._watcher is not None:
            stop_client(self._watcher)
            self._watcher = self._watching = None

    @property
    def is_suspicious(self) -> bool:
        """Return whether it is to be asked soon."""
        return self._loss is not None

    def _begin_watching(self) -> None:
        def note_watching(client: Client, *told: object) -> None:
            if client is self._watcher:
                self._watching = None if getattr(told[2], "is_failure", True) else time.monotonic()

        def note_lost(client: Client, *_told: object) -> None:
            if client is self._watcher:
                self._watching = None

        self._watcher = make_client(self._broker, self._name)
        self._watcher.on_connect = note_watching
        self._watcher.on_disconnect = note_lost
        start_client(self._watcher, self._broker)
