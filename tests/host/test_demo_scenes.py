"""The recorded evenings: proven, of today's rules, shown as everyone saw them, at a human pace."""

import msgspec
import pytest

from companion.core.events import Opened
from companion.host.demo import DemoEvening, DemoScene, Shot, Trailer, iter_scenes, load_demo
from companion.records.verify import prove_record, record_events
from companion.table.telling import STANDS, telling_seconds
from tests.generators.demo_scenes import play

EVENINGS = load_demo()
each_evening = pytest.mark.parametrize("shown", EVENINGS, ids=lambda one: one.record.header.game)


def whole(shown: DemoEvening) -> list[DemoScene]:
    """Every moment of a recorded game as a scene."""
    shots = tuple(Shot(each.n, 1.0) for each in shown.record.moments)
    return list(iter_scenes(shown.record, Trailer(0, shots)))


@each_evening
def test_bots_play_the_same_evening_today(shown: DemoEvening) -> None:
    record, trailer = shown
    anew = play(record.header.game, trailer.seed)
    # The start says every house rule, new ones too; a difference would be told for minutes.
    is_same = anew.moments[1:] == record.moments[1:]
    assert is_same, "make demo has the bots play again"
    assert prove_record(anew).history.state.score == prove_record(record).history.state.score


@each_evening
def test_everyone_sees_the_whole_evening_and_nothing_that_is_hidden(shown: DemoEvening) -> None:
    scenes, events = whole(shown), [event for event, _, _ in record_events(shown.record)]
    assert len(scenes) == len(events), "no bot closes its hand again"
    assert [scene.view.at for scene in scenes] == list(range(1, len(scenes) + 1))
    nonces = [event.nonce for event in events if isinstance(event, Opened)]
    for scene in scenes:
        assert (scene.view.seat, scene.view.mine, scene.view.may) == (0, None, ())
    told = msgspec.json.encode(scenes).decode()
    assert len(nonces) >= 40
    assert not any(nonce in told for nonce in nonces)


@each_evening
def test_every_verdict_in_it_is_told_to_its_end_and_stands(shown: DemoEvening) -> None:
    played = {scene.view.at: scene for scene in whole(shown)}
    verdicts = 0
    for scene in iter_scenes(*shown):
        assert scene.view == played[scene.view.at].view
        assert scene.before == played[scene.view.at].before
        if scene.before is not None:
            verdicts += 1
            told = len(scene.view.public.verdict.steps)
            assert scene.lasts >= telling_seconds(told) + STANDS
    assert verdicts >= 3
    assert scene.view.public.score is not None, "it ends with the score"
