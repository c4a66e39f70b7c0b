"""The host's page asks for other versions, power and Wi-Fi, and says how it goes."""

import json
import re
from pathlib import Path

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.caretaker.desk import ErrandDesk
from companion.caretaker.errands import (
    ERRAND,
    GoBack,
    InstallRelease,
    JoinWifi,
    LookForReleases,
    StartAnew,
    take_errand,
)
from companion.caretaker.report import ReleaseOffer, Report, claim_work, write_report
from companion.core.i18n import LANGUAGES, message
from companion.seating.seats import Seats
from companion.update.outcome import TOLD
from tests.worlds.host_browser import HostsBrowser
from web.app import create_app
from web.context import AppContext

OFFER, ASKED = ReleaseOffer("stick", "1.3.0"), InstallRelease("stick", "1.3.0")


@pytest.fixture
def desk(tmp_path: Path) -> ErrandDesk:
    home = tmp_path / "home"
    for name in ("asked", "reports", "home/versions"):
        (tmp_path / name).mkdir(parents=True)
    (home / "previous").symlink_to("versions/old")
    asked, reports, sent = tmp_path / "asked", tmp_path / "reports", tmp_path / "sent.update"
    return ErrandDesk("1.2.0", lambda: None, "", 8000, asked, reports, sent, home)


@pytest.fixture
def app(evening: Simulation, seats: Seats, desk: ErrandDesk) -> Flask:
    table = evening.host.table
    context = AppContext(table, seats, evening.controls, host=evening.host, errands=desk)
    return create_app(context)


@pytest.fixture
def host(app: Flask) -> HostsBrowser:
    return HostsBrowser(app).signs_in()


def reports(tmp_path: Path, **facts: object) -> None:
    write_report(tmp_path / "reports", Report(**facts))  # type: ignore[arg-type]


def test_a_version_is_looked_for_offered_and_installed(host: HostsBrowser, tmp_path: Path) -> None:
    assert "Version 1.2.0 runs." in host.reads("/host")
    assert host.calls("machine/look").status_code == 204
    assert "This Pi is at work" in host.reads("/host")
    assert take_errand(tmp_path / "asked") == LookForReleases()
    reports(tmp_path, offers=(OFFER,), ended="done")
    page = host.reads("/host")
    assert "version 1.3.0, signed by its maker." in page
    facts = {"place": "stick", "version": "1.3.0", "agree": False, "now": False}
    assert host.calls("machine/install", **facts).status_code == 204
    assert take_errand(tmp_path / "asked") == InstallRelease("stick", "1.3.0")
    other = host.calls("machine/install", **(facts | {"version": "6.6.6"}))
    assert "not offered any more" in other.text
    assert not (tmp_path / "asked" / ERRAND).exists()


def test_an_older_version_is_ticked_first(host: HostsBrowser, tmp_path: Path) -> None:
    reports(tmp_path, offers=(ReleaseOffer("stick", "1.1.0", is_older=True),), ended="done")
    page = host.reads("/host")
    assert "version 1.1.0, signed by its maker, and older than the one that runs." in page
    assert "I want the older version 1.1.0" in page
    facts = {"place": "stick", "version": "1.1.0", "agree": False, "now": False}
    refused = host.calls("machine/install", **facts)
    assert "Version 1.1.0 is older than version 1.2.0, which runs" in refused.text
    assert not (tmp_path / "asked" / ERRAND).exists()
    assert host.calls("machine/install", **facts, older=True).status_code == 204
    assert take_errand(tmp_path / "asked") == InstallRelease("stick", "1.1.0", older=True)


def test_the_page_says_how_much_of_a_release_has_come(host: HostsBrowser, tmp_path: Path) -> None:
    reports(tmp_path, doing="look", fetched=40)
    with claim_work(tmp_path / "reports"):
        assert "The release is being fetched: 40% …" in host.get("/host").text


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"stage": "build"}, "is being built beside the one that runs"),
        ({"stage": "build", "libraries": 5, "of_libraries": 20}, "minutes. Libraries: 5 of 20 …"),
        ({"stage": "prove"}, "is replaying the games of this table …"),
        ({"stage": "prove", "games": 100, "of": 340}, "the games of this table: 100 of 340 …"),
        ({"stage": "prove", "games": 9, "of": 9, "tried": True}, "has started on a copy of your"),
        ({"stage": "watch"}, "is watched for a minute"),
    ],
)
def test_the_page_says_how_far_it_is(
    told: dict[str, object], says: str, host: HostsBrowser, tmp_path: Path
) -> None:
    reports(tmp_path, doing="install", asked=ASKED)
    (tmp_path / "reports" / TOLD).write_text(json.dumps(told))
    with claim_work(tmp_path / "reports"):
        page = host.get("/host").text
    assert says in page
    assert "/api/host/machine/look" not in page
    assert "/api/host/machine/power" in page, "the power can be switched at any time"
    after = host.get("/host").text
    assert "This was broken off before its end" in after
    assert "/api/host/machine/look" in after


@pytest.mark.parametrize(
    ("facts", "says", "asks"),
    [
        (
            {"ended": "agree", "cases": ("game evening",)},
            "judges some of your games differently",
            "agree",
        ),
        ({"ended": "agree", "missing": ("wharf",)}, "1.3.0 does not bring wharf: the ev", "agree"),
        ({"ended": "agree"}, "1.3.0 was not compared with it.", "agree"),
        ({"ended": "under_way"}, "A game is under way", "now"),
        ({"ended": "differs", "cases": ("game evening",)}, "judges a game differently", ""),
        ({"ended": "unwell"}, "did not stay well", ""),
        ({"ended": "disk_full"}, "The disk is full", ""),
        ({"ended": "failed", "words": "Only on Bookworm."}, "Only on Bookworm.", ""),
        ({"ended": "failed", "says": message("No.")}, "No.", ""),
        ({"ended": "done"}, "Version 1.3.0 is installed and well.", ""),
    ],
)
def test_the_page_says_how_it_ended_and_asks_what_is_left_to_ask(
    facts: dict[str, object], says: str, asks: str, host: HostsBrowser, tmp_path: Path
) -> None:
    reports(tmp_path, asked=ASKED, **facts)
    page = host.get("/host").text
    assert says in page
    assert ("game evening" in page) is ("cases" in facts)
    for name in ("agree", "now"):
        assert (re.search(f'name="{name}" value="true"', page) is not None) is (name == asks)


def test_back_power_and_wifi_are_errands(host: HostsBrowser, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    host.calls("machine/rollback", now=True)
    assert take_errand(asked) == GoBack(now=True)
    host.calls("machine/power", power="restart")
    assert take_errand(asked) == StartAnew()
    host.calls("machine/wifi", name="Home", password="correct horse")
    assert take_errand(asked) == JoinWifi("Home", "correct horse", 8000)


def test_a_guest_may_ask_for_none_of_it(app: Flask, tmp_path: Path) -> None:
    guest = HostsBrowser(app)
    for what in ("look", "rollback", "power", "install", "wifi"):
        guest.calls(f"machine/{what}")
    assert not list((tmp_path / "asked").iterdir())


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_caretaker_nothing_of_it_is_shown(
    language: str, evening: Simulation, seats: Seats
) -> None:
    table = evening.host.table
    app = create_app(AppContext(table, seats, evening.controls, host=evening.host))
    host = HostsBrowser(app).signs_in()
    assert 'id="machine"' not in host.reads("/host")
    assert "only at a table that systemd/install set up" in host.calls("machine/look").text
