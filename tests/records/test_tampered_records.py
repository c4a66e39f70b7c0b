"""Tampered records: what the chain finds, what rules and seals find, and what no check claims.

Law: whoever tampers has the file and can compute every hash. Without a new chain nothing passes;
with one a record is at most consistent, legal and opened as sealed, and nothing else is said of it.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.commitment import make_seal
from companion.core.events import Event, Opened, Sealed, to_json
from companion.core.i18n import LANGUAGES, get_language
from companion.games import make_rulebook
from companion.records.format import Record, build_record, to_bytes
from companion.records.verify import ENDS_EARLY, REST, SAID, check_record
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Evening

Events = list[Any]
TIMES = pick(3, 10, 100)
"""How often a game is tampered with in each way."""
replace = msgspec.structs.replace


class Played:
    """A sound game, and the round of each of its moments."""

    def __init__(self, game: str, seed: int) -> None:
        self.rules = make_rulebook(game)
        evening = Evening(game, Random(seed), 3).play()
        self.events, self.rounds = evening.events, [
            state.hands.round if state is not None else 0 for state in evening.states
        ]  # fmt: skip
        self.record = self.write(self.events)

    def write(self, events: Events) -> Record:
        """A record of these events whose hashes all fit."""
        told = ((1000.5 + n, f"phone {n % 3 + 1}", to_json(e)) for n, e in enumerate(events))
        return build_record(self.rules, "evening", 1, told, ("Ana", "Ben", "Cleo"))

    def pick(self, random: Random, is_meant: Callable[[Any], object]) -> int:
        return random.choice([n for n, event in enumerate(self.events) if n and is_meant(event)])


PLAYED = {game: Played(game, 1) for game in own_games()}


def another_value(value: Any) -> Any:
    """Another value of a hand."""
    if isinstance(value, dict):
        return {**value, "red": value.get("red", 0) + 1}
    if isinstance(value, int):
        return value + 1 if value < 5 else value - 1
    return "red" if value != "red" else "blue"


def another_card(sound: Played, random: Random) -> Events:
    n = sound.pick(random, lambda event: getattr(event, "card", None) is not None)
    told = [event.card for event in sound.events if getattr(event, "card", None) is not None]
    other = random.choice([card for card in told if card != sound.events[n].card])
    return [*sound.events[:n], replace(sound.events[n], card=other), *sound.events[n + 1 :]]


def another_bid(sound: Played, random: Random) -> Events:
    n = sound.pick(random, lambda event: isinstance(event, Opened))
    bid = replace(sound.events[n], value=another_value(sound.events[n].value))
    return [*sound.events[:n], bid, *sound.events[n + 1 :]]


def another_house_rule(sound: Played, random: Random) -> Events:
    started = sound.events[0]
    name, answers = random.choice([*sound.rules.box.house_rules.items()])
    played = started.house_rules.get(name, answers[0])
    other = random.choice([answer for answer in answers if answer != played])
    return [replace(started, house_rules={**started.house_rules, name: other}), *sound.events[1:]]


def dropped(sound: Played, random: Random) -> Events:
    n = random.randrange(1, len(sound.events))
    return [*sound.events[:n], *sound.events[n + 1 :]]


def doubled(sound: Played, random: Random) -> Events:
    n = random.randrange(1, len(sound.events))
    return [*sound.events[:n], *sound.events[n:][:1], *sound.events[n:]]


TAMPERED: dict[str, Callable[[Played, Random], Events]] = {
    "card": another_card,
    "bid": another_bid,
    "house rule": another_house_rule,
    "dropped line": dropped,
    "doubled line": doubled,
}


def test_with_a_new_chain_nothing_is_claimed_beyond_the_three_checks() -> None:
    found = {kind: {"legal": 0, "sealed": 0, "nothing": 0} for kind in TAMPERED}
    for sound in PLAYED.values():
        for kind, tamper in TAMPERED.items():
            for seed in range(TIMES):
                data = to_bytes(sound.write(tamper(sound, Random(seed))))
                assert data != to_bytes(sound.record)
                (failed,) = check_claims(data) or ("nothing",)
                found[kind][failed] += 1
    assert found["bid"] == {"legal": 0, "sealed": len(PLAYED) * TIMES, "nothing": 0}
    for kind in ("card", "dropped line", "doubled line"):
        assert found[kind]["legal"], "what the rules refuse is found however the hashes fit"


@pytest.mark.parametrize("game", PLAYED)
def test_a_bid_that_was_sealed_anew_is_only_consistent_legal_and_as_sealed(game: str) -> None:
    sound, events = PLAYED[game], [*PLAYED[game].events]
    n = sound.pick(Random(1), lambda event: isinstance(event, Opened))
    opened = events[n]
    at = max(k for k in range(n) if is_seal_of(events[k], opened.seat))
    value = another_value(opened.value)
    seal = make_seal("evening", sound.rounds[at], opened.seat, value, opened.nonce)
    events[at], events[n] = replace(events[at], seal=seal), replace(opened, value=value)
    assert "sealed" not in check_claims(to_bytes(sound.write(events)))


def is_seal_of(event: Event, seat: int) -> bool:
    return isinstance(event, Sealed) and event.seat == seat


def check_claims(data: bytes) -> tuple[str, ...]:
    """Check that a record claims its three checks only; return the failed ones."""
    report = check_record(data)
    assert [*report.checks] == ["consistent", "legal", "sealed"]
    assert report.checks["consistent"] == "yes"
    facts = {"moments", "proven", "entered", "over", "checks"}
    assert set(report.list_facts()) == facts
    said = {each.text for each in report.describe()}
    assert said <= {*SAID.values(), ENDS_EARLY, REST}
    assert (REST in said) != bool(report.failed)
    for code in LANGUAGES:
        words = get_language(code)
        assert all("{" not in words(each) for each in report.describe())
    return report.failed
