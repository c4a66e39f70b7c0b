"""How a table and a floor come to share a key, over a network that others hear.

Laws: the code that the floor shows is the fingerprint of a public key that it made for this pairing
alone (X25519). It is no secret: a listener who copies it cannot use it, because the table takes no
other key than the one with this fingerprint, and only while its host has typed or scanned the code.
The key that both then work out is never sent, and each side proves that it has it.
"""

import hashlib
import hmac
import secrets
from typing import Annotated

import msgspec
from nacl.bindings import crypto_scalarmult, crypto_scalarmult_base
from nacl.exceptions import CryptoError

from companion.floor.floor_key import derive_key, is_same_signature

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
CODE_LENGTH = 16


class PairingOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a floor sends: its id, what it is called, and the public key of this pairing."""

    floor: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{12}$")]
    name: Annotated[str, msgspec.Meta(max_length=60)]
    public_key: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class PairingAnswer(msgspec.Struct, frozen=True):
    """What the table answers: its public key, and a proof that it has the key of both."""

    table: str
    public_key: str
    proof: str


def code_of(public_key: bytes) -> str:
    """Return the code of a public key: 80 bits of its fingerprint, as letters and digits."""
    digest = int.from_bytes(
        hashlib.sha256(b"companion pairing 1\n" + public_key).digest()[:10], "big"
    )
    return "".join(LETTERS[digest >> 5 * n & 31] for n in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return a code as it was meant, without spaces and hyphens; empty if it cannot be one."""
    code = "".join(typed.upper().replace("-", " ").split())
    return code if len(code) == CODE_LENGTH and set(code) <= set(LETTERS) else ""


def show_code(code: str) -> str:
    """Return a code in four groups, as it is read and typed."""
    return "-".join(code[n : n + 4] for n in range(0, CODE_LENGTH, 4))


class FloorPairing:
    """The floor's side of one pairing; its private key lives as long as this."""

    def __init__(self, floor: str, name: str, private: bytes | None = None) -> None:
        self._private = private or secrets.token_bytes(32)
        public = crypto_scalarmult_base(self._private)
        self.code, self.offer = code_of(public), PairingOffer(floor, name, public.hex())

    def read_answer(self, answer: PairingAnswer) -> bytes | None:
        """Return the key of both; None if the table did not prove that it has it."""
        key = _agree_on_key(
            self._private, self.offer, answer.table, answer.public_key, is_floor=True
        )
        if key is None or not is_same_signature(answer.proof, _prove_key(key)):
            return None
        return key


def answer_offer(
    offer: PairingOffer, table: str, private: bytes | None = None
) -> tuple[PairingAnswer, bytes] | None:
    """Return the answer of a table, and the key of both; None if the offered key is none."""
    private = private or secrets.token_bytes(32)
    public = crypto_scalarmult_base(private).hex()
    key = _agree_on_key(private, offer, table, public, is_floor=False)
    return None if key is None else (PairingAnswer(table, public, _prove_key(key)), key)


def _agree_on_key(
    private: bytes, offer: PairingOffer, table: str, table_key: str, *, is_floor: bool
) -> bytes | None:
    """Work out the key of both sides, bound to who they are and to both public keys."""
    try:
        other = bytes.fromhex(table_key if is_floor else offer.public_key)
        shared = crypto_scalarmult(private, other)
    except (CryptoError, RuntimeError, ValueError, TypeError):
        return None
    parties = "\n".join(("companion pairing 1", offer.floor, table, offer.public_key, table_key))
    return hmac.digest(derive_key(shared, "pairing"), parties.encode(), "sha256")


def _prove_key(key: bytes) -> str:
    return derive_key(key, "proof").hex()
