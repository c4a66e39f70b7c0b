"""What is signed, by whose key, and each attempt counts once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from nacl.signing import SigningKey

from companion.seating.identity import (
    MAX_ATTEMPTS,
    Attempts,
    IdentityStore,
    Signature,
    SignedRequest,
    body_digest,
    parse_signature,
)

START, ATTEMPT = "5" * 32, "a" * 32
KEY = SigningKey(bytes(range(32)))
PUBLIC = bytes(KEY.verify_key)
ASKED = SignedRequest("POST", "/api/seats/1/requests", body_digest(b"{}"))
NUMBERS = st.binary(min_size=16, max_size=16).map(bytes.hex)


def signed(
    asked: SignedRequest, start: str = START, attempt: str = ATTEMPT, key: SigningKey = KEY
) -> Signature:
    return Signature(start, attempt, key.sign(asked.signed_text(start, attempt)).signature)


def test_the_text_is_the_one_that_docs_and_scripts_know():
    assert ASKED.signed_text(START, ATTEMPT).decode() == "\n".join((
        "companion request 1",
        "POST",
        "/api/seats/1/requests",
        "5" * 32,
        "a" * 32,
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    ))  # fmt: skip


@given(st.data(), NUMBERS, NUMBERS)
def test_a_signature_fits_nothing_else(data, start, attempt):
    signature = signed(ASKED, start, attempt)
    other = data.draw(
        st.sampled_from(
            [
                replace(ASKED, method="PUT"),
                replace(ASKED, target="/api/seats/2/requests"),
                replace(ASKED, target=ASKED.target + "?a=1"),
                replace(ASKED, digest=body_digest(b"{ }")),
            ]
        )
    )
    bit = data.draw(st.integers(0, 8 * 64 - 1))
    turned = int.from_bytes(signature.value, "big") ^ (1 << bit)
    another = data.draw(NUMBERS.filter(lambda number: number not in (start, attempt)))
    assert not other.is_signed_by(PUBLIC, signature)
    assert not ASKED.is_signed_by(PUBLIC, replace(signature, start=another))
    assert not ASKED.is_signed_by(PUBLIC, replace(signature, attempt=another))
    assert not ASKED.is_signed_by(PUBLIC, replace(signature, value=turned.to_bytes(64, "big")))
    assert not ASKED.is_signed_by(bytes(SigningKey.generate().verify_key), signature)


@pytest.mark.parametrize("weak", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_a_key_that_fits_everything_fits_nothing_here(weak):
    values = (bytes(64), b"\x01" + bytes(63))
    assert not any(ASKED.is_signed_by(weak, Signature("", "", value)) for value in values)


@given(
    st.text(max_size=200)
    | st.from_regex(r"([0-9a-fA-F]{31,33}\.){1,3}[0-9a-fA-F]{127,129}", fullmatch=True)
)
def test_what_is_no_signature_is_none(written):
    found = parse_signature(written)
    assert found is None or written == f"{found.start}.{found.attempt}.{found.value.hex()}"


def test_none_is_forgotten_and_after_very_many_another_start_is_signed():
    table = Attempts()
    first = table.start
    for n in range(MAX_ATTEMPTS):
        assert table.start == first
        assert table.count(Signature(first, f"{n:032x}", b"")) == ""
        assert n == MAX_ATTEMPTS - 1 or table.count(Signature(first, f"{0:032x}", b""))
    assert table.start != first
    assert table.count(Signature(first, f"{0:032x}", b"")) == "other_start"
    assert table.count(Signature(table.start, f"{0:032x}", b"")) == ""
    assert Attempts().start not in (first, table.start)


REGISTER = SignedRequest("POST", "/api/browser/key", body_digest(b"key"))
ANA, THIEF = SigningKey(b"a" * 32), SigningKey(b"t" * 32)


def registers(keys: IdentityStore, claimed: str, key: SigningKey) -> str | None:
    return keys.register_key(claimed, bytes(key.verify_key), REGISTER, signed(REGISTER, key=key))


@pytest.fixture
def keys():
    return IdentityStore()


def test_a_browser_that_registered_its_key_can_sign(keys):
    assert keys.check_signature("ana", ASKED, signed(ASKED, key=ANA)) == "unknown_key"
    assert registers(keys, "ana", ANA) == "ana"
    assert keys.check_signature("ana", ASKED, signed(ASKED, key=ANA)) == ""
    assert keys.check_signature("ana", ASKED, signed(ASKED, key=THIEF)) == "bad_signature"


def test_a_key_without_its_cookie_gets_its_browser_back(keys):
    registers(keys, "ana", ANA)
    assert registers(keys, "", ANA) == "ana"
    assert registers(keys, "somebody", ANA) == "ana"
