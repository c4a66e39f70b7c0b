"""The key that a table and its floor share, and what is signed and sealed with it.

Laws: the key itself signs nothing: each use has a key of its own, derived from it (HKDF, RFC 5869).
What is signed begins with a line that nothing else of the companion signs. A request has a counter,
and its answer is signed together with that counter, so that neither can be repeated as another one.

    companion floor act 1            companion floor answer 1
    /api/floor/acts/pause            /api/floor/acts/pause
    17   (the counter)               17
    e3b0…  (SHA-256 of the body)     204  (the status)
                                     e3b0…
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator

import msgspec
from nacl.bindings import (
    crypto_secretstream_xchacha20poly1305_ABYTES,
    crypto_secretstream_xchacha20poly1305_HEADERBYTES,
    crypto_secretstream_xchacha20poly1305_init_pull,
    crypto_secretstream_xchacha20poly1305_init_push,
    crypto_secretstream_xchacha20poly1305_pull,
    crypto_secretstream_xchacha20poly1305_push,
    crypto_secretstream_xchacha20poly1305_state,
    crypto_secretstream_xchacha20poly1305_TAG_FINAL,
    crypto_secretstream_xchacha20poly1305_TAG_MESSAGE,
)
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

ACT_HEADER, ANSWER_HEADER = "Companion-Floor", "Companion-Floor-Answer"
MAX_COUNTER = 2**53 - 1
PIECE = 64 * 1024
"""Bytes of a backup that are sealed at once."""
SEALED_PIECE = PIECE + crypto_secretstream_xchacha20poly1305_ABYTES
HEAD = crypto_secretstream_xchacha20poly1305_HEADERBYTES
_WRITTEN = re.compile(r"([0-9a-f]{12})\.([1-9][0-9]{0,15})\.([0-9a-f]{64})")


class ActSignature(msgspec.Struct, frozen=True):
    """What comes with an act: the floor that signed it, its counter, the signature."""

    floor: str
    counter: int
    value: str

    def write(self) -> str:
        """Return it as it stands in the header."""
        return f"{self.floor}.{self.counter}.{self.value}"


def parse_act_signature(written: str) -> ActSignature | None:
    """Return the signature that is written so; None if it is none."""
    found = _WRITTEN.fullmatch(written)
    if found is None or int(found[2]) > MAX_COUNTER:
        return None
    return ActSignature(found[1], int(found[2]), found[3])


def derive_key(key: bytes, purpose: str) -> bytes:
    """Return the 32 bytes that are derived from a key for this purpose (HKDF-SHA256)."""
    extracted = hmac.digest(b"companion floor key 1", key, "sha256")
    return hmac.digest(extracted, purpose.encode() + b"\x01", "sha256")


def sign_act(key: bytes, path: str, counter: int, body: bytes) -> str:
    """Return the signature of a floor over an act."""
    return sign_act_digest(key, path, counter, hashlib.sha256(body).hexdigest())


def sign_act_digest(key: bytes, path: str, counter: int, digest: str) -> str:
    """Return the signature of a floor over an act, by the SHA-256 of its body in hexadecimal."""
    return _sign_lines(key, "act", ("companion floor act 1", path, str(counter), digest))


def sign_answer(key: bytes, path: str, counter: int, status: int, body: bytes) -> str:
    """Return the signature of a table over its answer to an act."""
    digest = hashlib.sha256(body).hexdigest()
    return _sign_lines(
        key, "answer", ("companion floor answer 1", path, str(counter), str(status), digest)
    )


def _sign_lines(key: bytes, purpose: str, lines: Iterable[str]) -> str:
    return hmac.digest(derive_key(key, purpose), "\n".join(lines).encode(), "sha256").hex()


def is_same_signature(one: str, other: str) -> bool:
    """Compare two signatures, in a time that tells nothing about where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def seal_text(key: bytes, plain: bytes) -> bytes:
    """Return a short secret as only the other side can read it."""
    return bytes(SecretBox(derive_key(key, "seal")).encrypt(plain))


def open_text(key: bytes, sealed: bytes) -> bytes | None:
    """Return a secret that was sealed so; None if it was not, or was changed."""
    try:
        return SecretBox(derive_key(key, "seal")).decrypt(sealed)
    except (CryptoError, ValueError):
        return None


def seal_pieces(key: bytes, counter: int, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a file sealed piece by piece, for the act of this counter only."""
    state = crypto_secretstream_xchacha20poly1305_state()
    yield crypto_secretstream_xchacha20poly1305_init_push(state, _backup_key(key, counter))
    left = b""
    for chunk in chunks:
        left += chunk
        while len(left) > PIECE:
            piece, left = left[:PIECE], left[PIECE:]
            tag = crypto_secretstream_xchacha20poly1305_TAG_MESSAGE
            yield crypto_secretstream_xchacha20poly1305_push(state, piece, None, tag)
    tag = crypto_secretstream_xchacha20poly1305_TAG_FINAL
    yield crypto_secretstream_xchacha20poly1305_push(state, left, None, tag)


class PieceOpener:
    """Opens what `seal_pieces` sealed, as it comes; CryptoError where it was changed."""

    def __init__(self, key: bytes, counter: int) -> None:
        self._key, self._left = _backup_key(key, counter), b""
        self._state: crypto_secretstream_xchacha20poly1305_state | None = None
        self.is_whole = False

    def open_chunk(self, chunk: bytes) -> bytes:
        """Return what can be read by now; the last piece is kept until `open_rest`."""
        self._left += chunk
        if self._state is None and len(self._left) >= HEAD:
            self._state = crypto_secretstream_xchacha20poly1305_state()
            head, self._left = self._left[:HEAD], self._left[HEAD:]
            crypto_secretstream_xchacha20poly1305_init_pull(self._state, head, self._key)
        plain = b""
        while self._state is not None and len(self._left) > SEALED_PIECE:
            piece, self._left = self._left[:SEALED_PIECE], self._left[SEALED_PIECE:]
            plain += self._open_piece(piece)
        return plain

    def open_rest(self) -> bytes:
        """Return the last piece; CryptoError if the file ends too early."""
        if self._state is None:
            raise CryptoError
        plain = self._open_piece(self._left)
        if not self.is_whole:
            raise CryptoError
        return plain

    def _open_piece(self, piece: bytes) -> bytes:
        assert self._state is not None
        try:
            plain, tag = crypto_secretstream_xchacha20poly1305_pull(self._state, piece)
        except (RuntimeError, ValueError, TypeError):
            raise CryptoError from None
        self.is_whole = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL
        return bytes(plain)


def _backup_key(key: bytes, counter: int) -> bytes:
    return derive_key(key, f"backup {counter}")


def sealed_size(size: int) -> int:
    """Return how long a file of this size is when it is sealed."""
    pieces = max(1, -(-size // PIECE))
    return HEAD + size + pieces * crypto_secretstream_xchacha20poly1305_ABYTES
