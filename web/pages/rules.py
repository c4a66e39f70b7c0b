"""The rules of a game as a page: each by its id, in our own words, for anyone, without a seat.

Laws: the page holds what `companion rules` prints and nothing of a hand or a card; of the game that
is being played it says which house rules were chosen.
"""

from collections.abc import Mapping

from flask import Blueprint, Response, abort, make_response, render_template

from companion.core.cards import Box
from companion.games import find_game, game_names
from web.context import current_context
from web.pages.join import all_boxes
from web.rendering.game_words import game_of_rule, rule_of, template_words
from web.rendering.screens import requested_screen

blueprint = Blueprint("rules", __name__, url_prefix="/rules")


@blueprint.get("")
def list_rules() -> Response:
    """Show the games, to choose one; the rules of the game that is played, if there is one."""
    return _rules_response("rules/games.html", boxes=all_boxes())


@blueprint.get("/<game>")
def show_rules(game: str) -> Response:
    """Show the rules of one game; 404 if there is no such game."""
    if game not in game_names():
        abort(404)
    box = find_game(game).standard_box()
    return _rules_response(
        "rules/page.html",
        title=box.title,
        box=box,
        rules=find_game(game).rules,
        chosen=_chosen_house_rules(box),
    )


@blueprint.get("/one/<id>")
def show_rule(id: str) -> Response:
    """Return one rule to be opened where it is cited; 404 if no game has it."""
    game = game_of_rule(id)
    if not game:
        abort(404)
    return _rules_response("rules/one.html", game=game, id=id, rule=rule_of(game, id))


def _chosen_house_rules(box: Box) -> Mapping[str, str]:
    """Return the house rules of the game that is played, if it is one of this box."""
    history = current_context().table.history
    if history.state is None or history.rules.box.game != box.game:
        return {}
    return dict(history.state.house_rules)


def _rules_response(template: str, **facts: object) -> Response:
    spoken = template_words(requested_screen("rules").language)
    return make_response(render_template(template, **spoken, **facts, page="rules"))
