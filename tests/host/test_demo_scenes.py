"""The recorded evenings: proven, of today's rules, shown as everyone saw them, at a human pace."""

from typing import Any

import msgspec
import pytest

from companion.cli import main
from companion.core.events import Opened
from companion.games import find_game
from companion.host.demo_scenes import (
    ACT,
    AGAIN,
    DemoEvening,
    DemoScene,
    iter_scenes,
    load_demo,
    load_evenings,
    load_trailer,
    told_steps,
)
from companion.records.format import Record
from companion.records.verify import prove_record, record_events
from companion.table.telling import LONGEST, STANDS, telling_seconds
from tests.generators.demo_scenes import play
from tests.generators.trailers import FINDERS, cut_trailer
from tests.worlds.own_games import own_games

EVENINGS = load_evenings()
each_evening = pytest.mark.parametrize("evening", EVENINGS, ids=lambda one: one.header.game)


def test_a_demo_evening_of_each_box_is_shipped() -> None:
    assert sorted(evening.header.game for evening in EVENINGS) == sorted(own_games())


@each_evening
def test_the_record_is_proven_to_the_end(evening: Record, capsys: Any) -> None:
    assert main(["replay", "--verify", str(find_game(evening.header.game).demo_file)]) == 0
    said = capsys.readouterr().out
    assert f"Consistent: yes. {len(evening.moments)}\u00a0moments lie in one chain." in said
    assert "By the rules: yes, each of them." in said
    assert "ends before the game does" not in said


@each_evening
def test_bots_play_the_same_evening_today(evening: Record) -> None:
    trailer = load_trailer(find_game(evening.header.game))
    assert trailer is not None
    anew = play(evening.header.game, trailer.seed)
    cut = cut_trailer(anew, trailer.seed)
    assert cut is not None
    is_same = cut.trailer == trailer
    assert is_same, "make demo looks for the best evening again"
    is_same = anew.moments == evening.moments  # Their difference would be told for minutes.
    assert is_same, "make demo has the bots play again"
    assert prove_record(anew).history.state.score == prove_record(evening).history.state.score


@each_evening
def test_everyone_sees_the_whole_evening_and_nothing_that_is_hidden(evening: Record) -> None:
    shown, events = list(iter_scenes(evening)), [event for event, _, _ in record_events(evening)]
    assert len(shown) == len(events), "no bot closes its hand again"
    assert [scene.view.at for scene in shown] == list(range(1, len(shown) + 1))
    nonces = [event.nonce for event in events if isinstance(event, Opened)]
    for scene in shown:
        assert (scene.view.seat, scene.view.mine, scene.view.may) == (0, None, ())
    told = msgspec.json.encode(shown).decode()
    assert len(nonces) > 40
    assert not any(nonce in told for nonce in nonces)


def test_a_verdict_stays_until_it_is_told() -> None:
    shown = [scene for evening in EVENINGS for scene in iter_scenes(evening)]
    for before, scene in zip([None, *shown], shown, strict=False):
        verdict = scene.view.public.verdict
        if verdict is not None and (before is None or verdict != before.view.public.verdict):
            assert scene.before == (before and before.view)
            assert scene.lasts >= LONGEST
        else:
            assert scene.before is None
            assert scene.lasts in (ACT, AGAIN) or scene.view.public.score is not None


@each_evening
def test_an_evening_is_neither_rushed_nor_endless(evening: Record) -> None:
    assert 5 <= sum(map(_lasts, iter_scenes(evening))) / 60 <= 20


def _lasts(scene: DemoScene) -> float:
    return scene.lasts


# The trailers.


each_trailer = pytest.mark.parametrize("shown", load_demo(), ids=lambda one: one.record.header.game)


@each_trailer
def test_a_trailer_lasts_a_minute_and_a_half(shown: DemoEvening) -> None:
    assert 85 <= sum(map(_lasts, iter_scenes(*shown))) <= 95
    assert shown.trailer is not None
    assert len(list(iter_scenes(*shown))) == len(shown.trailer.shots)


@each_trailer
def test_every_verdict_in_it_is_told_to_its_end_and_stands(shown: DemoEvening) -> None:
    whole = {scene.view.at: scene for scene in iter_scenes(shown.record)}
    verdicts = 0
    for scene in iter_scenes(*shown):
        assert scene.view == whole[scene.view.at].view
        assert scene.before == whole[scene.view.at].before
        if scene.before is not None:
            verdicts += 1
            told = len(told_steps(scene.before.public, scene.view.public))
            assert scene.lasts >= telling_seconds(told) + STANDS
    assert verdicts >= 3


@each_trailer
def test_what_is_looked_for_is_in_it_and_it_ends_with_the_score(shown: DemoEvening) -> None:
    assert shown.trailer is not None
    found = {word for shot in shown.trailer.shots for word in shot.shows}
    assert {*FINDERS[shown.record.header.game][1]} <= found
    *_, last = iter_scenes(*shown)
    assert last.view.public.score is not None


def test_chips_are_taken_in_one_moment() -> None:
    (shown,) = (one for one in load_demo() if one.record.header.game == "banque_fatale")
    kinds = [type(event).__name__ for event, _, _ in record_events(shown.record)]
    assert kinds.count("ChipTaken") > 100
    assert shown.trailer is not None
    taken = [shot.at for shot in shown.trailer.shots if kinds[shot.at - 1] == "ChipTaken"]
    assert taken != []
    assert all(kinds[at] != "ChipTaken" for at in taken), "the last one of those who take"
