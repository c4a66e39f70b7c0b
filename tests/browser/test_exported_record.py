"""A record as one page, opened from a disk: it checks itself, and says what it found."""

import re
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.settings import journal_path
from companion.cli import main
from companion.core.events import Event, Opened
from companion.core.i18n import LANGUAGES
from companion.core.pseudonyms import pseudonyms
from companion.core.table_events import Corrected, Counted, Frozen, Thawed
from companion.games import game_names, make_rulebook
from companion.journal import Journal
from companion.records.checks import check_record
from companion.records.fingerprint import fingerprint_path, fingerprint_words
from companion.records.format import Record, end_chain, to_bytes
from companion.records.store import import_record
from companion.table import permissions
from companion.table.alternatives import entered_fields, put_right
from companion.table.history import History, apply_event, build_history
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.campaign import pick
from tests.worlds.golden_games import golden_files, read
from tests.worlds.signed_records import (
    SEATS,
    events_of,
    new_key,
    played,
    replace,
    sign_ends,
    sign_fully,
    sign_seals,
    sign_somehow,
    written,
)
from web.export.record_page import MOST_BYTES, PageTooLong, make_record_page

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


def correct_somewhere(history: History, is_hand: bool, dice: Random) -> History:
    """The game with one moment put right in one of the ways that are offered."""
    moments = [one for one in history.moments if isinstance(one.event, Opened) is is_hand]
    for moment in dice.sample(moments, len(moments)):
        found = put_right(history, moment.at)
        ways = [Corrected(moment.at, one.instead, also=one.also) for one in found.options]
        if found.hand is not None:
            seat, near = found.hand.seat, found.hand.near
            ways += [Corrected(moment.at, entered_fields(seat, one.value)) for one in near]
        for event in dice.sample(ways, min(3, len(ways))):
            if permissions.check_request(history, event, HOST_AUTHOR) is None:
                after = apply_event(history, event, "table")
                if after.is_over:
                    return after
    raise AssertionError("nothing can be put right")


def with_corrections(name: str, dice: Random) -> list[Event]:
    """A golden game in which two hands and two other moments were put right after the end, so that
    it is still over, and a player counted."""
    rules, events = read(GOLDEN[name])
    history = build_history(rules, [(event, "table", 0.0) for event in events])
    for is_hand in (True, True, False, False):
        history = correct_somewhere(history, is_hand, dice)
    owned = history.rules.corrections.count_own(history.state, 1)
    what = next(iter(owned))
    counted = Counted(1, {what: owned[what].noted + 1}, {what: 1}, "behind the screen")
    return [one.event for one in apply_event(history, counted, "phone 1").moments]


@pytest.mark.parametrize("name", pick(["bankueberfall-1"], GOLDEN, GOLDEN))
def test_corrected_games_are_judged_as_they_stand(open_file, name):
    for number in range(pick(1, 2, 10)):
        events = with_corrections(name, Random(f"{name} {number}"))
        record = written(GOLDEN[name].stem.rpartition("-")[0], events[0].id, events)
        opened = open_file(make_record_page(record, "en"))
        answers = opened.answers()
        assert (answers["consistent"], answers["judged"]) == ("right", "right"), number
        assert opened.faults == []
        courts = opened.page.locator(".verdict .court")
        again = opened.page.locator(".verdict .court.right").count()
        assert 5 < courts.count() - 1 <= again, "but for a score with more cards than the box holds"
        last = opened.page.locator(".told").last
        assert "counted" in last.text_content()
        assert "more than was noted" in last.text_content()


def test_a_game_is_replayed_step_by_step(open_file):
    opened = open_file(make_record_page(sign_fully("bankueberfall", 0, Random(1)).record, "en"))
    page, said = opened.page, opened.page.locator(".player output")
    moments = page.locator(".told").count()
    assert said.inner_text() == f"1 of {moments}"
    assert page.locator(".told:visible").count() == 1
    page.get_by_role("button", name="The next verdict").click()
    verdict = page.locator(".verdict:visible")
    assert verdict.locator(".steps > li:visible").count() == 1
    drawn = verdict.locator(".picture > :not(.away)").count()
    steps = verdict.locator(".steps > li").count()
    for _ in range(steps - 1):
        page.keyboard.press("ArrowRight")
    assert verdict.locator(".steps > li:visible").count() == steps > 1
    assert verdict.locator(".picture > :not(.away)").count() > drawn
    assert verdict.locator(".court").is_visible()
    page.keyboard.press("ArrowLeft")
    assert verdict.locator(".steps > li:visible").count() == steps - 1
    page.get_by_role("button", name="The verdict before").click()
    assert verdict.locator(".steps > li:visible").count() == 1
    page.get_by_role("slider", name="Moment of the game").fill(str(moments))
    assert said.inner_text() == f"{moments} of {moments}"
    page.get_by_role("button", name="Everything at once").click()
    cited = {one.get_attribute("href") for one in page.locator(".steps a").all()}
    told = {f"#{one.get_attribute('id')}" for one in page.locator("dt").all()}
    assert cited == told, "every rule that is cited stands below"
    assert page.locator(".told:visible").count() == moments
    assert opened.faults == []


def long_record(times: int) -> Record:
    """A signed game in which the judge is called this often before it ends."""
    plain, dice = played("bankueberfall", 0), Random(1)
    keys = {seat: new_key(dice) for seat in range(1, SEATS + 1)}
    started, *events = events_of(plain)
    calls = [Frozen(1), Thawed()] * times
    record = written("bankueberfall", started.id, [started, *calls, *events])
    seals = sign_seals(record, lambda seat, _: keys[seat])
    return sign_ends(written("bankueberfall", started.id, seals), keys)


def test_the_page_of_a_long_game_is_packed_and_checks_itself(open_file):
    record = long_record(800)
    text = make_record_page(record, "en")
    assert len(to_bytes(record)) > MOST_BYTES >= len(text.encode())
    opened = open_file(text)
    assert (opened.answers(), opened.faults, len(opened.asked)) == (ALL_RIGHT, [], 1)
    page, moments = opened.page, opened.page.locator(".told").count()
    assert page.locator(".player output").inner_text() == f"1 of {moments}"
    assert moments > 1_600
    verdicts = page.locator(".verdict").count()
    assert page.locator(".verdict .court.right").count() == verdicts > 5
    assert page.locator(".picture").count() >= verdicts - 1
    changed = re.sub(r'(id="packed">.{400})...', r"\1AAA", text, count=1)
    unpacked = open_file(changed)
    assert unpacked.answers()["consistent"] == "wrong"
    assert "cannot be unpacked" in unpacked.said("consistent")


@pytest.mark.wide
def test_the_longest_games_have_no_page_but_a_sentence():
    with pytest.raises(PageTooLong, match="too long for a page of 250 KB"):
        make_record_page(long_record(1_500), "en")


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


def test_seats_without_names_are_worded_for_the_reader(open_file):
    started, *events = events_of(played("robby_solo", 0))
    seats = replace(started, players=pseudonyms(len(started.players)))
    opened = open_file(make_record_page(written("robby_solo", started.id, [seats, *events]), "de"))
    assert opened.answers()["consistent"] == "right"
    assert "Platz 1" in opened.said("signed")
    assert "\N{CIRCLED DIGIT ONE}" not in opened.page.locator("body").inner_text()


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
