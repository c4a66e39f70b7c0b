"""Errands of a table: handed in by its pages, carried out by root, and what root never does."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from companion.caretaker.desk import ErrandDesk, has_caretaker
from companion.caretaker.errands import (
    ERRAND,
    GoBack,
    InstallRelease,
    LookForReleases,
    StartAnew,
    SwitchOff,
    put_errand,
    take_errand,
    take_power,
)
from companion.caretaker.report import (
    ReleaseOffer,
    Report,
    claim_work,
    is_at_work,
    read_report,
    write_report,
)
from companion.caretaker.work import Caretaker, run_with
from companion.core.errors import Refusal
from companion.core.i18n import Message, get_language
from companion.update.outcome import TOLD_VARIABLE
from companion.update.packages import package_files
from companion.update.releases import SDIST
from tests.worlds.makers_key import Maker
from tests.worlds.stand_in_apt import package_that_tells, put_apt

ENGLISH = get_language("en")
INSTALLER = """import json, os, pathlib, sys
told = pathlib.Path(os.environ["COMPANION_TOLD"])
told.write_text(json.dumps({"code": CODE, "text": "It is so.", "cases": ["game evening"]}))
(told.parent / "ran").write_text(" ".join(sys.argv[1:]))
sys.exit(CODE != "done")
"""


def installer(code: str) -> str:
    return f"CODE = {code!r}\n{INSTALLER}"


class Pi:
    """The folders of a Pi, both sides of the errands, and a maker whose key root trusts."""

    def __init__(self, root: Path) -> None:
        self.asked, self.reports, self.sent = root / "asked", root / "reports", root / "sent.update"
        self.stick, self.home = root / "stick", root / "home"
        for folder in (self.asked, self.stick, self.home):
            folder.mkdir()
        self.maker = Maker(root)
        self.ran: list[tuple[str, ...]] = []
        self.told, self.address = 0, ""
        self.plugged = True
        self.run = self._run
        self.wanted = SDIST
        self.desk = ErrandDesk(
            "1.0", self._note, "", 8000, self.asked, self.reports, self.sent, self.home
        )

    def _note(self) -> None:
        self.told += 1

    def _list_devices(self) -> str:
        stick = {"path": "/dev/sda1", "rm": True, "fstype": "vfat", "mountpoint": str(self.stick)}
        return json.dumps({"blockdevices": [stick] if self.plugged else []})

    def _run(self, words: Sequence[str], more: Mapping[str, str]) -> int:
        self.ran.append(tuple(words))
        return run_with(words, more) if words[0] != "systemctl" else 0

    def works(self) -> None:
        """Root does what was asked."""
        Caretaker(
            self.asked, self.reports, self.sent, self.maker.key, self._list_devices, self.run,
            lambda: self.home / "install", lambda: self.address, choose=lambda: self.wanted,
        ).work()  # fmt: skip


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_a_release_on_a_stick_is_offered_installed_and_reported(pi: Pi) -> None:
    pi.maker.release(pi.stick / "dist", installer=installer("done"))
    assert pi.desk.hand_in_errand(LookForReleases()) is None
    assert pi.desk.status().waits
    pi.works()
    status = pi.desk.status()
    assert (status.waits, status.report.offers) == (False, (ReleaseOffer("stick", "9.9.0"),))
    assert pi.desk.hand_in_errand(InstallRelease("stick", "9.9.0", now=True)) is None
    pi.works()
    report = pi.desk.status().report
    asked = InstallRelease("stick", "9.9.0", now=True)
    assert (report.ended, report.asked, report.doing) == ("done", asked, "")
    assert (pi.reports / "ran").read_text() == "--now"


def test_a_release_that_was_sent_is_kept_until_it_is_installed(pi: Pi) -> None:
    pi.plugged = False
    packed = pi.maker.update(pi.home / "made", installer=installer("agree"))
    send(pi, packed.read_bytes())
    pi.works()
    install = InstallRelease("sent", "9.9.0")
    assert pi.desk.hand_in_errand(install) is None
    pi.works()
    report = pi.desk.status().report
    assert (report.ended, report.cases) == ("agree", ("game evening",))
    assert pi.sent.exists()
    send(pi, pi.maker.update(pi.home / "again", installer=installer("done")).read_bytes())
    pi.works()
    assert pi.desk.hand_in_errand(InstallRelease("sent", "9.9.0", agree=True)) is None
    pi.works()
    assert (pi.reports / "ran").read_text() == "--agree"
    assert not pi.sent.exists()


def send(pi: Pi, data: bytes) -> None:
    """Send a release from a page, and have it looked at."""
    incoming = pi.desk.begin_upload("table-companion-9.9.0.update")
    assert incoming is not None
    for start in range(0, len(data), 1000):
        incoming.write(data[start : start + 1000])
    assert pi.desk.accept_upload(incoming.id) is None
    incoming.abort_upload()  # As the server does in any case.
    assert pi.desk.hand_in_errand(LookForReleases()) is None


@pytest.fixture
def packaged(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> Pi:
    """A Pi whose card was flashed: the table is a Debian package there."""
    monkeypatch.setenv("PATH", put_apt(pi.home / "bin", pi.home / "ran"))
    pi.wanted = package_files("12", "arm64")
    return pi


@pytest.mark.parametrize("place", ["stick", "update on the stick", "sent"])
def test_on_a_flashed_card_apt_installs_the_package_of_a_release(place: str, packaged: Pi) -> None:
    pi, package = packaged, package_that_tells("agree", cases=["game evening"])
    if place == "stick":
        pi.maker.release(pi.stick / "dist", package=package)
    made = pi.maker.update(pi.home / "made", package=package)
    if place == "update on the stick":
        made.rename(pi.stick / made.name)
    if place == "sent":
        pi.plugged = False
        send(pi, made.read_bytes())
    else:
        assert pi.desk.hand_in_errand(LookForReleases()) is None
    pi.works()
    (offer,) = pi.desk.status().report.offers
    assert (offer.version, offer.wrong) == ("9.9.0", None)
    assert pi.desk.hand_in_errand(InstallRelease(offer.place, "9.9.0")) is None
    pi.works()
    report = pi.desk.status().report
    assert (report.ended, report.cases, report.words) == ("agree", ("game evening",), "It is so.")
    assert (pi.home / "ran").read_text() == " table-companion_9.9.0+deb12_arm64.deb"
    assert (
        pi.desk.hand_in_errand(InstallRelease(offer.place, "9.9.0", agree=True, now=True)) is None
    )
    pi.works()
    assert pi.desk.status().report.ended == "done"
    assert (pi.home / "ran").read_text().startswith("--agree --now table-companion_9.9.0")
    assert not pi.sent.exists()


SCREEN = "table-companion-kiosk"


def test_the_package_of_the_screen_goes_along_where_it_is_installed(
    packaged: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", put_apt(packaged.home / "other", packaged.home / "ran", SCREEN))
    packaged.maker.release(packaged.stick / "dist", package=package_that_tells("done"))
    packaged.desk.hand_in_errand(LookForReleases())
    packaged.works()
    assert packaged.desk.hand_in_errand(InstallRelease("stick", "9.9.0")) is None
    packaged.works()
    assert packaged.desk.status().report.ended == "done"
    with_screen = f" {SCREEN}_9.9.0+deb12_all.deb table-companion_9.9.0+deb12_arm64.deb"
    assert (packaged.home / "ran").read_text() == with_screen
    (packaged.stick / f"dist/apt/pool/bookworm/{SCREEN}_9.9.0+deb12_all.deb").write_bytes(
        b"Another one."
    )
    (packaged.home / "ran").unlink()
    assert packaged.desk.hand_in_errand(InstallRelease("stick", "9.9.0")) is None
    packaged.works()
    says = packaged.desk.status().report.says
    assert "kiosk_9.9.0+deb12_all.deb is not as SHA256SUMS says" in ENGLISH(says or Message(""))
    assert not (packaged.home / "ran").exists()


def test_a_package_that_apt_does_not_install_is_not_done(packaged: Pi) -> None:
    packaged.maker.release(packaged.stick, package=package_that_tells(""))
    packaged.desk.hand_in_errand(LookForReleases())
    packaged.works()
    assert packaged.desk.hand_in_errand(InstallRelease("stick", "9.9.0")) is None
    packaged.works()
    report = packaged.desk.status().report
    assert report.ended == "failed"
    assert "apt has not installed the package" in ENGLISH(report.says or Message(""))


def test_a_package_that_is_not_the_makers_reaches_no_apt(packaged: Pi) -> None:
    packaged.maker.release(packaged.stick, package=package_that_tells("done"))
    (package,) = packaged.stick.glob("apt/pool/bookworm/table-companion_*")
    package.write_bytes(package_that_tells("done", text="Another one."))
    packaged.desk.hand_in_errand(LookForReleases())
    packaged.works()
    (offer,) = packaged.desk.status().report.offers
    assert "is not as SHA256SUMS says" in ENGLISH(offer.wrong or Message(""))
    put_errand(packaged.asked, InstallRelease("stick", "9.9.0"))
    packaged.works()
    assert (packaged.desk.status().report.ended, packaged.ran) == ("failed", [])


def test_a_release_without_a_package_is_none_for_a_flashed_card(packaged: Pi) -> None:
    packaged.maker.release(packaged.stick)
    packaged.desk.hand_in_errand(LookForReleases())
    packaged.works()
    assert packaged.desk.status().report.offers == ()


def break_signature(pi: Pi) -> None:
    pi.maker.release(pi.stick, installer=installer("done"))
    Maker(pi.home / "stranger").sign(pi.stick)


def break_archive(pi: Pi) -> None:
    pi.maker.release(pi.stick, installer=installer("done")).write_bytes(b"other")


def send_link(pi: Pi) -> None:
    pi.sent.symlink_to("/etc/shadow")


def send_noise(pi: Pi) -> None:
    pi.sent.write_bytes(os.urandom(2000))


@pytest.mark.parametrize(
    ("place", "breaks", "says"),
    [
        ("stick", break_signature, "SHA256SUMS.asc is not by the maker whose key this table knows"),
        ("stick", break_archive, "is not as SHA256SUMS says"),
        ("sent", send_noise, "cannot be unpacked"),
    ],
)
def test_what_is_not_the_makers_is_offered_to_none(
    place: str, breaks: Callable[[Pi], None], says: str, pi: Pi
) -> None:
    breaks(pi)
    pi.desk.hand_in_errand(LookForReleases())
    pi.works()
    offer = next(offer for offer in pi.desk.status().report.offers if offer.place == place)
    assert offer.wrong is not None
    assert says in ENGLISH(offer.wrong)
    refused = pi.desk.hand_in_errand(InstallRelease("stick", "9.9.0"))
    assert isinstance(refused, Refusal)
    put_errand(pi.asked, InstallRelease("stick" if place == "stick" else "sent", "9.9.0"))
    pi.works()
    assert pi.desk.status().report.ended == "failed"
    assert pi.ran == [], "nothing of it was run"


def test_root_follows_no_link_of_the_tables_user(pi: Pi) -> None:
    send_link(pi)
    pi.desk.hand_in_errand(LookForReleases())
    pi.works()
    assert "cannot be read" in ENGLISH(pi.desk.status().report.offers[0].wrong or Message(""))
    pi.sent.unlink()
    (pi.asked / ERRAND).symlink_to("/etc/passwd")
    assert take_errand(pi.asked) is None
    assert not (pi.asked / ERRAND).is_symlink()


@pytest.mark.parametrize("said", ["", "{}", '{"type": "run"}', "[" * 3000, "x" * 9000])
def test_what_is_no_errand_is_dropped(said: str, pi: Pi) -> None:
    (pi.asked / ERRAND).write_text(said)
    pi.works()
    assert (pi.ran, read_report(pi.reports).ended) == ([], "")
    assert not (pi.asked / ERRAND).exists()


def test_a_release_that_was_exchanged_meanwhile_is_not_installed(pi: Pi) -> None:
    pi.maker.release(pi.stick, "9.9.0")
    pi.desk.hand_in_errand(LookForReleases())
    pi.works()
    pi.maker.release(pi.stick, "9.9.1")
    assert pi.desk.hand_in_errand(InstallRelease("stick", "9.9.0")) is None
    pi.works()
    report = pi.desk.status().report
    assert report.says is not None
    assert "look again" in ENGLISH(report.says)
    assert pi.ran == []


def test_an_older_release_takes_a_word_of_the_host_and_of_the_errand(pi: Pi) -> None:
    pi.maker.release(pi.stick, "0.0.1", installer("done"))
    pi.desk.hand_in_errand(LookForReleases())
    pi.works()
    assert pi.desk.status().report.offers == (ReleaseOffer("stick", "0.0.1", is_older=True),)
    refused = pi.desk.hand_in_errand(InstallRelease("stick", "0.0.1"))
    assert isinstance(refused, Refusal)
    assert "Version 0.0.1 is older than version 1.0, which runs" in ENGLISH(refused.say)
    write_report(pi.reports, Report(offers=(ReleaseOffer("stick", "0.0.1"),)))
    assert pi.desk.hand_in_errand(InstallRelease("stick", "0.0.1")) is None
    pi.works()
    report = pi.desk.status().report
    assert (report.ended, pi.ran) == ("failed", []), "root looks itself"
    assert "is older than version" in ENGLISH(report.says or Message(""))
    assert pi.desk.hand_in_errand(InstallRelease("stick", "0.0.1", older=True)) is None
    pi.works()
    assert pi.desk.status().report.ended == "done"


def test_back_off_and_anew(pi: Pi) -> None:
    (pi.home / "install").write_text(installer("under_way"))
    assert pi.desk.hand_in_errand(GoBack()) is None
    pi.works()
    assert pi.desk.status().report.ended == "under_way"
    assert pi.ran[0][-1] == "--rollback"
    for errand in (SwitchOff(), StartAnew()):
        assert pi.desk.hand_in_errand(errand) is None
        pi.works()
    assert pi.ran[1:] == [("systemctl", "poweroff"), ("systemctl", "reboot")]


WORKS = """import sys
from pathlib import Path
from companion.caretaker.work import Caretaker
asked, reports, install = map(Path, sys.argv[1:])
Caretaker(asked, reports, find=lambda: install).work()
"""


@pytest.fixture
def killed(pi: Pi) -> Iterator[subprocess.Popen[bytes]]:
    """A caretaker that goes back to the version before, in a process of its own."""
    (pi.home / "install").write_text("import time\nwhile True: time.sleep(60)\n")
    assert pi.desk.hand_in_errand(GoBack()) is None
    words = [sys.executable, "-c", WORKS, pi.asked, pi.reports, pi.home / "install"]
    process = subprocess.Popen(words, start_new_session=True)
    while read_report(pi.reports).doing != "go_back":
        assert process.poll() is None
        time.sleep(0.02)
    yield process
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_an_errand_whose_process_was_killed_is_over(
    pi: Pi, killed: subprocess.Popen[bytes]
) -> None:
    pi.desk.tell_changes()
    assert pi.desk.status().report.doing == "go_back"
    assert isinstance(pi.desk.hand_in_errand(LookForReleases()), Refusal)
    told = pi.told
    os.killpg(killed.pid, signal.SIGKILL)  # As systemd does with the whole unit.
    killed.wait()
    while is_at_work(pi.reports):  # What it started ends after it.
        time.sleep(0.01)
    pi.desk.tell_changes()
    assert pi.told == told + 1
    report = pi.desk.status().report
    assert (report.doing, report.ended) == ("", "failed")
    assert "This was broken off before its end" in ENGLISH(report.says or Message(""))
    assert pi.desk.hand_in_errand(LookForReleases()) is None
    pi.works()
    assert pi.desk.status().report.ended == ""


def test_the_power_is_switched_whatever_is_under_way(pi: Pi) -> None:
    powered = pi.home / "powered"
    waits = (
        f"import pathlib, time\nwhile not pathlib.Path({str(powered)!r}).exists(): time.sleep(0.1)"
    )
    (pi.home / "install").write_text(waits)
    run = pi.run

    def note_power(words: Sequence[str], more: Mapping[str, str]) -> int:
        if words[0] == "systemctl":
            powered.touch()
        else:
            assert isinstance(pi.desk.hand_in_errand(LookForReleases()), Refusal)
            assert pi.desk.hand_in_errand(StartAnew()) is None
        return run(words, more)

    pi.run = note_power
    assert pi.desk.hand_in_errand(GoBack()) is None
    pi.works()
    assert pi.ran[-1] == ("systemctl", "reboot")
    put_errand(pi.asked, LookForReleases())
    assert take_power(pi.asked) is None
    assert take_errand(pi.asked) == LookForReleases()


def test_one_errand_at_a_time_and_the_pages_hear_of_it(pi: Pi) -> None:
    pi.desk.tell_changes()
    assert pi.desk.hand_in_errand(LookForReleases()) is None
    assert pi.told == 1
    refused = pi.desk.hand_in_errand(LookForReleases())
    assert isinstance(refused, Refusal)
    assert "wait a moment" in ENGLISH(refused.say)
    pi.works()
    pi.desk.tell_changes()
    assert pi.told == 2
    pi.desk.tell_changes()
    assert pi.told == 2
    assert take_errand(pi.asked) is None


def test_an_errand_that_root_has_taken_is_not_over_before_root_reports(pi: Pi) -> None:
    """Between the two nothing is said of it: what the errand before it found is no answer."""
    pi.reports.mkdir()
    write_report(pi.reports, Report(offers=(ReleaseOffer("stick", "0.9"),), ended="unwell"))
    assert pi.desk.hand_in_errand(LookForReleases()) is None
    with claim_work(pi.reports):
        assert take_errand(pi.asked) == LookForReleases()
        assert pi.desk.status().waits
        assert isinstance(pi.desk.hand_in_errand(LookForReleases()), Refusal)
        write_report(pi.reports, Report("look"))
        assert not pi.desk.status().waits
        write_report(pi.reports, Report(ended="done"))
    assert not pi.desk.status().waits
    assert pi.desk.hand_in_errand(LookForReleases()) is None


def test_a_release_that_did_not_come_whole_is_forgotten(pi: Pi) -> None:
    incoming = pi.desk.begin_upload("x.update")
    assert incoming is not None
    incoming.write(b"half")
    incoming.abort_upload()
    assert isinstance(pi.desk.accept_upload(incoming.id), Refusal)
    left = pi.sent.with_name(f".{pi.sent.name}.0123")
    left.touch()
    ErrandDesk("1.0", sent=pi.sent)
    assert not left.exists()
    assert not pi.sent.exists()


def test_there_is_a_caretaker_where_its_unit_is(tmp_path: Path) -> None:
    assert not has_caretaker((tmp_path,))
    (tmp_path / "companion-caretaker.path").touch()
    assert has_caretaker((tmp_path,))
    assert TOLD_VARIABLE == "COMPANION_TOLD"
