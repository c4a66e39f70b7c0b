"""The config file of the service: what `companion run --config FILE` reads from it.

Law: a file that says anything the program does not know is refused in one sentence, and nothing
of it is believed. What is said on the command line after `--config` has the last word.

Where the companion keeps what it must not lose.

Law: one folder, found in the same way by every command; whoever says where it is has the last word.
"""

import argparse
import os
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

from companion.app.systemd import SystemdNotifier
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, get_language
from companion.games import RULEBOOKS
from hardware.errors import Said, quoted
from hardware.wiring import load, profiles

SYSTEM = Path("/var/lib/companion")
"""Where the service on the Pi keeps it."""

CONFIG = Path("/etc/companion/companion.toml")
"""Where the service on the Pi is told how to run."""


def data_folder() -> Path:
    """$COMPANION_DATA, else the service's folder where it may be written, else the user's own."""
    if told := os.environ.get("COMPANION_DATA"):
        return Path(told)
    if SYSTEM.is_dir() and os.access(SYSTEM, os.W_OK | os.X_OK):
        return SYSTEM
    own = os.environ.get("XDG_DATA_HOME", "")
    return (Path(own) if os.path.isabs(own) else Path.home() / ".local" / "share") / "companion"


def journal_path(folder: Path | None = None) -> Path:
    """The journal, if nobody says otherwise."""
    return (folder or data_folder()) / "journal.sqlite3"


def deck_path(game: str, folder: Path | None = None) -> Path:
    """The deck of a game."""
    return (folder or data_folder()) / "decks" / f"{game}.json"


def config_path(folder: Path) -> Path | None:
    """The config that goes with a data folder; none but the service has one."""
    return CONFIG if folder == SYSTEM and CONFIG.parent.is_dir() else None


def file_exists_error(file: Path) -> Malformed:
    """What is said where a copy is to go into a file that is there: it may be all somebody has."""
    return Malformed(str(file), N_("{field} exists already; name a file that does not exist yet."))


class ConfigKey(NamedTuple):
    """What a key may be, and how that is written where something else was."""

    is_allowed: Callable[[Any], bool]
    options: str


def _one_of(options: Mapping[str, object] | tuple[str, ...]) -> ConfigKey:
    return ConfigKey(lambda value: value in tuple(options), ", ".join(options))


def _is_address(value: Any) -> bool:
    try:
        return isinstance(value, str) and (value == "localhost" or bool(ip_address(value)))
    except ValueError:
        return False


KEYS = {
    "game": _one_of(RULEBOOKS),
    "profile": ConfigKey(lambda value: isinstance(value, str), ", ".join(profiles())),
    "address": ConfigKey(_is_address, "0.0.0.0, 127.0.0.1"),
    "port": ConfigKey(lambda value: type(value) is int and 0 < value < 65_536, "1–65535"),
    "lang": _one_of(LANGUAGES),
    "demo": ConfigKey(lambda value: isinstance(value, bool), "true, false"),
}
"""Every key there is; each is an option of `companion run` by the same name."""


def read_config(path: Path) -> dict[str, Any]:
    """What the file says, every word of it checked; a wiring profile too."""
    said = _parse_config(path)
    for key, value in said.items():
        if key not in KEYS:
            text = N_("{field} has an unknown key, {key}; the keys are {options}.")
            raise Malformed(str(path), text, key=quoted(key), options=", ".join(KEYS))
        if not KEYS[key].is_allowed(value):
            text = N_("In {field} the key {key} is {value}; write one of {options}.")
            facts = {"key": key, "value": quoted(value), "options": KEYS[key].options}
            raise Malformed(str(path), text, **facts)
    if "profile" in said:
        load(said["profile"])
    return said


def _parse_config(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise Malformed(str(path), N_("{field} is not UTF-8 text.")) from None
    except OSError as error:
        text = N_("{field} cannot be read: {reason}.")
        raise Malformed(str(path), text, reason=error.strerror) from None
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        text = N_("{field} cannot be understood: {reason}.")
        raise Malformed(str(path), text, reason=quoted(wrong).rstrip(".")) from None


class Configured(argparse.Action):
    """`--config FILE`: as if every key in it had been an option in its place."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        try:
            said = read_config(Path(values))
        except (Malformed, Said) as error:
            sentence = get_language("en")(error.say)
            print(f"{parser.prog}: {sentence}", file=sys.stderr)
            SystemdNotifier(time.monotonic).notify_refused(sentence)
            parser.exit(2)
        parser.set_defaults(**said)  # A game that nobody names takes its default last of all.
        for key, value in said.items():
            setattr(namespace, key, value)
