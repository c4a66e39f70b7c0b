"""The installer on a Pi that runs: when the service is started, and what is said in the end."""

import os
from pathlib import Path

import pytest

from installer import discovery
from installer.system import CONFIG, DATA
from tests.worlds.pi_folder import PIN, Workbench, install, tree

Said = pytest.CaptureFixture[str]
STARTED = {
    "companion.service",
    "companion-backup.timer",
    "companion-tidy.timer",
    "companion-caretaker.path",
}
DOCTOR = "runuser -u companion -- companion doctor --profile eight-readers --lang en"


@pytest.fixture
def running(bench: Workbench) -> Workbench:
    """The same Pi, switched on; SPI is not."""
    return Workbench(bench.root, live=True)


def reboot(pi: Workbench) -> None:
    """Now SPI is on, and what starts with the Pi has started."""
    (pi.root / "dev").mkdir()
    (pi.root / "dev/spidev0.0").touch()
    pi.active = set(STARTED)


def restarts(pi: Workbench) -> int:
    return sum(words[:2] == ("systemctl", "restart") for words in pi.asked)


def test_without_spi_it_starts_with_the_next_boot(
    running: Workbench, source: Path, capsys: Said
) -> None:
    assert install(running, source) == 0
    said = capsys.readouterr().out
    assert "Reboot now: sudo reboot" in said
    assert f"sudo {DOCTOR}" in said
    assert ":8000/" in said
    assert running.active == set()


def test_at_a_terminal_the_pin_is_shown_once_and_the_summary_says_where_to_go_on(
    running: Workbench, source: Path, capsys: Said
) -> None:
    running.somebody = True
    install(running, source)
    said = capsys.readouterr().out
    address, set_up, pin = said.splitlines()[-3:]
    assert address.startswith("The companion is at http://")
    assert set_up.startswith("Set the table up at http://")
    assert set_up.endswith(":8000/first with the PIN of the host.")
    assert pin == "For a PIN of the host, or another one if it is lost: sudo companion pin"
    assert running.shown == PIN, "by the command itself, so that it is in nothing that is piped"
    install(running, source)
    assert running.shown == PIN
    assert "123456" not in said + capsys.readouterr().out


def test_without_a_terminal_no_pin_is_made_or_shown(
    running: Workbench, source: Path, capsys: Said
) -> None:
    install(running, source)
    said = capsys.readouterr().out
    assert "123456" not in said
    assert said.endswith("another one if it is lost: sudo companion pin\n")
    assert not running.path_of(f"{DATA}/host.pin").exists()


def test_a_table_that_is_set_up_is_not_set_up_again(
    running: Workbench, source: Path, capsys: Said
) -> None:
    install(running, source)
    running.write_file(f"{DATA}/table.json", '{"language": "de", "set_up": true}')
    capsys.readouterr()
    install(running, source)
    said = capsys.readouterr().out
    assert "/first" not in said
    assert "companion doctor --profile eight-readers --lang de" in said


def test_after_the_reboot_nothing_is_left_to_do(
    running: Workbench, source: Path, capsys: Said
) -> None:
    install(running, source)
    reboot(running)
    before, _ = tree(running.root), capsys.readouterr()
    install(running, source)
    said = capsys.readouterr().out
    assert "nothing was changed" in said
    assert "Stop the service and let the doctor look at the wires" in said
    assert (tree(running.root), restarts(running)) == (before, 0)


def test_somebody_at_the_terminal_meets_the_doctor(running: Workbench, source: Path) -> None:
    install(running, source)
    reboot(running)
    running.somebody = True
    install(running, source)
    assert tuple(DOCTOR.split()) in running.asked
    assert running.active == STARTED, "and then the table goes on"


def test_what_has_changed_is_started_anew_once(running: Workbench, source: Path) -> None:
    install(running, source)
    reboot(running)
    for change in (
        lambda: running.write_file(CONFIG, 'lang = "de"\n'),
        lambda: (source / "web/__init__.py").write_text('"""Better."""\n'),
        lambda: running.write_file("/etc/systemd/system/companion.service", "[Service]\n"),
    ):
        change()
        before = restarts(running)
        install(running, source)
        install(running, source)
        assert restarts(running) == before + 1


def test_a_service_that_stands_still_is_started(running: Workbench, source: Path) -> None:
    install(running, source)
    reboot(running)
    running.active.clear()
    install(running, source)
    assert running.active == STARTED


def test_taking_it_away_stops_it_first(running: Workbench, source: Path) -> None:
    before = tree(running.root)
    install(running, source)
    reboot(running)
    running.asked.clear()
    assert install(running, source, "--uninstall") == 0
    assert running.active == set()
    verbs = [words[1] for words in running.asked if words[0] == "systemctl"]
    assert verbs == ["stop"] * 12 + ["daemon-reload", "reset-failed"]
    assert tree(running.root).keys() - before.keys() == {"dev", "dev/spidev0.0"}


def test_a_hotspot_is_switched_off_too(running: Workbench, source: Path) -> None:
    install(running, source)
    for name in discovery.LEFT:
        running.write_file(name, "psk=1234\n")
    assert install(running, source, "--uninstall") == 0, "even if NetworkManager is gone"
    assert set(discovery.SWITCHED_OFF) <= set(running.asked)
    assert not any(map(running.has_traces, discovery.LEFT))


def test_only_root_may_install_here(running: Workbench, source: Path, capsys: Said) -> None:
    before = tree(running.root)
    assert install(running, source, "--dry-run") == 0
    assert "the service runs this version" in capsys.readouterr().out
    if os.geteuid() != 0:
        assert install(running, source) == 2
        assert capsys.readouterr().err == "Only root may install: sudo systemd/install\n"
    assert tree(running.root) == before
