"""`companion bundle`: the support bundle where nobody can sign in as host."""

import json
import zipfile
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest

from companion.app.health_monitor import REPORT_EVERY, REPORT_FILE
from companion.app.support_bundle import redact_config
from companion.cli import bundle, main
from companion.core.sensor_events import Arrived
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.journal.lock import is_locked
from tests.host.test_host import THREE, Standing, enrolled, stickers

CONFIG = """\
profile = "{profile}"
address = "192.168.7.77"
port = 8123
lang = "de"
"""

assert bundle  # Compiled before a limit on the size of files could cut its compiled form short.


@pytest.fixture
def played_table(tmp_path: Path) -> Standing:
    """A table that has been played at, and the folder where it is kept."""
    folder = tmp_path / "of-ana"
    folder.mkdir()
    enrolled(folder, "robby_solo")
    return Standing(folder)


def looked_after(at: Standing, *moments: float) -> None:
    """The companion runs at these moments, and leaves what it finds."""
    room = at.real()
    room.health_monitor._report_folder = at.folder
    for moment in moments:
        at.now = moment
        room.health_monitor.check()


def bundled(at: Standing, *words: str, status: int = 0) -> dict[str, bytes]:
    to = at.folder.parent / "told.zip"
    assert main(["bundle", "--data", str(at.folder), "--to", str(to), *words]) == status
    with zipfile.ZipFile(to) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_a_bundle_that_does_not_fit_leaves_nothing(
    played_table: Standing, capsys: pytest.CaptureFixture[str]
) -> None:
    to, most = played_table.folder.parent / "told.zip", getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (100, most[1]))
    try:
        assert main(["bundle", "--data", str(played_table.folder), "--to", str(to)]) == 2
    finally:
        setrlimit(RLIMIT_FSIZE, most)
    assert "The disk is full: nothing more can be written" in capsys.readouterr().err
    assert not to.exists()


def test_it_tells_what_the_disk_tells_and_what_the_companion_said_last(
    played_table: Standing,
) -> None:
    looked_after(played_table, 100.0)
    played_table.journal.close()
    found = bundled(played_table)
    health, last = json.loads(found["health.json"]), json.loads(found["last.json"])
    assert (health["readers"], health["journal_proven"]) == ([], True)
    assert "readers" not in health["lights"]
    assert {box["game"]: box["enrolled"] for box in health["boxes"]}["robby_solo"] == "2026-11-20"
    assert [reader["word"] for reader in last["readers"]] == ["well"]
    assert last["lights"]["readers"] == "green"
    assert json.loads(found["machine.json"])["running"] is False


def test_while_a_companion_runs_it_is_made_all_the_same_and_disturbs_nothing(
    played_table: Standing,
) -> None:
    before = sorted(path.name for path in played_table.folder.iterdir())
    found = bundled(played_table)
    assert json.loads(found["machine.json"])["running"] is True
    assert json.loads(found["last.json"]) is None
    assert sorted(path.name for path in played_table.folder.iterdir()) == before
    played_table.journal.close()
    assert is_locked(played_table.folder / "journal.sqlite3") is False


def test_a_journal_that_is_damaged_is_told_and_not_mended(played_table: Standing) -> None:
    played_table.journal.close()
    path = played_table.folder / "journal.sqlite3"
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 5000)
    damaged = path.read_bytes()
    assert b"damaged" in bundled(played_table)["trouble.txt"]
    assert path.read_bytes() == damaged


def test_of_the_config_goes_along_what_names_nobody_and_no_place(
    played_table: Standing, tmp_path: Path
) -> None:
    config = tmp_path / "companion.toml"
    profile = Path("hardware/wiring/eight-readers.toml").resolve()
    config.write_text(CONFIG.format(profile=profile), "utf-8")
    found = bundled(played_table, "--config", str(config))
    assert json.loads(found["machine.json"])["config"] == {
        "profile": "eight-readers", "address": "one network", "port": "8123", "lang": "de",
    }  # fmt: skip
    everything = b"".join(found.values())
    for secret in (str(tmp_path), "of-ana", "192.168.7.77"):
        assert secret.encode() not in everything
    played_table.journal.close()


def test_a_profile_of_ones_own_goes_along_without_its_name(played_table: Standing) -> None:
    assert redact_config({"profile": "/etc/companion/table-of-ana.toml"}) == {"profile": "own"}
    room = played_table.real()
    room.wiring = "table-of-ana"
    assert room.read_health().wiring == "own"
    played_table.journal.close()


def test_a_key_that_nobody_knows_yet_goes_along_without_its_value() -> None:
    assert redact_config({"lang": "fr", "password": "4071"}) == {"lang": "fr", "password": "…"}
    assert redact_config({"address": "0.0.0.0"}) == {"address": "everyone"}
    assert redact_config({"address": "127.0.0.1"}) == {"address": "this machine"}


def test_a_config_that_cannot_be_read_is_told_without_what_stands_in_it(
    played_table: Standing, tmp_path: Path
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('anas_password = "4071"\n', "utf-8")
    told = json.loads(bundled(played_table, "--config", str(config))["machine.json"])
    assert told["config"] == {}
    assert told["config_trouble"].startswith("… has an unknown key")
    assert "anas" not in told["config_trouble"]
    played_table.journal.close()


def test_no_file_is_written_over(
    played_table: Standing, capsys: pytest.CaptureFixture[str]
) -> None:
    bundled(played_table)
    (played_table.folder.parent / "told.zip").write_bytes(b"Ana's only copy")
    words = ["bundle", "--data", str(played_table.folder), "--to"]
    assert main([*words, str(played_table.folder.parent / "told.zip")]) == 2
    assert (played_table.folder.parent / "told.zip").read_bytes() == b"Ana's only copy"
    assert "told.zip exists already" in capsys.readouterr().err
    assert main([*words, str(played_table.folder / "nowhere" / "b.zip")]) == 2
    assert "cannot be written: No such file" in capsys.readouterr().err
    assert main([*words, str(played_table.folder.parent)]) == 0, "a folder is filled"
    played_table.journal.close()


def test_what_was_left_and_is_no_report_is_left_out(played_table: Standing) -> None:
    spoilt = '{"companion": "\xff"}', '{"x": ' + "[" * 10**5
    for text in ('{"companion": "Ana was here"}', *spoilt):
        (played_table.folder / REPORT_FILE).write_text(text, "latin-1")
        assert json.loads(bundled(played_table)["last.json"]) is None
        (played_table.folder.parent / "told.zip").unlink()
    played_table.journal.close()


def test_the_last_report_is_written_on_change_and_at_most_once_a_minute(
    played_table: Standing,
) -> None:
    room, file, marks = played_table.real(), played_table.folder / REPORT_FILE, list[int]()
    room.health_monitor._report_folder = played_table.folder
    for moment in range(200, 200 + int(3.5 * REPORT_EVERY), 3):
        played_table.now = float(moment)
        played_table.hands.stuck = [1] if moment % 2 and moment < 200 + 2.5 * REPORT_EVERY else []
        room.health_monitor.check()
        marks.append(file.stat().st_mtime_ns)
    assert len(set(marks[: int(2.5 * REPORT_EVERY) // 3])) == 3, "one at once, then one a minute"
    assert len(set(marks)) <= 4, "and none while nothing else is to be said"
    assert oct(file.stat().st_mode)[-3:] == "600"
    played_table.journal.close()


def test_a_disk_that_takes_nothing_stops_nobody(played_table: Standing) -> None:
    room = played_table.real()
    room.health_monitor._report_folder = played_table.folder / "gone"
    room.health_monitor.check()
    assert room.health_lights()
    played_table.journal.close()


def test_nothing_of_a_game_is_in_what_is_left(played_table: Standing) -> None:
    room, tag = played_table.real("robby_solo"), stickers("robby_solo")["1000"][0]
    room.health_monitor._report_folder = played_table.folder
    assert room.begin_game(NewGame("robby_solo", THREE)) is None
    played_table.tell(room, Arrived(1.0, 1, tag))
    room.health_monitor.check()
    left = (played_table.folder / REPORT_FILE).read_text("utf-8")
    secrets = (*THREE, tag, room.table.state.id, str(played_table.folder))
    assert [secret for secret in secrets if secret in left] == []
    played_table.journal.close()


def test_a_journal_that_nobody_holds_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    assert is_locked(path) is False
    journal = Journal(path)
    assert is_locked(path) is True
    journal.close()
    assert is_locked(path) is False
