"""Records whose phones sign, sound ones of every kind, and those that a forger made of them.

Law: whoever forges has everything but the private keys and what the phones keep: the lines, every
hash, and as many keys of their own as they like.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
from nacl.signing import SigningKey

from companion.core.commitment import make_seal
from companion.core.events import Event, Opened, Sealed, Started, to_json
from companion.core.signatures import end_text, seal_text
from companion.core.table_events import Cleared, EndSigned
from companion.games import game_names, make_rulebook
from companion.records.format import Record, build_record, end_line, to_bytes
from companion.records.verify import prove_record, record_events
from tests.worlds.rulebook_players import Dice, Evening

SEATS = 3
replace = msgspec.structs.replace


def new_key(random: Random) -> SigningKey:
    return SigningKey(random.randbytes(32))


@cache
def played(game: str, seed: int) -> Record:
    """A whole game, of an id of its own, in which nobody signs."""
    id = f"{game.replace('_', '-')}-{seed}"
    evening = Evening(game, Dice(Random(seed)), SEATS, id=id).play()
    return written(game, id, evening.events)


def written(game: str, id: str, events: Sequence[Event]) -> Record:
    """A record of these events whose hashes all fit."""
    told = [(1000.5 + n, device(event), to_json(event)) for n, event in enumerate(events)]
    return build_record(make_rulebook(game), id, 1, told)


def device(event: Event) -> str:
    if isinstance(event, (Started, Cleared)):
        return "table"
    return f"phone {getattr(event, 'seat', 1)}"


def events_of(record: Record) -> list[Any]:
    return [event for event, _, _ in record_events(record)]


KeyOf = Callable[[int, int], SigningKey | None]
"""The key with which a seat signs the hand of this moment, or None."""


def sign_seals(record: Record, key_of: KeyOf) -> list[Event]:
    """The events of a record with the signatures of these keys over every seal."""
    rounds, id = prove_record(record).rounds, record.header.id
    return [
        sign_seal(event, id, rounds[n], key_of(event.seat, n))
        if isinstance(event, Sealed)
        else event
        for n, event in enumerate(events_of(record), 1)
    ]


def sign_seal(event: Sealed, id: str, round: int, key: SigningKey | None) -> Sealed:
    if key is None:
        return replace(event, key="", signature="")
    text = seal_text(id, round, event.seat, event.seal)
    return replace(event, key=bytes(key.verify_key).hex(), signature=key.sign(text).signature.hex())


def sign_ends(record: Record, keys: dict[int, SigningKey]) -> Record:
    """The record with the signatures of these seats over its end."""
    line, header = end_line(record), record.header
    chain, events = record.moments[line - 1].chain, events_of(record)
    for seat, key in keys.items():
        said = key.sign(end_text(header.id, seat, line, chain)).signature.hex()
        events.append(EndSigned(seat, line, said, bytes(key.verify_key).hex()))
    return written(header.game, header.id, events)


class Signed(NamedTuple):
    """A sound record, what must be said of each seat, and the keys that signed."""

    record: Record
    standings: tuple[str, ...]
    keys: dict[int, SigningKey]


def sign_fully(game: str, seed: int, random: Random) -> Signed:
    """A record of which every seat signed every seal and the end."""
    keys, plain = {seat: new_key(random) for seat in range(1, SEATS + 1)}, played(game, seed)
    record = written(game, plain.header.id, sign_seals(plain, lambda seat, _: keys[seat]))
    return Signed(sign_ends(record, keys), ("signed",) * SEATS, keys)


def sign_somehow(game: str, seed: int, random: Random) -> Signed:
    """A sound record: with bots, shared phones, lost keys, sleepers; signed, or old."""
    return sign_plain_somehow(played(game, seed), random)


def sign_plain_somehow(plain: Record, random: Random) -> Signed:
    """A sound record of a game in which nobody has signed yet."""
    game, lost_at = plain.header.game, random.randrange(2, 400)
    kinds = [random.choice(("signed", "bot", "lost", "asleep", "shared")) for _ in range(SEATS)]
    shared, new = new_key(random), new_key(random)
    own = {seat: new_key(random) for seat in range(1, SEATS + 1)}

    def key_of(seat: int, n: int) -> SigningKey | None:
        match kinds[seat - 1]:
            case "bot":
                return None
            case "shared":
                return shared
            case "lost":
                return own[seat] if n < lost_at else new
        return own[seat]

    record = written(game, plain.header.id, sign_seals(plain, key_of))
    awake = [seat for seat, kind in enumerate(kinds, 1) if kind not in {"bot", "asleep"}]
    last = len(plain.moments)
    ends = {seat: key for seat in awake if (key := key_of(seat, last)) is not None}
    record = sign_ends(record, ends)
    if random.random() < 0.3:
        record = written(game, record.header.id, [*events_of(record), Cleared()])
    return Signed(record, _standings(record, kinds), ends)


def _standings(record: Record, kinds: Sequence[str]) -> tuple[str, ...]:
    """What must be said of each seat, worked out from the lines alone."""
    signed: dict[int, set[str]] = {seat: set() for seat in range(1, SEATS + 1)}
    for event in events_of(record):
        if isinstance(event, (Sealed, EndSigned)) and event.key:
            signed[event.seat].add(event.key)
    told = []
    for seat, kind in enumerate(kinds, 1):
        others = set().union(*(keys for other, keys in signed.items() if other != seat))
        if not signed[seat]:
            told.append("unsigned")
        elif signed[seat] & others:
            told.append("shared")
        else:
            told.append("in_part" if len(signed[seat]) > 1 or kind == "asleep" else "signed")
    return tuple(told)


# Forged.


class Forged(NamedTuple):
    """A record that was tampered with, and the check that has to say no."""

    data: bytes
    fails: str


def forge(kind: str, sound: Signed, random: Random) -> Forged:
    """Tamper with a record that is wholly signed."""
    return FORGERS[kind](sound, random)


def _pick(record: Record, kind: type[Event], random: Random) -> int:
    events = enumerate(events_of(record))
    return random.choice([n for n, event in events if isinstance(event, kind)])


def _rewritten(sound: Signed, events: Sequence[Event]) -> bytes:
    return to_bytes(written(sound.record.header.game, sound.record.header.id, events))


def another_value(value: Any) -> Any:
    """Another value of a hand."""
    if isinstance(value, dict):
        return {**value, "red": value.get("red", 0) + 1}
    if isinstance(value, int):
        return value + 1 if value < 5 else value - 1
    return "red" if value != "red" else "blue"


def edit_bid(sound: Signed, random: Random) -> Forged:
    """Another bid, in the file alone."""
    lines, n = to_bytes(sound.record).split(b"\n"), _pick(sound.record, Opened, random)
    line = json.loads(lines[n + 1])
    line["event"]["value"] = another_value(line["event"]["value"])
    lines[n + 1] = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    return Forged(b"\n".join(lines), "consistent")


def drop_line(sound: Signed, random: Random) -> Forged:
    """A line is missing, in the file alone."""
    lines = to_bytes(sound.record).split(b"\n")
    del lines[random.randrange(1, len(lines) - 1)]
    return Forged(b"\n".join(lines), "consistent")


def swap_lines(sound: Signed, random: Random) -> Forged:
    """Two lines in the other order, in the file alone."""
    lines = to_bytes(sound.record).split(b"\n")
    n = random.randrange(2, len(lines) - 2)
    lines[n], lines[n + 1] = lines[n + 1], lines[n]
    return Forged(b"\n".join(lines), "consistent")


def change_bid(sound: Signed, random: Random) -> Forged:
    """Another bid, and the chain made anew."""
    events, n = events_of(sound.record), _pick(sound.record, Opened, random)
    events[n] = replace(events[n], value=another_value(events[n].value))
    return Forged(_rewritten(sound, events), "sealed")


def reseal_bid(sound: Signed, random: Random) -> Forged:
    """Another bid with a seal of its own, and the chain made anew."""
    events, n = events_of(sound.record), _pick(sound.record, Opened, random)
    rounds, opened = prove_record(sound.record).rounds, events[n]
    value = another_value(opened.value)
    at = max(k for k in range(n) if _is_seal(events[k], opened.seat))
    id, round = sound.record.header.id, rounds[at + 1]
    seal = make_seal(id, round, opened.seat, value, opened.nonce)
    events[n], events[at] = replace(opened, value=value), replace(events[at], seal=seal)
    return Forged(_rewritten(sound, events), "signed")


def _is_seal(event: Event, seat: int) -> bool:
    return isinstance(event, Sealed) and event.seat == seat


def change_order(sound: Signed, random: Random) -> Forged:
    """Two moments in the other order, and the chain made anew."""
    events = events_of(sound.record)
    n = random.randrange(1, end_line(sound.record) - 1)
    events[n], events[n + 1] = events[n + 1], events[n]
    if events[n] == events[n + 1]:
        return change_order(sound, random)
    return Forged(_rewritten(sound, events), "signed")


def drop_moment(sound: Signed, random: Random) -> Forged:
    """A moment is missing, and the chain made anew."""
    events = events_of(sound.record)
    del events[random.randrange(1, end_line(sound.record))]
    return Forged(_rewritten(sound, events), "signed")


def change_card(sound: Signed, random: Random) -> Forged:
    """Another card that is not sealed, of those that this game knows, and the chain made anew."""
    events, last = events_of(sound.record), end_line(sound.record)
    named = [n for n in range(1, last) if getattr(events[n], "card", None) is not None]
    n = random.choice(named)
    others = [events[k].card for k in named if events[k].card != events[n].card]
    events[n] = replace(events[n], card=random.choice(others))
    return Forged(_rewritten(sound, events), "signed")


def change_signature(sound: Signed, random: Random) -> Forged:
    """A digit of a signature, and the chain made anew."""
    events, kind = events_of(sound.record), random.choice((Sealed, EndSigned))
    n, at = _pick(sound.record, kind, random), random.randrange(128)
    old = events[n].signature
    digit = random.choice([d for d in "0123456789abcdef" if d != old[at]])
    events[n] = replace(events[n], signature=old[:at] + digit + old[at + 1 :])
    return Forged(_rewritten(sound, events), "signed")


def take_foreign_seal(sound: Signed, random: Random) -> Forged:
    """A seal with its signature, from another game of the same phone."""
    events, n = events_of(sound.record), _pick(sound.record, Sealed, random)
    seat = events[n].seat
    other = make_seal("another game", 1, seat, 3, f"{random.getrandbits(128):032x}")
    foreign = sign_seal(Sealed(seat, other), "another game", 1, sound.keys[seat])
    events[n] = foreign
    return Forged(_rewritten(sound, events), "signed")


def make_all_anew(sound: Signed, random: Random) -> Forged:
    """Another bid, and every seal, key, signature and hash made anew."""
    header, keys = sound.record.header, {s: new_key(random) for s in range(1, SEATS + 1)}
    other = played(header.game, int(header.id.rpartition("-")[2]) + 1_000)
    plain = written(header.game, header.id, reseal_under(other, header.id))
    signed = written(header.game, header.id, sign_seals(plain, lambda seat, _: keys[seat]))
    return Forged(to_bytes(sign_ends(signed, keys)), "known")


def _renamed(event: Event, id: str) -> Event:
    return replace(event, id=id) if isinstance(event, Started) else event


def reseal_under(record: Record, id: str) -> list[Event]:
    """The events of a game as one of this id would have begun and sealed them."""
    events, rounds = events_of(record), prove_record(record).rounds
    for n, event in enumerate(events):
        if isinstance(event, Opened):
            at = max(k for k in range(n) if _is_seal(events[k], event.seat))
            seal = make_seal(id, rounds[at + 1], event.seat, event.value, event.nonce)
            events[at] = replace(events[at], seal=seal)
    return [_renamed(event, id) for event in events]


FORGERS: dict[str, Callable[[Signed, Random], Forged]] = {
    each.__name__: each
    for each in (
        edit_bid, drop_line, swap_lines, change_bid, reseal_bid, change_order, drop_moment,
        change_card, change_signature, take_foreign_seal, make_all_anew,
    )
}  # fmt: skip
GAMES = tuple(game_names())
