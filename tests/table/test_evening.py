"""The evening of a game: places, fortunes after each verdict, what decided it."""

from itertools import pairwise

import msgspec
import pytest

from companion.core.i18n import LANGUAGES, Message, get_language
from companion.core.verdict import Score
from companion.games import make_rulebook
from companion.table.history import History, build_history
from companion.table.outcomes import Milestone, find_turning_point, rank_players, tell_evening
from companion.table.view import make_view, table_status
from tests.worlds.own_games import own_games
from tests.worlds.standing_tables import played

RULES = make_rulebook("bankueberfall")


def history_of(game: str, events: int | None = None) -> History:
    told = played(game).events[:events]
    return build_history(make_rulebook(game), [(event, "", 0.0) for event in told])


def ranks(**totals: int) -> list[tuple[int, str]]:
    seats = {name: n for n, name in enumerate(totals, 1)}
    score = Score((), totals, ())
    return [(one.place, one.name) for one in rank_players(RULES, score, seats)]


def test_equal_totals_share_a_place_and_the_next_one_stays_free() -> None:
    assert ranks(Ana=3, Ben=7, Cem=7, Dora=1) == [(1, "Ben"), (1, "Cem"), (3, "Ana"), (4, "Dora")]


@pytest.mark.parametrize("game", own_games())
def test_the_course_begins_at_the_start_and_ends_with_the_score(game: str) -> None:
    history = history_of(game)
    evening = tell_evening(history)
    assert evening is not None
    assert history.state is not None
    assert history.state.score is not None
    assert evening.course[-1].fortunes == history.state.score.totals
    assert len(set(evening.course[0].fortunes.values())) == 1
    verdicts = {id(state.verdict) for state in played(game).states[1:] if state.verdict}
    assert len(evening.course) == len(verdicts) + 1


@pytest.mark.parametrize("game", own_games())
def test_before_the_end_nothing_is_told(game: str) -> None:
    """What lay behind screens is open when the game is over, and not before."""
    everything = len(played(game).events)
    for n in range(1, everything, 7):
        history = history_of(game, n)
        view = make_view(history.rules, history.state, n, table=table_status(history))
        assert not view.shows_end
        assert b"fortunes" not in msgspec.json.encode(view)
    assert table_status(history_of(game)).evening is not None


def course(*leads: int) -> tuple[Milestone, ...]:
    """A game in which Ana was ahead of Ben by so much."""
    name = Message("Round {round}", {"round": 7})
    return tuple(
        Milestone(10 * n, name, {"Ana": 50 + lead, "Ben": 50, "Cem": 0})
        for n, lead in enumerate(leads)
    )


SENTENCES = {
    (0, -5, 4): "Round 7 decided it: Ana went from 5\u00a0coins behind to 4\u00a0coins ahead.",
    (
        0,
        -9,
        -2,
        1,
    ): "Round 7 decided it: Ana came up from 9\u00a0coins behind to 2\u00a0coins behind.",
    (0, -5, 0, 1): "Round 7 decided it: Ana made up 5\u00a0coins and drew level.",
    (0, 1, 0, 3): "Round 7 decided it: from level, Ana went 3\u00a0coins ahead.",
    (0, 1, 4): "Round 7 decided it: Ana went from 1\u00a0coin ahead to 4\u00a0coins ahead.",
}


@pytest.mark.parametrize("leads", SENTENCES)
def test_what_decided_it_is_the_largest_gain_of_the_winner(leads: tuple[int, ...]) -> None:
    turn = find_turning_point(RULES, course(*leads), ("Ana",))
    assert turn is not None
    assert get_language("en")(turn.say) == SENTENCES[leads]
    assert turn.at == 10 * turn.n
    gains = [after - before for before, after in pairwise(leads)]
    assert gains[turn.n - 1] == max(gains)
    for code in LANGUAGES:
        assert "Ana" in get_language(code)(turn.say)


@pytest.mark.parametrize(
    ("leads", "winners"), [((0, 0), ("Ana", "Ben")), ((5, 3, 1), ("Ana",)), ((), ("Ana",))]
)
def test_nothing_decided_a_shared_win_or_a_lead_that_only_shrank(
    leads: tuple[int, ...], winners: tuple[str, ...]
) -> None:
    assert find_turning_point(RULES, course(*leads), winners) is None
