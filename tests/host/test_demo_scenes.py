"""The recorded evenings: proven, of today's rules, shown as everyone saw them, at a human pace."""

from typing import Any

import msgspec
import pytest

from companion.cli import main
from companion.core.events import Opened
from companion.games import find_game, game_names
from companion.host.demo_scenes import (
    ACT,
    AGAIN,
    DemoScene,
    iter_scenes,
    load_evenings,
)
from companion.records.format import Record
from companion.records.verify import prove_record, record_events
from companion.table.telling import LONGEST
from tests.generators.demo_scenes import play

EVENINGS = load_evenings()
each_evening = pytest.mark.parametrize("evening", EVENINGS, ids=lambda one: one.header.game)


def test_a_demo_evening_of_each_box_is_shipped() -> None:
    assert sorted(evening.header.game for evening in EVENINGS) == sorted(game_names())


@each_evening
def test_the_record_is_proven_to_the_end(evening: Record, capsys: Any) -> None:
    assert main(["replay", "--verify", str(find_game(evening.header.game).demo_file)]) == 0
    said = capsys.readouterr().out
    assert f"All {len(evening.moments)} moments follow the rules" in said
    assert "ends before the game does" not in said


@each_evening
def test_bots_play_the_same_evening_today(evening: Record) -> None:
    anew = play(evening.header.game)
    assert anew.moments == evening.moments, "make demo has the bots play again"
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
