"""Raw SPI transcripts: what the doctor does is written down, and the driver does it again."""

from pathlib import Path

import msgspec
import pytest

from companion.cli import main
from companion.core.errors import Malformed
from hardware.doctor.examine import Workplace, examine_reader_wires, examine_table
from hardware.doctor.rehearsal import SimulatedPerson, healthy_machine
from hardware.rc522.transcript import (
    Replay,
    TranscriptDiffersError,
    read_transcript,
    record_transfers,
)
from hardware.simulated_table import build_world
from hardware.wiring import Wiring, load_profile

WHOLE = load_profile("eight-readers")
WIRING = msgspec.structs.replace(
    WHOLE, readers={place: WHOLE.readers[place] for place in (1, 2)}, buttons={}, lamps={}
)


def record(path: Path, wiring: Wiring) -> list[object]:
    """Have a simulated table examined; what the doctor said of its readers."""
    world = build_world(wiring)
    with world.install_stand_ins(), record_transfers(path):
        at = Workplace(healthy_machine(wiring), world.clock, world.pin_factory())
        lines = examine_table(wiring, SimulatedPerson(world, wiring), at).lines
    return [line for line in lines if "reader" in line.what.text]


class StillPerson(SimulatedPerson):
    """A person whose cards lie only in the transcript."""

    def lays_card(self, place: int) -> bool:
        return True


def replay(transcript: Replay, wiring: Wiring) -> list[object]:
    """Examine again, with nothing behind the wires but the transcript."""
    world = build_world(wiring)
    for board in world.boards:
        board.dead = 0xFF
    with world.install_stand_ins(), transcript.answer_transfers():
        found = examine_reader_wires(wiring, StillPerson(world, wiring), transcript)
        return [line for line in found if "reader" in line.what.text]


def test_the_driver_finds_in_a_transcript_what_it_found_on_the_table(tmp_path: Path) -> None:
    path = tmp_path / "spi.jsonl"
    said = record(path, WIRING)
    transfers = read_transcript(path)
    again = Replay(transfers)
    assert replay(again, WIRING) == said
    assert again.transfers_left == 0
    sent = transfers[50]
    transfers[50] = msgspec.structs.replace(sent, sent="00" + sent.sent[2:])
    with pytest.raises(TranscriptDiffersError, match="transfer 51 sends"):
        replay(Replay(transfers), WIRING)
    with pytest.raises(TranscriptDiffersError, match="beyond the transcript"):
        replay(Replay(transfers[:50]), WIRING)
    whole = read_transcript(path)
    path.write_bytes(path.read_bytes()[:-9])
    assert read_transcript(path) == whole[:-1]
    assert path.stat().st_mode & 0o077 == 0


def test_the_command_records_into_a_new_file_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "spi.jsonl"
    words = ["doctor", "--sim", "--stage", "reader", "1", "--record"]
    assert main([*words, str(path)]) == 0
    before = path.read_bytes()
    assert len(read_transcript(path)) > 100
    assert main([*words, str(path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert main([*words, str(tmp_path / "none" / "spi.jsonl")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"transcript":2}\n', b'{"transcript":1}\n{"at":1}\n', b"\xff\n"]
)
def test_what_is_no_transcript_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "spi.jsonl"
    path.write_bytes(data)
    with pytest.raises(Malformed, match="is no transcript that this companion reads"):
        read_transcript(path)
    with pytest.raises(Malformed, match="cannot be read"):
        read_transcript(tmp_path / "none")
