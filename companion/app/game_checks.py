"""All that can be asked of a game: the laws of its rules, and its pages in every phase."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from companion.app.page_checks import BROWSERS, NoBrowser, check_phone_sizes, check_screens
from companion.core.installation import pip_command
from companion.games.game import Game
from companion.testing.laws import LAWS, describe_failure, first_finding

SEED = 1
SCREENS = "every phase is on every page, in every language"
SIZES = "pages fit phones of 390×844, 390×664 and 360×640"
SAME = "the same"
"""A finding that was told already."""


class LawCheck(NamedTuple):
    """What was asked, whether it holds, and a sentence if it does not or was not tried."""

    law: str
    answer: Literal["holds", "broken", "open"]
    finding: str = ""


def check_everything(game: Game, games: int) -> Iterator[LawCheck]:
    """Yield each check as it is done, and what breaks several of them once; each law plays so many
    games at random."""
    told = set[str]()
    for check in _ask_everything(game, games):
        yield check._replace(finding=SAME) if check.finding in told else check
        told |= {check.finding} - {""}


def _ask_everything(game: Game, games: int) -> Iterator[LawCheck]:
    for law in LAWS:
        yield _answer(law, first_finding(game, law, range(games)))
    yield _check_pages(game, SCREENS, check_screens)
    yield _check_pages(game, SIZES, check_phone_sizes)


def _answer(law: str, finding: str | None) -> LawCheck:
    return LawCheck(law, "holds") if finding is None else LawCheck(law, "broken", finding)


def _check_pages(game: Game, law: str, check: Callable[[Game, int], Iterator[str]]) -> LawCheck:
    """Draw the pages; what the game's own code raises on the way is a finding."""
    try:
        return _answer(law, next(check(game, SEED), None))
    except ModuleNotFoundError as error:
        package = str(error.name)
        return LawCheck(law, "open", f"not tried without {package} ({pip_command(package)})")
    except NoBrowser:
        return LawCheck(law, "open", f"not tried without a browser (apt install {BROWSERS[1]})")
    except Exception as error:  # noqa: BLE001  A stranger's code may raise whatever it likes.
        return LawCheck(law, "broken", describe_failure(game, error))
