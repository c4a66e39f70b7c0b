"""Finds the line of a game's own code in what was raised."""

import sys
import traceback
from pathlib import Path

from companion.games.game import Game


def find_own_line(game: Game, error: BaseException) -> traceback.FrameSummary | None:
    """Return the last line of a game's own code on the way to an error; None if it has no part."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(game.folder)]
    return own[-1] if own else None


def find_own_file(game: Game) -> str:
    """Return the file in which the rule book of a game stands; "" if it was not read from one."""
    return getattr(sys.modules.get(game.rulebook.__module__), "__file__", None) or ""


def find_package_line(package: str, error: BaseException) -> traceback.FrameSummary | None:
    """Return the last line of a package, or of a module alone, on the way to an error."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if package in Path(frame.filename).with_suffix("").parts]
    return own[-1] if own else None


def find_last_line(error: BaseException) -> traceback.FrameSummary | None:
    """Return the line that raised an error; None if it was never raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1] if frames else None
