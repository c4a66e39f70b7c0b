"""Recorded evenings: written, cut short, and played back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulated_table import SimulatedHardware
from hardware.simulator import recording
from hardware.simulator.recording import ButtonEdge, Reading, Recorder, SeenTags
from hardware.simulator.world import World
from hardware.wiring import load_profile

CARD, OTHER = "04a1b2c3d4e5f6", "04a1b2c3d4e5f7"

readings = st.one_of(
    st.builds(
        SeenTags,
        st.floats(0, 1e4),
        st.integers(0, 7),
        st.lists(st.sampled_from([CARD, OTHER, "11223344"]), unique=True).map(tuple),
        st.booleans(),
    ),
    st.builds(ButtonEdge, st.floats(0, 1e4), st.integers(1, 6), st.booleans()),
)


def uids(world: World, reader: int) -> list[str]:
    return [tag.uid.hex() for tag in world.tags_on(reader)]


@given(st.lists(readings, max_size=20))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, evening: list[Reading]
) -> None:
    path = tmp_path_factory.mktemp("recording") / "evening.jsonl"
    recording.write_recording(path, evening)
    news: list[Reading] = []
    last: dict[int, tuple[tuple[str, ...], bool]] = {}
    for reading in evening:
        if isinstance(reading, SeenTags):
            if last.get(reading.reader) == (reading.uids, reading.clean):
                continue
            last[reading.reader] = (reading.uids, reading.clean)
        news.append(reading)
    assert list(recording.read_recording(path)) == news


def test_a_line_cut_short_at_the_end_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    recording.write_recording(path, [ButtonEdge(1.0, 2, True), ButtonEdge(2.0, 2, False)])
    path.write_bytes(path.read_bytes()[:-9])
    assert list(recording.read_recording(path)) == [ButtonEdge(1.0, 2, True)]


def test_a_bad_line_in_the_midst_is_named(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text('{"raw":"edge"}\n{"raw":"edge","at":1,"seat":2,"down":true}\n')
    with pytest.raises(recording.RecordingError, match=r"Line 1 of evening\.jsonl"):
        list(recording.read_recording(path))


def test_played_back_the_tags_lie_where_they_were_seen() -> None:
    world = World(2)
    recording.play_recording(
        world,
        [
            SeenTags(1.0, 0, (CARD,)),
            SeenTags(2.0, 0, (CARD, OTHER)),
            SeenTags(3.0, 0, (OTHER,)),
            SeenTags(3.0, 1, (CARD,)),
            ButtonEdge(4.0, 1, True),
        ],
    )
    world.sleep(1.5)
    assert uids(world, 0) == [CARD]
    world.sleep(1)
    assert uids(world, 0) == [CARD, OTHER]
    world.sleep(1)
    assert (uids(world, 0), uids(world, 1)) == ([OTHER], [CARD])
    world.sleep(1)
    assert world.pins.level(4) == 0


def test_an_unclean_look_is_noise_and_takes_nothing_away() -> None:
    world = World(1)
    recording.play_recording(
        world, [SeenTags(1.0, 0, (CARD,)), SeenTags(2.0, 0, (), clean=False), SeenTags(3.0, 0)]
    )
    world.sleep(2.5)
    assert uids(world, 0) == [CARD]
    assert not world.field.antennas[0].noise.quiet
    world.sleep(1)
    assert uids(world, 0) == []
    assert world.field.antennas[0].noise.quiet


def test_an_evening_on_the_table_is_recorded_and_read_again_from_the_recording(
    tmp_path: Path,
) -> None:
    path = tmp_path / "evening.jsonl"
    with path.open("w", encoding="utf-8") as file:
        table = SimulatedHardware(load_profile(), recorder=Recorder(file))
        card = table.world.put(CARD, 2)
        table.run_until(0.4)
        table.world.tap(3)
        table.run_until(0.8)
        table.world.lift(card)
        table.run_until(1.2)
        table.run_until(1.6)
        told = [(type(news), news) for news in table.hardware.sense()]
        table.close()
    noted = list(recording.read_recording(path))
    assert [(n.reader, n.uids) for n in noted if isinstance(n, SeenTags) and n.reader == 2] == [
        (2, (CARD,)),
        (2, ()),
    ]
    assert [(n.seat, n.down) for n in noted if isinstance(n, ButtonEdge)] == [(3, True), (3, False)]
    again = SimulatedHardware(load_profile())
    recording.play_recording(again.world, noted)
    for moment in (0.4, 0.8, 1.2, 1.6):
        again.run_until(moment)
    assert [type(news) for news in again.hardware.sense()] == [kind for kind, _ in told]
    again.close()


@pytest.mark.parametrize(
    ("reading", "sentence"),
    [
        (SeenTags(1, 9, (CARD,)), "names reader 9, which this table does not have"),
        (SeenTags(1, -1), "names reader -1"),
        (SeenTags(1, 1, ("zz",)), "names the tag 'zz'; a tag is 8, 14 or 20 hex digits"),
        (SeenTags(1, 1, ("04a1",)), "names the tag '04a1'"),
        (ButtonEdge(1, 9, True), "names seat 9, which has no button here; choose 1, 2"),
        (ButtonEdge(-1, 1, True), "names the moment -1"),
        (ButtonEdge(1e300, 1, True), "names the moment"),
    ],
)
def test_a_recording_that_this_table_cannot_play_is_one_sentence(
    reading: Reading, sentence: str
) -> None:
    with pytest.raises(recording.RecordingError, match=sentence):
        recording.play_recording(World(8), [reading])


def test_a_file_that_is_no_recording_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(recording.RecordingError, match="picture is not UTF-8 text"):
        list(recording.read_recording(tmp_path / "picture"))
    with pytest.raises(recording.RecordingError, match="nothing cannot be read"):
        list(recording.read_recording(tmp_path / "nothing"))
