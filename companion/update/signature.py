"""The signature of a release: made by its maker with gpg, checked with gpgv and the key that root
put on this Pi.

Laws: what is signed is SHA256SUMS, and that names every other file. Where there is no key, nothing
counts as signed.
"""

import base64
import subprocess
import tempfile
from binascii import Error as NotBase64
from pathlib import Path

from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_

KEY = Path("/etc/companion/release-key.asc")
"""The public key of the maker, as the installer brought it first; then it is the owner's."""
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.asc"
NO_KEY = N_(
    "This table knows no maker's key, {field}: install the release with sudo companion update."
)
NOT_SIGNED = N_("This release is not signed: there is no {field} beside it.")
WRONG = N_("{field} is not by the maker whose key this table knows: get the release again.")
NO_PROGRAM = N_("The program {field} is missing; type: sudo apt install gpgv")


def check_signature(folder: Path, key: Path = KEY) -> None:
    """Raise Malformed unless the checksums in this folder are signed with this key."""
    if not key.is_file():
        raise Malformed(str(key), NO_KEY)
    signature = folder / SIGNATURE
    if not signature.is_file():
        raise Malformed(SIGNATURE, NOT_SIGNED)
    with tempfile.NamedTemporaryFile(prefix="companion-key-") as ring:
        ring.write(_remove_armor(key))
        ring.flush()
        words = ("gpgv", "--keyring", ring.name, str(signature), str(folder / SUMS))
        try:
            done = subprocess.run(words, capture_output=True, check=False)
        except FileNotFoundError:
            raise Malformed("gpgv", NO_PROGRAM) from None
    if done.returncode:
        raise Malformed(SIGNATURE, WRONG)


def _remove_armor(key: Path) -> bytes:
    """Return a key as gpgv wants it: the bytes that `gpg --armor` wraps in lines."""
    try:
        data = key.read_bytes()
    except OSError as error:
        raise not_read(key, error) from None
    if not data.startswith(b"-----BEGIN"):
        return data
    lines = data.split(b"\n\n", 1)[-1].splitlines()
    body = [line for line in lines if line and line[:1] not in (b"-", b"=")]
    try:
        return base64.b64decode(b"".join(body), validate=True)
    except NotBase64:
        raise Malformed(str(key), NO_KEY) from None
