"""A record as one page, opened from a disk: it checks itself, and says what it found."""

import re
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.settings import journal_path
from companion.cli import main
from companion.core.i18n import LANGUAGES
from companion.games import game_names, make_rulebook
from companion.journal import Journal
from companion.records.checks import check_record
from companion.records.fingerprint import fingerprint_path, fingerprint_words
from companion.records.format import end_chain, to_bytes
from companion.records.store import import_record
from tests.worlds.campaign import pick
from tests.worlds.golden_games import golden_files, read
from tests.worlds.signed_records import (
    events_of,
    played,
    replace,
    sign_fully,
    sign_somehow,
    written,
)
from web.export.record_page import MOST_BYTES, make_record_page

GOLDEN = {path.stem: path for path in golden_files()}


class OpenedFile:
    """A page from a disk in a browser without any network, and all that it asked for."""

    def __init__(self, page: Any, path: Path) -> None:
        self.asked: list[str] = []
        self.faults: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text))
        page.context.set_offline(True)
        page.goto(path.as_uri())
        page.wait_for_function("() => 'checked' in document.documentElement.dataset")
        self.page = page

    def answers(self) -> dict[str, str]:
        """Each check with its class: right, wrong or open."""
        found = self.page.locator(".checks li").all()
        return {one.get_attribute("data-check"): one.get_attribute("class") for one in found}

    def said(self, check: str) -> str:
        return str(self.page.locator(f"[data-check='{check}'] output").inner_text())


@pytest.fixture
def open_file(open_browser, tmp_path):
    def open_page(text: str) -> OpenedFile:
        path = tmp_path / "game.html"
        path.write_text(text, "utf-8")
        return OpenedFile(open_browser().new_page(), path)

    return open_page


ALL_RIGHT = {
    "consistent": "right", "sealed": "right", "signed": "right", "judged": "right", "known": "open",
}  # fmt: skip


@pytest.mark.parametrize("game", pick(["robby_solo"], game_names(), game_names()))
def test_a_signed_game_checks_itself_without_a_network(open_file, game):
    sound = sign_fully(game, 0, Random(1))
    text = make_record_page(sound.record, "en")
    assert len(text.encode()) <= MOST_BYTES
    opened = open_file(text)
    assert (opened.answers(), opened.faults, len(opened.asked)) == (ALL_RIGHT, [], 1)
    chain, page = end_chain(sound.record), opened.page
    assert page.locator("#words").inner_text() == fingerprint_words(chain)
    drawn = page.locator("#fingerprint path").get_attribute("d")
    assert squares(drawn) == squares(fingerprint_path(chain))
    page.locator("#kept").fill(fingerprint_words(chain).upper().replace(" ", "-"))
    assert opened.answers()["known"] == "right"
    page.locator("#kept").fill("lusab babad gutih tugad")
    assert opened.answers()["known"] == "wrong"
    verdicts = page.locator(".verdict").count()
    assert page.locator(".verdict .court.right").count() == verdicts > 5
    assert page.locator(".picture").count() >= verdicts - 1


def squares(path: str) -> set[str]:
    return set(re.findall(r"M\d+ \d", path))


@pytest.mark.wide
@pytest.mark.parametrize("name", GOLDEN)
def test_the_second_court_agrees_on_every_golden_game(open_file, name):
    rules, events = read(GOLDEN[name])
    record = written(rules.box.game, events[0].id, events)
    opened = open_file(make_record_page(record, "en"))
    answers = opened.answers()
    assert (answers["consistent"], answers["sealed"], answers["judged"]) == ("right",) * 3
    assert opened.faults == []


def test_a_page_says_the_same_of_its_seats_as_the_command(open_file):
    for number in range(pick(1, 6, 20)):
        sound = sign_somehow("robby_solo", 0, Random(number))
        report = check_record(to_bytes(sound.record))
        opened = open_file(make_record_page(sound.record, "en"))
        told = opened.said("signed")
        for seat in report.seats:
            (line,) = re.findall(rf"{seat.name}: [^.]*\.", told)
            assert ("unsigned" in line) is (seat.standing in {"shared", "unsigned"}), number
            assert ("every seal, and the end" in line) is (seat.standing == "signed"), number
        assert opened.answers()["signed"] == {"yes": "right"}.get(report.answer("signed"), "open")


CHANGES = {
    "a choice": (r'(opened\\",\\"seat\\":1,\\"value\\":\\")[a-z]+', r"\1x", "consistent"),
    "a number": (r'\\"n\\":7,', r'\\"n\\":8,', "consistent"),
    "a round": (r'"rounds":\{[^}]*\}', '"rounds":{}', "sealed"),
    "a verdict": (r'"told":\{', '"told":{"more":1,', "judged"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_changed_in_the_file_is_said(open_file, what):
    pattern, instead, fails = CHANGES[what]
    text = make_record_page(sign_fully("robby_solo", 0, Random(1)).record, "en")
    changed = re.sub(pattern, instead, text, count=1)
    assert changed != text
    assert open_file(changed).answers()[fails] == "wrong"


def test_a_name_cannot_leave_its_place_in_the_page(open_file):
    names = ("</script><b id=out>", "<i>Ben", "Cem")
    started, *events = events_of(played("robby_solo", 0))
    record = written("robby_solo", started.id, [replace(started, players=names), *events])
    text = make_record_page(record, "en")
    opened = open_file(text)
    assert opened.page.locator("#out, header i").count() == 0
    assert opened.answers()["consistent"] == "right"
    assert names[1] in opened.page.locator("header p").inner_text()


def test_the_command_writes_the_page_in_the_language_of_the_table(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    record = sign_fully("robby_solo", 0, Random(1)).record
    with closing(Journal(journal_path())) as journal:
        import_record(journal, record)
    for lang in LANGUAGES:
        path = tmp_path / f"{lang}.html"
        words = ["records", "--export", record.header.id, "--html", "--lang", lang]
        assert main([*words, "--to", str(path)]) == 0
        assert f'<html lang="{lang}">' in path.read_text("utf-8")
    assert main(["records", "--html"]) == 2
    assert make_rulebook("robby_solo").box.title in path.read_text("utf-8")
