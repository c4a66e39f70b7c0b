"""What a game's own code raised, as one sentence for people and one line of the log.

Law: it is logged once, by the class of the error and the line of code: never by the text of the
error, which may hold what only one seat knows.
"""

import logging
import sys
import traceback
from pathlib import Path

from companion.core.cards import Box
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, Message
from companion.core.log_lines import log_line
from companion.core.safe_text import show_safely
from companion.games import find_game, game_names, list_games
from companion.games.game import Game

LOG = logging.getLogger("companion.table")
SHOWN = ("view", "screen", "page", "lamp")
"""What is asked when nothing is done, but shown."""
NOT_SHOWN = N_("The rules of {game} failed; it cannot be shown as it stands.")


class GameFailed(Exception):
    """A game's own code has failed; `refusal` says so to people."""

    def __init__(self, refused: Refusal) -> None:
        self.refusal = refused
        super().__init__(refused.code)


class FailureLog:
    """The failures of games at a table, each logged once."""

    def __init__(self) -> None:
        self._logged: set[str] = set()

    def describe_failure(self, box: Box, asked: str, error: BaseException) -> GameFailed:
        """Return the failure of a game for people, and log it."""
        line = log_line(
            "game_failed",
            game=box.game,
            asked=asked,
            error=show_safely(type(error).__name__),
            **_name_line(box.game, error),
        )
        if line not in self._logged:
            self._logged.add(line)
            LOG.error(line)
        if asked in SHOWN:
            return GameFailed(
                Refusal("game_failed", "T.end", Message(NOT_SHOWN, {"game": box.title}))
            )
        text = "The rules of {game} failed; nothing was changed."
        return GameFailed(refusal("game_failed", "T.end", text, game=box.title))


def find_failed_box(on_table: Box, error: BaseException) -> Box | None:
    """Return the box of the game from whose own code an error came; None if it is ours."""
    for game in sorted(list_games(), key=lambda game: game.name != on_table.game):
        if find_own_line(game, error) is not None:
            return game.standard_box()
    return None


def _name_line(name: str, error: BaseException) -> dict[str, str]:
    """Return file and number of the line of the game at which it went wrong; where ours met what
    the game lacks, the file of its rule book, and our line besides."""
    game = find_game(name) if name in game_names() else None
    own = find_own_line(game, error) if game is not None else None
    line = own or find_last_line(error)
    at = f"{_short_path(line.filename)}:{line.lineno}" if line else ""
    if game is None or own is not None:
        return {"at": at}
    return {"at": _short_path(find_own_file(game)), "ours": at}


def _short_path(file: str) -> str:
    return "/".join(Path(file).parts[-2:])


def find_own_line(game: Game, error: BaseException) -> traceback.FrameSummary | None:
    """Return the last line of a game's own code on the way to an error; None if it has no part."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(game.folder)]
    return own[-1] if own else None


def find_own_file(game: Game) -> str:
    """Return the file in which the rule book of a game stands; "" if it was not read from one."""
    return getattr(sys.modules.get(game.rulebook.__module__), "__file__", None) or ""


def find_last_line(error: BaseException) -> traceback.FrameSummary | None:
    """Return the line that raised an error; None if it was never raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1] if frames else None
