"""The registry of the games. A new game is a package beside these and a line in this list."""

from companion.core.cards import BOX_TYPES, Box, standard_box
from companion.games import bankueberfall, banque_fatale, robby_solo
from companion.games.rulebook import AnyRulebook

RULEBOOKS: dict[str, type[AnyRulebook]] = {
    "bankueberfall": bankueberfall.Bankueberfall,
    "banque_fatale": banque_fatale.BanqueFatale,
    "robby_solo": robby_solo.RobbySolo,
}


def make_rulebook(game: str, box: Box | None = None) -> AnyRulebook:
    """Make the rule book of a game, for the box as it is sold or for another one."""
    return RULEBOOKS[game](box or standard_box(BOX_TYPES[game]))
