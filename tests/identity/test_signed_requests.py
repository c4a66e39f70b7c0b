"""What is signed: method, address, counter and body, and nothing else fits the signature."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from nacl.signing import SigningKey

from companion.identity.browser_keys import (
    MAX_COUNTER,
    Signature,
    SignedRequest,
    body_digest,
    parse_signature,
)

KEY = SigningKey(bytes(range(32)))
PUBLIC = bytes(KEY.verify_key)
ASKED = SignedRequest("POST", "/api/seats/1/requests", body_digest(b"{}"))
COUNTERS = st.integers(1, MAX_COUNTER)


def signed(asked: SignedRequest, counter: int, key: SigningKey = KEY) -> Signature:
    return Signature(counter, key.sign(asked.signed_text(counter)).signature)


def test_the_text_is_the_one_that_docs_and_scripts_know():
    assert ASKED.signed_text(17).decode() == "\n".join((
        "companion request 1",
        "POST",
        "/api/seats/1/requests",
        "17",
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    ))  # fmt: skip


@given(COUNTERS, st.text(max_size=30), st.binary(max_size=60))
def test_a_signature_fits_what_was_signed(counter, target, body):
    asked = SignedRequest("POST", target, body_digest(body))
    signature = signed(asked, counter)
    assert asked.is_signed_by(PUBLIC, signature)
    assert parse_signature(f"{counter}.{signature.value.hex()}") == signature


@given(st.data(), COUNTERS)
def test_a_signature_fits_nothing_else(data, counter):
    signature = signed(ASKED, counter)
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
    another = data.draw(COUNTERS.filter(lambda n: n != counter))
    assert not other.is_signed_by(PUBLIC, signature)
    assert not ASKED.is_signed_by(PUBLIC, Signature(another, signature.value))
    assert not ASKED.is_signed_by(PUBLIC, Signature(counter, turned.to_bytes(64, "big")))
    assert not ASKED.is_signed_by(bytes(SigningKey.generate().verify_key), signature)


@pytest.mark.parametrize("weak", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_a_key_that_fits_everything_fits_nothing_here(weak):
    nothing = Signature(1, bytes(64))
    easy = Signature(1, b"\x01" + bytes(63))
    assert not any(ASKED.is_signed_by(weak, one) for one in (nothing, easy))


@given(
    st.text(max_size=200) | st.from_regex(r"-?[0-9]{0,20}\.[0-9a-fA-F]{120,130}", fullmatch=True)
)
def test_what_is_no_signature_is_none(written):
    found = parse_signature(written)
    assert found is None or written == f"{found.counter}.{found.value.hex()}"
    assert found is None or 1 <= found.counter <= MAX_COUNTER
