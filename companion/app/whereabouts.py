"""Where the table is that a command is about, and how this user can know about it.

Laws: a folder that is named counts; else it is the service's, else the user's own. What this user
may not read is asked of the running companion, and where that is not allowed either a sentence says
what to type. No command takes an empty folder for a table.
"""

import json
import shlex
import sys
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from companion.app import settings
from companion.app.local_socket import ask_companion
from companion.app.settings import NOT_YOURS, data_folder
from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import N_, Message

T = TypeVar("T")
NO_TABLE = N_(
    "There is no table in {field} yet: companion play or companion run makes one, and --data names "
    "another folder."
)

AS_TOLD = "{title}"
"""A refusal is worded by the companion that is asked."""


class Whereabouts(NamedTuple):
    """The data folder of a table, and whether this user may read it."""

    folder: Path
    is_readable: bool


def find_table(named: Path | None) -> Whereabouts:
    """Return where the table is; Malformed if there is none."""
    try:
        folder = named or data_folder()
    except Malformed:
        return Whereabouts(settings.SYSTEM, is_readable=False)
    return Whereabouts(require_table(folder), is_readable=True)


def require_table(folder: Path) -> Path:
    """Return a folder in which there is a table; Malformed if there is none."""
    if not folder.is_dir() or not any(folder.iterdir()):
        raise Malformed(str(folder), NO_TABLE)
    return folder


def ask_table(folder: Path, path: str, language: str) -> bytes | None:
    """Return what the companion of this folder answers; None if none runs.

    Raise Malformed if this user may not ask, ExplainedError with its sentence if it refuses.
    """
    try:
        answer = ask_companion(folder, path, language)
    except PermissionError:
        raise not_yours(folder) from None
    if answer is None:
        return None
    status, body = answer
    if status != 200:
        raise ExplainedError(Message(AS_TOLD, {"title": json.loads(body)["title"]}))
    return body


def require_answer(folder: Path, path: str, language: str) -> bytes:
    """Return what the companion of the service answers; Malformed where none runs either."""
    answer = ask_table(folder, path, language)
    if answer is None:
        raise not_yours(folder)
    return answer


def not_yours(folder: Path) -> Malformed:
    """Return the error for a user who may neither read the folder nor ask."""
    typed = shlex.join(["sudo", "companion", *sys.argv[1:]])
    return Malformed(str(folder), NOT_YOURS, command=typed)


def ask_for(folder: Path, path: str, language: str, kind: type[T]) -> T | None:
    """Return what the companion of this folder answers, as a struct; None if none runs."""
    body = ask_table(folder, path, language)
    return None if body is None else msgspec.json.decode(body, type=kind)
