"""Signatures of phones in a record: over a seal, and over the line with which a game ended.

Laws: what is signed begins with a line that nothing else of the companion signs, so that no
signature can stand for another. A game, a round and a seat are signed with the seal: it counts
nowhere else. The id of a game comes first, as only it could hold a line break.

    companion seal 1        companion end 1
    9f3c…  (the game)       9f3c…  (the game)
    3      (the round)      2      (the seat)
    2      (the seat)       48     (the line)
    77e1…  (the seal)       a0b4…  (the chain up to that line)
"""

import re

from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

SEAL_PURPOSE = "companion seal 1"
END_PURPOSE = "companion end 1"
PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")


def seal_text(game: str, round: int, seat: int, seal: str) -> bytes:
    """Return the bytes that a phone signs with a seal."""
    return "\n".join((SEAL_PURPOSE, game, str(round), str(seat), seal)).encode()


def end_text(game: str, seat: int, line: int, chain: str) -> bytes:
    """Return the bytes that a phone signs when a game has ended."""
    return "\n".join((END_PURPOSE, game, str(seat), str(line), chain)).encode()


def is_signature(key: str, text: bytes, signature: str) -> bool:
    """Check a signature over these bytes with a public key, both in hexadecimal."""
    if not (PUBLIC_KEY.fullmatch(key) and SIGNATURE.fullmatch(signature)):
        return False
    try:
        VerifyKey(bytes.fromhex(key)).verify(text, bytes.fromhex(signature))
    except CryptoError:
        return False
    return True
