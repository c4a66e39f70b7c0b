"""The PIN of a floor on its way from a browser: sealed, so that a guest who listens learns nothing.

The floor has a key that is made when it starts and is never written. A browser makes one for each
PIN that is typed. Both work out the same point of the curve ed25519, and the PIN is covered with a
hash of it. The key with which the browser signs is part of that hash: sent by another browser, what
was heard opens to something else, and its own browser sends nothing twice.

    companion pin 1
    4f0c…  (the public key of the floor)
    91aa…  (the public key that was made for this PIN)
    d75a…  (the public key with which the browser signs)
    77e1…  (the point)

What is sent is the public key that was made for it, and 32 bytes: the PIN, filled up with zeros,
XOR the SHA-256 of these lines. The request that brings it is signed: it is not changed on its way.
"""

import hashlib
import re
import secrets

from nacl.bindings import (
    crypto_core_ed25519_scalar_reduce,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import CryptoError

PURPOSE = "companion pin 1"
MOST = 32
"""Bytes of a PIN."""
_SEALED = re.compile(r"([0-9a-f]{64})([0-9a-f]{64})")


class PinSeal:
    """The key for which PINs are sealed, as long as this program runs."""

    def __init__(self) -> None:
        self._secret = crypto_core_ed25519_scalar_reduce(secrets.token_bytes(64))
        self.public_key = crypto_scalarmult_ed25519_base_noclamp(self._secret).hex()

    def open_pin(self, sealed: str, signer: str) -> str:
        """Return the PIN that the browser with this public key has sealed; another text, or none,
        if it was another browser, or not sealed for this floor."""
        found = _SEALED.fullmatch(sealed)
        if found is None:
            return ""
        try:
            point = crypto_scalarmult_ed25519_noclamp(self._secret, bytes.fromhex(found[1]))
        except CryptoError:  # No point, or one of the few that would say something of our key.
            return ""
        cover = cover_bytes(self.public_key, found[1], signer, point.hex())
        return cover_text(bytes.fromhex(found[2]), cover).rstrip(b"\0").decode(errors="replace")


def cover_bytes(floor: str, made: str, signer: str, point: str) -> bytes:
    """Return the 32 bytes with which a PIN is covered; all is given in hexadecimal."""
    return hashlib.sha256("\n".join((PURPOSE, floor, made, signer, point)).encode()).digest()


def cover_text(text: bytes, cover: bytes) -> bytes:
    """Return at most 32 bytes covered, or uncovered again."""
    filled = text[:MOST].ljust(MOST, b"\0")
    return bytes(one ^ other for one, other in zip(filled, cover, strict=True))
