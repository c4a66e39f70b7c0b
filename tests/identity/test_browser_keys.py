"""Keys of browsers: which browser a key belongs to, and what a copied cookie is worth."""

import pytest
from nacl.signing import SigningKey

from companion.identity import IdentityStore
from companion.identity.browser_keys import (
    BrowserKeys,
    Signature,
    SignedRequest,
    Unproven,
    body_digest,
)
from tests.worlds.left_open import closed_later

WRITE = SignedRequest("POST", "/api/join/seats/1", body_digest(b"{}"))
REGISTER = SignedRequest("POST", "/api/browser/key", body_digest(b"key"))
ANA, THIEF = SigningKey(b"a" * 32), SigningKey(b"t" * 32)


def signed(key: SigningKey, counter: int, asked: SignedRequest = WRITE) -> Signature:
    return Signature(counter, key.sign(asked.signed_text(counter)).signature)


def registers(keys: BrowserKeys, claimed: str, key: SigningKey, counter: int) -> str | Unproven:
    return keys.register_key(
        claimed, bytes(key.verify_key), REGISTER, signed(key, counter, REGISTER)
    )


@pytest.fixture
def keys():
    return BrowserKeys(IdentityStore())


def test_a_browser_that_registered_its_key_can_sign(keys):
    assert keys.check_signature("ana", WRITE, signed(ANA, 1)) == Unproven("unknown_key")
    assert registers(keys, "ana", ANA, 1) == "ana"
    assert keys.check_signature("ana", WRITE, signed(ANA, 2)) is None
    assert keys.check_signature("ana", WRITE, signed(ANA, 2)) == Unproven("counter_used", 3)
    assert keys.check_signature("ana", WRITE, signed(THIEF, 3)) == Unproven("bad_signature")
    assert keys.check_signature("ana", WRITE, signed(ANA, 3)) is None, "the counter was not used up"


def test_a_key_is_registered_only_by_who_has_it(keys):
    stolen = keys.register_key("ana", bytes(ANA.verify_key), REGISTER, signed(THIEF, 1, REGISTER))
    assert stolen == Unproven("bad_signature")
    assert registers(keys, "ana", THIEF, 1) == "ana", "none was bound"


def test_a_copied_cookie_with_another_key_is_another_browser(keys):
    assert registers(keys, "ana", ANA, 1) == "ana"
    other = registers(keys, "ana", THIEF, 1)
    assert isinstance(other, str)
    assert other != "ana"
    assert keys.check_signature("ana", WRITE, signed(THIEF, 2)) == Unproven("bad_signature")
    assert keys.check_signature("ana", WRITE, signed(ANA, 2)) is None
    assert keys.check_signature(other, WRITE, signed(THIEF, 2)) is None


def test_a_key_without_its_cookie_gets_its_browser_back_but_not_by_a_replay(keys):
    registers(keys, "ana", ANA, 1)
    assert registers(keys, "", ANA, 2) == "ana"
    assert registers(keys, "somebody", ANA, 3) == "ana"
    assert registers(keys, "", ANA, 3) == Unproven("counter_used", 4)


def test_what_was_signed_before_the_key_was_registered_is_worth_nothing(keys):
    assert registers(keys, "ana", ANA, 100) == "ana"
    for old in (1, 50, 99, 100):
        assert keys.check_signature("ana", WRITE, signed(ANA, old)) == Unproven("counter_used", 101)


def test_keys_and_counters_outlive_a_restart(tmp_path):
    store = closed_later(IdentityStore(tmp_path / "identity.sqlite3"))
    keys = BrowserKeys(store)
    registers(keys, "ana", ANA, 1)
    assert keys.check_signature("ana", WRITE, signed(ANA, 2)) is None
    store.close()
    again = BrowserKeys(closed_later(IdentityStore(tmp_path / "identity.sqlite3")))
    refused = again.check_signature("ana", WRITE, signed(ANA, 2))
    assert isinstance(refused, Unproven)
    assert refused.code == "counter_used"
    assert again.check_signature("ana", WRITE, signed(ANA, refused.next_counter)) is None
    assert again.check_signature("ana", WRITE, signed(THIEF, 10**6)) == Unproven("bad_signature")
