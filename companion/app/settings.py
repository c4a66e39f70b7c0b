"""Settings: the data folder, the config file, and the options of a command.

Laws: every command finds the data folder in the same way; one that is named counts. A config that
says anything unknown is refused in one sentence, and nothing of it is believed.
"""

import os
import shlex
import sys
import tomllib
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from companion.core.errors import Malformed, not_read
from companion.core.i18n import LANGUAGES, N_
from companion.core.installation import installed_by
from companion.games import broken_games, game_names
from companion.games.layout import Pace
from companion.host.settings import LONGEST
from companion.journal.file import require_own_format
from companion.journal.repair import JOURNAL
from hardware.errors import quote_text
from hardware.wiring import load_profile, profile_names

SYSTEM = Path("/var/lib/companion")
"""The data folder of the service on the Pi."""

CONFIG = Path("/etc/companion/companion.toml")
"""The config of the service on the Pi."""
PORT = 8000


AS_SERVICE = ("doctor", "enrol", "run")
"""Commands whose files the service has to own; the others take care of that when root runs them."""
NOT_YOURS = N_(
    "{field} belongs to the service of this Pi, and only it and root may read it. Type: {command}"
)
NO_TABLE = N_(
    "There is no table in {field} yet: companion play or companion run makes one, and --data names "
    "another folder."
)


def data_folder() -> Path:
    """Return $COMPANION_DATA, else the service's folder, else the user's own.

    Raise Malformed where there is a service whose folder this user may not use, unless the program
    is another one than the service's, and the user has a table of their own.
    """
    if told := os.environ.get("COMPANION_DATA"):
        return Path(told)
    base = os.environ.get("XDG_DATA_HOME", "")
    own = (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share") / "companion"
    if not SYSTEM.is_dir():
        return own
    if os.access(SYSTEM, os.W_OK | os.X_OK):
        return SYSTEM
    if installed_by() != "hand" or not own.is_dir():
        words = sys.argv[1:]  # As one who may use the service's folder types them.
        who = ["-u", "companion"] if words and words[0] in AS_SERVICE else []
        typed = shlex.join(["sudo", *who, "companion", *words])
        raise Malformed(str(SYSTEM), NOT_YOURS, command=typed)
    return own


def require_table(named: Path | None) -> Path:
    """Return the folder that was named, else data_folder(); Malformed if no table is in it."""
    folder = named or data_folder()
    if not folder.is_dir() or not any(folder.iterdir()):
        raise Malformed(str(folder), NO_TABLE)
    return folder


def journal_path(folder: Path | None = None) -> Path:
    return (folder or data_folder()) / JOURNAL


def deck_path(game: str, folder: Path | None = None) -> Path:
    return (folder or data_folder()) / "decks" / f"{game}.json"


def config_path(folder: Path) -> Path | None:
    """Return the config that goes with a data folder; only the service has one."""
    return CONFIG if folder == SYSTEM and CONFIG.parent.is_dir() else None


LogLevel = Literal["debug", "info", "warning", "error"]
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)
HOME_DAYS, CAFE_DAYS = 30, 1
"""Days that names are kept where the config says nothing; a café, with a demo or on a floor, has
new guests daily."""


class ConfigKey(NamedTuple):
    """Checks the value of a key; `options` is a sentence on the values allowed."""

    is_allowed: Callable[[object], bool]
    options: str


def _is_address(value: object) -> bool:
    try:
        return isinstance(value, str) and (value == "localhost" or bool(ip_address(value)))
    except ValueError:
        return False


def _is_game(value: object) -> bool:
    """Check whether a game is installed; one that is broken must not keep the table down."""
    return value in game_names() or any(value == broken.name for broken in broken_games())


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and len(value) <= LONGEST


def _is_text(value: object) -> bool:
    return isinstance(value, str)


KEYS = {
    "game": ConfigKey(_is_game, ", ".join(game_names())),
    "profile": ConfigKey(_is_text, ", ".join(profile_names())),
    "address": ConfigKey(_is_address, "0.0.0.0, 127.0.0.1"),
    "port": ConfigKey(lambda value: type(value) is int and 0 < value < 65_536, "1–65535"),
    "lang": ConfigKey(lambda value: value in LANGUAGES, ", ".join(LANGUAGES)),
    "demo": ConfigKey(lambda value: isinstance(value, bool), "true, false"),
    "name": ConfigKey(_is_line, '"Table 7"'),
    "place": ConfigKey(_is_line, '"Window"'),
    "mqtt": ConfigKey(_is_text, "mqtts://HOST, mqtt://HOST:PORT"),
    "mqtt_login": ConfigKey(_is_text, "FILE"),
    "mqtt_ca": ConfigKey(_is_text, "FILE"),
    "names_days": ConfigKey(lambda value: type(value) is int and 0 < value <= 3650, "1–3650"),
}
"""Every key there is; each is an option of `companion run` by the same name."""


def read_config(path: Path) -> dict[str, Any]:
    """Parse the config file; Malformed if anything in it, or its wiring, is wrong."""
    said = _parse_config(path)
    for key, value in said.items():
        if key not in KEYS:
            text = N_("{field} has an unknown key, {key}; the keys are {options}.")
            raise Malformed(str(path), text, key=quote_text(key), options=", ".join(KEYS))
        if not KEYS[key].is_allowed(value):
            text = N_("In {field} the key {key} is {value}; write one of {options}.")
            facts = {"key": key, "value": quote_text(value), "options": KEYS[key].options}
            raise Malformed(str(path), text, **facts)
    if "profile" in said:
        load_profile(said["profile"])
    return said


def read_port() -> int:
    """Return the port of the pages as the config of the service sets it, or the usual one."""
    return int(read_config(CONFIG).get("port", PORT)) if CONFIG.exists() else PORT


def _parse_config(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise Malformed(str(path), N_("{field} is not UTF-8 text.")) from None
    except OSError as error:
        raise not_read(path, error) from None
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        text = N_("{field} cannot be understood: {reason}.")
        raise Malformed(str(path), text, reason=quote_text(wrong).rstrip(".")) from None


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command that starts the program; None means the stored choice.

    `begins_game` says whether a game begins of itself: never, if a game is asked for, or always.
    After a restart from a page (`restarted`) none begins, and `folder_kind` says whether the folder
    is kept in the end. A `patient` table stands without wires where they cannot be opened.
    """

    kind: Literal["physical", "simulated"]
    folder: Path
    folder_kind: Literal["kept", "passing"] = "kept"
    address: str
    port: int
    language: str | None = None
    usual_language: str = LANGUAGES[0]
    """Language where none was chosen: that of the terminal."""
    game: str | None = None
    profile: str | None = None
    patient: bool = False
    begins_game: Literal["never", "if_asked", "always"] = "never"
    ends_old_game: bool = False
    players: tuple[str, ...] = ()
    seats: int | None = None
    seed: int | None = None
    air: str = "physics"
    persons_seat: int = 0
    pace: Pace = "human"
    demo: bool = False
    name: str = ""
    place: str = ""
    mqtt: str = ""
    mqtt_login: str = ""
    mqtt_ca: str = ""
    names_days: int | None = None
    restarted: bool = False
    log_level: LogLevel = "info"


def prepare_folder(folder: Path) -> None:
    """Create the data folder, private; Malformed if it cannot be used, or has another format."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.listdir(folder)
        require_own_format(journal_path(folder))
    except OSError as error:
        text = N_("{field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error.strerror) from None
