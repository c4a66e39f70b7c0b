"""Finds the line of a game's own code in what was raised."""

import traceback
from pathlib import Path

from companion.games.game import Game


def find_own_line(game: Game, error: BaseException) -> traceback.FrameSummary | None:
    """Return the last line of a game's own code on the way to an error; None if it has no part."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(game.folder)]
    return own[-1] if own else None


def find_last_line(error: BaseException) -> traceback.FrameSummary | None:
    """Return the line that raised an error; None if it was never raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1] if frames else None
