"""A table and a floor agree on a key over a line that others hear, and acts are counted with it."""

import os
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace
from nacl.exceptions import CryptoError

from companion.core.errors import NotWritten, Refusal
from companion.floor.floor_key import (
    PIECE,
    ActSignature,
    PieceOpener,
    open_text,
    parse_act_signature,
    seal_pieces,
    seal_text,
    sealed_size,
    sign_act,
)
from companion.floor.paired_floors import PATIENCE, PairedFloors, ProvenAct
from companion.floor.pairing import FloorPairing, PairingAnswer, read_code, show_code

FLOOR, TABLE, PATH, BODY = "0f1e2d3c4b5a", "0123456789ab", "/api/floor/acts/pause", b"{}"
DIGEST = sha256(BODY).hexdigest()


class Paired:
    """A table that is paired with a floor, and what was heard on the way."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, 0.0
        self.floors = self.open_again()
        self.pairing = FloorPairing(FLOOR, "Bar")
        assert self.floors.await_floor(show_code(self.pairing.code)) is None
        answer = self.floors.take_offer(self.pairing.offer)
        assert isinstance(answer, PairingAnswer)
        key = self.pairing.read_answer(answer)
        assert key is not None
        self.answer, self.key = answer, key

    def open_again(self) -> PairedFloors:
        return PairedFloors(self.folder, lambda: TABLE, lambda: self.now)

    def sign(self, counter: int, path: str = PATH, body: bytes = BODY) -> ActSignature:
        return ActSignature(FLOOR, counter, sign_act(self.key, path, counter, body))


@pytest.fixture
def paired(tmp_path: Path) -> Paired:
    return Paired(tmp_path)


def test_both_have_the_same_key_and_only_their_owner_can_read_it(paired: Paired) -> None:
    (kept,) = paired.floors.list_floors()
    assert (kept.key, kept.name) == (paired.key.hex(), "Bar")
    file = paired.folder / "floors" / f"{FLOOR}.json"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_listener_cannot_pair_with_what_was_heard(tmp_path: Path) -> None:
    """The code, the offer and the answer are all that ever was on the wire."""
    table, floor = PairedFloors(tmp_path, lambda: TABLE), FloorPairing(FLOOR, "Bar")
    assert isinstance(table.take_offer(floor.offer), Refusal)
    clock = iter([0.0] * 9)
    table = PairedFloors(tmp_path, lambda: TABLE, lambda: next(clock))
    assert table.await_floor(floor.code) is None
    listener = FloorPairing(FLOOR, "Bar")
    assert isinstance(table.take_offer(listener.offer), Refusal)
    assert isinstance(table.take_offer(replace(listener.offer, name=floor.code)), Refusal)
    answer = table.take_offer(floor.offer)
    assert isinstance(answer, PairingAnswer)
    assert listener.read_answer(answer) is None
    assert floor.read_answer(replace(answer, table="ba9876543210")) is None
    assert floor.read_answer(replace(answer, public_key=listener.offer.public_key)) is None
    for worthless in ("00" * 32, "01" + "00" * 31):
        assert floor.read_answer(replace(answer, public_key=worthless)) is None


def test_a_code_counts_once_and_for_some_minutes(paired: Paired) -> None:
    assert paired.floors.take_offer(paired.pairing.offer) == paired.answer  # Its answer was lost.
    assert paired.floors.await_floor(paired.pairing.code) is None
    paired.now += PATIENCE
    assert isinstance(paired.floors.take_offer(paired.pairing.offer), Refusal)
    assert isinstance(paired.floors.await_floor("ABCD"), Refusal)
    assert read_code("abcd efgh-jklm npqr") == "ABCDEFGHJKLMNPQR"


def test_an_act_counts_once_and_only_as_it_was_signed(paired: Paired) -> None:
    def check(sent: ActSignature, path: str, body: bytes) -> ProvenAct | None:
        return paired.floors.check_act(sent, path, sha256(body).hexdigest())

    sent = paired.sign(5)
    for path, body in ((PATH, b"{ }"), ("/api/floor/acts/power-off", BODY)):
        assert check(sent, path, body) is None
    assert check(replace(sent, counter=6), PATH, BODY) is None
    assert check(replace(sent, floor="ffffffffffff"), PATH, BODY) is None
    first = check(sent, PATH, BODY)
    assert first is not None
    assert (first.counter, first.next_counter) == (5, 0)
    for again in (sent, paired.sign(4)):
        used = check(again, PATH, BODY)
        assert used is not None
        assert used.next_counter == 6
    reopened = paired.open_again().check_act(sent, PATH, DIGEST)  # Another start of the table.
    assert reopened is not None
    assert reopened.next_counter == 6
    assert parse_act_signature(sent.write()) == sent
    assert parse_act_signature(sent.write().upper()) is None


def test_a_counter_that_cannot_be_kept_does_not_count(paired: Paired) -> None:
    """A power cut between the counter and the act loses the act; it never repeats one."""
    folder = paired.folder / "floors"
    aside = folder / f".{FLOOR}.json.new"
    aside.mkdir()  # The disk takes nothing.
    with pytest.raises(NotWritten):
        paired.floors.check_act(paired.sign(1), PATH, DIGEST)
    aside.rmdir()
    granted = paired.floors.check_act(paired.sign(1), PATH, DIGEST)
    assert granted is not None
    assert granted.next_counter == 0


def test_a_revoked_floor_may_do_nothing_from_then_on(paired: Paired) -> None:
    another_program = paired.open_again()
    assert another_program.revoke_floor(FLOOR)
    assert not another_program.revoke_floor(FLOOR)
    assert not another_program.revoke_floor("../journal")
    assert paired.floors.check_act(paired.sign(1), PATH, DIGEST) is None
    assert paired.floors.list_floors() == []
    assert os.listdir(paired.folder / "floors") == []


@pytest.mark.parametrize("size", [0, 1, PIECE, PIECE + 1, 3 * PIECE + 17])
def test_a_backup_is_read_by_its_floor_alone_and_whole(paired: Paired, size: int) -> None:
    plain = os.urandom(size)
    sealed = b"".join(seal_pieces(paired.key, 7, [plain[: size // 3], plain[size // 3 :]]))
    assert len(sealed) == sealed_size(size)

    def open_all(key: bytes, counter: int, sent: bytes) -> bytes:
        opener = PieceOpener(key, counter)
        chunks = [sent[n : n + 10_000] for n in range(0, len(sent), 10_000)]
        return b"".join(map(opener.open_chunk, chunks)) + opener.open_rest()

    assert open_all(paired.key, 7, sealed) == plain
    broken = bytes([*sealed[:-1], sealed[-1] ^ 1])
    cases = [(paired.key, 8, sealed), (bytes(32), 7, sealed), (paired.key, 7, broken)]
    cases += [(paired.key, 7, sealed[:n]) for n in (0, 10, len(sealed) - 1)]
    if size > PIECE:
        cases.append((paired.key, 7, sealed[: 24 + PIECE + 17]))
    for case in cases:
        with pytest.raises(CryptoError):
            open_all(*case)


def test_a_short_secret_is_sealed(paired: Paired) -> None:
    sealed = seal_text(paired.key, b"password")
    assert (open_text(paired.key, sealed), open_text(bytes(32), sealed)) == (b"password", None)
    assert open_text(paired.key, sealed[:-1]) is None
