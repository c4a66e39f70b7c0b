"""Keys of browsers: which browser a key belongs to, and what a copied cookie is worth."""

import pytest
from nacl.signing import SigningKey

from companion.seating.identity import IdentityStore, Signature, SignedRequest, body_digest

WRITE = SignedRequest("POST", "/api/join/seats/1", body_digest(b"{}"))
REGISTER = SignedRequest("POST", "/api/browser/key", body_digest(b"key"))
ANA, THIEF = SigningKey(b"a" * 32), SigningKey(b"t" * 32)
START, ATTEMPT = "5" * 32, "a" * 32


def signed(key: SigningKey, asked: SignedRequest = WRITE) -> Signature:
    return Signature(START, ATTEMPT, key.sign(asked.signed_text(START, ATTEMPT)).signature)


def registers(keys: IdentityStore, claimed: str, key: SigningKey) -> str | None:
    return keys.register_key(claimed, bytes(key.verify_key), REGISTER, signed(key, REGISTER))


@pytest.fixture
def keys():
    return IdentityStore()


def test_a_browser_that_registered_its_key_can_sign(keys):
    assert keys.check_signature("ana", WRITE, signed(ANA)) == "unknown_key"
    assert registers(keys, "ana", ANA) == "ana"
    assert keys.check_signature("ana", WRITE, signed(ANA)) == ""
    assert keys.check_signature("ana", WRITE, signed(THIEF)) == "bad_signature"


def test_a_copied_cookie_with_another_key_is_another_browser(keys):
    assert registers(keys, "ana", ANA) == "ana"
    other = registers(keys, "ana", THIEF)
    assert other not in (None, "ana")
    assert keys.check_signature("ana", WRITE, signed(THIEF)) == "bad_signature"
    assert keys.check_signature("ana", WRITE, signed(ANA)) == ""
    assert keys.check_signature(other, WRITE, signed(THIEF)) == ""


def test_a_key_without_its_cookie_gets_its_browser_back(keys):
    registers(keys, "ana", ANA)
    assert registers(keys, "", ANA) == "ana"
    assert registers(keys, "somebody", ANA) == "ana"
