"""The file on the card that is read at the start, and the one that says how one gets in.

Laws: both are plain text that any computer opens; lines may end as they do on any system. What the
table could use is taken out of the owner's file, and what it could not stays there with one
sentence. What is on the card can be read by anyone who holds it, so nothing stays there longer than
it is needed.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, Message, get_language

CARD_FILE, ACCESS_FILE = "table-companion.txt", "table-companion-access.txt"
MOST = 1 << 16
"""Bytes of the file that are read."""
LINE = re.compile(r"\s*([a-z-]+)\s*[=:](.*)", re.IGNORECASE)
PIN_LINE = re.compile(r"^PIN: ([0-9]{6})\s*$", re.MULTILINE)
CODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
"""By how a file begins; some editors write it so."""

KEYS: Mapping[str, str] = {
    "name": N_("The name of the table; its own Wi-Fi has the same name."),
    "language": N_("The language of the table screen: en, fr or de."),
    "pin": N_("The PIN of the host: six digits that you choose."),
    "country": N_("The country that the table is in, for its Wi-Fi: two letters, such as DE."),
    "wifi": N_("The name of the Wi-Fi that the table joins. Without one it makes its own."),
    "wifi-password": N_("The password of that Wi-Fi."),
    "own-password": N_("The password of the Wi-Fi that the table makes: 8 to 63 plain characters."),
}
"""What the owner may write, each with a sentence."""
HEAD = N_(
    "Write what your table is to know behind the equals signs, save this file, and put the memory "
    "card back into the Pi. You may leave everything empty. At the next start the table takes it "
    "out of here."
)
ACCESS_HEAD = N_(
    "How you get in: join this Wi-Fi with your phone, open this page, and enter this PIN. The "
    "table deletes this file at the first start after it was set up."
)
ALSO = N_("If the table is in a Wi-Fi of yours already, open {use} there.")


class Access(msgspec.Struct, frozen=True):
    """How one gets in: the table's own Wi-Fi, its page, and the PIN unless the owner chose it."""

    name: str
    password: str
    page: str
    elsewhere: str
    pin: str = ""


def parse_card(data: bytes) -> dict[str, str]:
    """Return what the owner has written, by its key; Malformed if it is no text."""
    coding = next((coding for mark, coding in CODINGS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(coding)
    except UnicodeDecodeError:
        raise Malformed(CARD_FILE, N_("{field} is no plain text in UTF-8.")) from None
    found = [found for line in text.splitlines() if (found := LINE.fullmatch(line))]
    told = {each[1].lower(): each[2].strip() for each in found}
    return {key: value for key, value in told.items() if key in KEYS and value}


def write_card(
    languages: Sequence[str] = LANGUAGES,
    left: Mapping[str, str] = {},
    faults: Mapping[str, Message] = {},
) -> bytes:
    """Return the owner's file with what is left in it, and what is wrong with that."""
    lines = [*_comments(languages, Message(HEAD)), ""]
    for key, about in KEYS.items():
        lines += _comments(languages, Message(about))
        lines += _comments(languages, faults[key], "!") if key in faults else []
        lines += [f"{key} = {left.get(key, '')}".rstrip(), ""]
    return _encode(lines)


def write_access(access: Access, languages: Sequence[str] = LANGUAGES) -> bytes:
    """Return the file that says how one gets in."""
    told = [f"Wi-Fi: {access.name}", f"Password: {access.password}", f"Page: {access.page}"]
    told += [f"PIN: {access.pin}"] if access.pin else []
    also = Message(ALSO, {"use": access.elsewhere})
    head = _comments(languages, Message(ACCESS_HEAD))
    return _encode([*head, "", *told, "", *_comments(languages, also)])


def read_access_pin(data: bytes) -> str:
    """Return the PIN in a file that says how one gets in; empty if there is none."""
    found = PIN_LINE.search(data.decode("utf-8", "replace"))
    return found[1] if found else ""


def _comments(languages: Sequence[str], said: Message, mark: str = "") -> list[str]:
    return [f"#{mark} {get_language(code)(said)}" for code in languages]


def _encode(lines: Sequence[str]) -> bytes:
    """Return lines as every editor shows them, that of an old Windows too."""
    return "".join(f"{line}\r\n" for line in lines).encode()
