"""What people at the table ask for at random: what their view offers, and what it does not.

Law: only what a view says is used to choose; hands are known by the seals that close them, as in
`tests/worlds/phone_players.py`.
"""

import threading
from random import Random
from typing import Any

from companion.core.commitment import make_seal
from companion.core.events import Value

JsonView = dict[str, Any]
Fields = dict[str, Any]
NOTHING = 0, "0" * 32


class Hands:
    """What the hands of all seats hold, by their seals. Thread-safe."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[Value, str]] = {}
        self._lock = threading.Lock()

    def close(self, view: JsonView, value: Value, nonce: str) -> str:
        """Close a hand round a value; return the seal."""
        public = view["public"]
        seal = make_seal(public["id"], public["round"], view["seat"], value, nonce)
        with self._lock:
            self._held[seal] = value, nonce
        return seal

    def open(self, view: JsonView) -> tuple[Value, str]:
        """Return value and nonce of the hand of this seat; nothing that fits, if it is unknown."""
        seal = view["public"]["seats"][view["seat"] - 1]["seal"]
        with self._lock:
            return self._held.get(seal, NOTHING)


def choose_event(view: JsonView, hands: Hands, random: Random) -> Fields | None:
    """Return an event that this seat may ask for, or None."""
    todos = view["table"].get("todos", ())
    if todos and random.random() < 0.8:
        place = random.choice(todos)["place"]
        return {"event": "settled", "place": place, "way": random.choice(("hand", "log", "cards"))}
    if not view["may"] or random.random() < 0.1:
        return amend(view, random)
    return take_up(view, random.choice(view["may"]), hands, random)


def amend(view: JsonView, random: Random) -> Fields:
    """Return an event that any seat may ask for at any time."""
    target = random.randint(max(1, view["at"] - 6), view["at"] + 1)
    return random.choice((
        {"event": "undone", "target": target},
        {"event": "undone", "target": target, "reason": "nobody meant that"},
        {"event": "frozen", "seat": view["seat"]},
        {"event": "thawed"},
        {"event": "resealed"},
        {"event": "passed"},
    ))  # fmt: skip


def take_up(view: JsonView, offer: Fields, hands: Hands, random: Random) -> Fields:
    """Return the event of an offer, with every field filled."""
    if offer["do"] == "sealed":
        nonce = f"{random.getrandbits(128):032x}"
        return {"event": "sealed", "seal": hands.close(view, fill_hand(view, random), nonce)}
    if offer["do"] == "opened":
        value, nonce = hands.open(view)
        return {"event": "opened", "value": value, "nonce": nonce}
    choice = random.choice(offer.get("choices") or [{}])
    fields = {
        name: random.choice(value) if isinstance(value, list) and value else value
        for name, value in choice.items()
    }
    if offer["do"] == "declared":
        fields["will"] = fields["bank"] == hands.open(view)[0]
    return {"event": offer["do"], **fields}


def fill_hand(view: JsonView, random: Random) -> Value:
    """Return what a hand closes around: coins, chips or a bank."""
    mine, public = view["mine"], view["public"]
    if "coins" in mine:
        return random.randint(0, mine["coins"])
    if "chips" in mine:
        return {c: random.randint(0, min(n, 2)) for c, n in mine["chips"].items() if n}
    return str(random.choice(public["banks"])["name"])
