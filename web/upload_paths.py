"""The addresses to which files are sent as a whole, their type, and the hash that comes first."""

import base64
import re

UPLOAD_PATH = "/api/host/restore/file"
OCTET_STREAM = "application/octet-stream"
DIGEST_HEADER = "Content-Digest"
"""The header with the SHA-256 of the body in base64, as RFC 9530 has it."""
_DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/]{43}=):")


def read_digest(written: str) -> str:
    """Return the SHA-256 in hexadecimal that is written so in that header; empty if none is."""
    said = _DIGEST.fullmatch(written)
    return base64.b64decode(said.group(1)).hex() if said else ""
