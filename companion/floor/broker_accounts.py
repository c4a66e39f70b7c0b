"""The logins that a floor makes at its broker: two files, in the formats of Mosquitto.

Laws: each table has a login of its own, and may write its own topics only; it reads nothing. Of a
password only the hash is kept (PBKDF2 with SHA-512, as mosquitto_passwd writes it). Logins and
rules of others that stand in these files stay. Each file is there whole, and the rules are there
before the login that they are for; Mosquitto reads both at the signal HUP.

    table-0123456789ab:$7$101$SALT$HASH         user table-0123456789ab
                                                topic write companion/0123456789ab/state
                                                …
"""

import base64
import hashlib
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from companion.core.durable_files import make_folder, write_file
from companion.core.errors import not_read
from companion.floor.topics import ALL_TABLES, ROOT, discovery_topic, online_topic, state_topic

PASSWORDS, RULES = "passwords", "acl"
OWN_LOGIN = "broker-login"
"""The file with the login of the floor itself."""
ITERATIONS, SALT_LENGTH, HASH_LENGTH = 101, 12, 64
"""Those of mosquitto_passwd; the passwords are random, so more of them would guard nothing."""
MARK = "# What follows is written by the floor of the table companion; write your own rules above."
MODE = 0o640
_OURS = re.compile(r"(?P<kind>table|floor)-(?P<id>[0-9a-f]{12}):")


class BrokerAccounts:
    """The files of the broker's logins in a folder; used on one thread."""

    def __init__(self, folder: Path, floor: str) -> None:
        self._folder, self._floor = folder, f"floor-{floor}"

    def make_own_login(self, home: Path) -> tuple[str, str]:
        """Return user and password of the floor itself; new ones if there are none in `home`.

        Raise NotWritten if a file cannot be written, Malformed if one cannot be read.
        """
        user, _, password = _read_text(home / OWN_LOGIN).strip().partition(":")
        hashes = self._read_hashes()
        if user == self._floor and is_password(password, hashes.get(user, "")):
            return user, password
        password = secrets.token_urlsafe(24)
        write_file(home / OWN_LOGIN, f"{self._floor}:{password}\n".encode(), 0o600)
        self._write_accounts({**hashes, self._floor: hash_password(password)})
        return self._floor, password

    def let_in(self, table: str) -> tuple[str, str]:
        """Make a new login for a table, in the place of an older one; return user and password."""
        user, password = f"table-{table}", secrets.token_urlsafe(24)
        self._write_accounts({**self._read_hashes(), user: hash_password(password)})
        return user, password

    def is_let_in(self, table: str) -> bool:
        """Return whether a table has a login."""
        return f"table-{table}" in self._read_hashes()

    def shut_out(self, table: str) -> bool:
        """Remove the login of a table; return whether there was one."""
        hashes = self._read_hashes()
        if hashes.pop(f"table-{table}", None) is None:
            return False
        self._write_accounts(hashes)
        return True

    def _read_hashes(self) -> dict[str, str]:
        """Return the hashes of our own logins, by user."""
        lines = _read_text(self._folder / PASSWORDS).splitlines()
        ours = (line.partition(":") for line in lines if _OURS.match(line))
        return {user: written for user, _, written in ours}

    def _write_accounts(self, hashes: dict[str, str]) -> None:
        make_folder(self._folder)
        passwords, rules = self._folder / PASSWORDS, self._folder / RULES
        others = [line for line in _read_text(passwords).splitlines() if not _OURS.match(line)]
        logins = [f"{user}:{written}" for user, written in sorted(hashes.items())]
        above = _read_text(rules).partition(MARK)[0]
        ours = "\n".join(line for user in sorted(hashes) for line in list_rules(user))
        write_file(rules, f"{above}{MARK}\n{ours}\n".encode(), MODE)
        write_file(passwords, "".join(f"{line}\n" for line in [*others, *logins]).encode(), MODE)


def list_rules(user: str) -> Iterator[str]:
    """Yield what a user may do, as lines of the rules."""
    yield f"user {user}"
    kind, _, id = user.partition("-")
    if kind == "floor":
        yield from (f"topic read {topic}" for topic in ALL_TABLES)
        yield from (f"topic write {topic}" for topic in (f"{ROOT}/#", "homeassistant/device/#"))
    else:
        topics = (online_topic(id), state_topic(id), discovery_topic(id))
        yield from (f"topic write {topic}" for topic in topics)


def hash_password(password: str, salt: bytes = b"") -> str:
    """Return a password as it stands in Mosquitto's file, with a random salt if none is given."""
    salt = salt or secrets.token_bytes(SALT_LENGTH)
    hashed = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS, HASH_LENGTH)
    return f"$7${ITERATIONS}${_to_base64(salt)}${_to_base64(hashed)}"


def is_password(password: str, written: str) -> bool:
    """Check a password against what `hash_password` made of it."""
    parts = written.split("$")
    return len(parts) == 5 and hash_password(password, base64.b64decode(parts[3])) == written


def _to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise not_read(path, error) from None
