"""A whole game of each box: three phones, a table screen and a host at once, served for real.

What may befall phones befalls these: one dies and comes back in every phase, one is out of reach
while it closes a hand, one plays two seats. Afterwards the record proves every hand.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.cli import main
from companion.core.events import Opened
from companion.games import make_rulebook
from companion.records.format import read_record
from companion.records.verify import record_events
from tests.browser.browser_player import HAND, Come, Phone
from tests.browser.conftest import PHONE, SCREEN, SMALLEST, Playing
from tests.worlds.campaign import pick
from tests.worlds.real_pages import become_host

TABLES = {
    "bankueberfall": "eight-readers",
    "banque_fatale": "phones-only",
    "robby_solo": "phones-only",
}
"""Each game at a table that people can play at in a browser: with cards on a page, or by taps."""
LAST = {"robby_solo": "change"}
"""The phase after which the hands open, where it is not the one in which they are closed."""
SEATS = (1, 2, 3, 4)
GLANCES = 3_000
"""So often a table is looked at while nothing happens, before something is wrong."""

A_FRAME = "() => new Promise(requestAnimationFrame)"
"""What one waits for before one looks again."""


class Evening:
    """Everyone who came, and what became of them."""

    def __init__(self, at: Playing, game: str, come: Come) -> None:
        self.at, self.game = at, game
        self.ana = Phone(come, PHONE, ["Ana"])
        self.ben = Phone(come, SMALLEST, ["Ben"])
        self.ben.context.clock.install()
        self.cleo = Phone(come, PHONE, ["Cleo", "Dario"])
        self.phones = (self.ana, self.ben, self.cleo)
        self.host = come(SCREEN, accept_downloads=True).new_page()
        self.table = come(SCREEN, reduced_motion="reduce").new_page()  # It tells all at once.
        self.met: set[str] = set()
        self.trials = [self.pause, self.lose_the_network]

    # Before the game.

    def begin(self) -> None:
        """Everyone sits down; the host signs in and begins the game with those who came."""
        for phone, seats in zip(self.phones, ([1], [2], [3, 4]), strict=True):
            phone.sit_down(self.at.address, seats)
        self.table.goto(f"{self.at.address}/table")
        become_host(self.host, self.at.address, self.at.folder)
        self.host.locator(f"a[href='/host/new/{self.game}']").click()
        self.host.get_by_role("button", name="Begin this game").click()
        expect(self.table.locator("#player-4")).to_contain_text("Dario")
        for page in [*(phone.page for phone in self.phones), self.table]:
            expect(page.locator(".brand")).to_have_text(make_rulebook(self.game).box.title)

    # The game.

    def public(self) -> dict[str, Any]:
        """What everyone may know now."""
        answer = self.table.request.get(f"{self.at.address}/api/table")
        found: dict[str, Any] = answer.json()["public"]
        return found

    def play(self) -> None:
        """Until the game is over."""
        idle = 0
        while (public := self.public())["phase"] != "over":
            self.befall(public)
            did = [phone.play() for phone in self.phones]
            idle = 0 if any(did) else idle + 1
            self.table.evaluate(A_FRAME)
            assert idle < GLANCES, (public, [phone.page.url for phone in self.phones])
            if self.dies_with_a_closed_hand():
                self.open_late()

    def befall(self, public: dict[str, Any]) -> None:
        """In each phase Ana's phone dies; in the first in which hands are closed, more happens."""
        phase = public["phase"]
        if phase not in self.met:
            self.met.add(phase)
            self.fits()
            self.ana.die()
            self.ana.revive()
        asked = phase == "seal" and 2 in public["waiting"]
        if asked and self.trials and self.ben.page.locator(HAND).count():
            self.trials.pop(0)()

    def fits(self) -> None:
        """No page is wider than its screen."""
        for page in [*(phone.page for phone in self.phones), self.table, self.host]:
            assert page.viewport_size is not None
            wide = page.viewport_size["width"]
            expect(page.locator("html")).to_have_js_property("scrollWidth", wide)

    def pause(self) -> None:
        """The host pauses the game: every page says so, and then it goes on."""
        self.host.get_by_role("button", name="Pause the game").click()
        for page in [*(phone.page for phone in self.phones), self.table]:
            expect(page.get_by_text("The host has paused the game")).to_be_visible()
        self.host.get_by_role("button", name="Play on").click()
        expect(self.table.get_by_text("The host has paused the game")).to_have_count(0)

    def lose_the_network(self) -> None:
        """Ben closes his hand, and nobody hears of it for half a minute."""
        with self.ben.out_of_reach():
            self.ana.play()
            self.ben.context.clock.run_for(30_000)

    def dies_with_a_closed_hand(self) -> bool:
        """Return whether Ana has done her part and her hand is still closed."""
        if "open" in self.met or "seal" not in self.met:
            return False
        public = self.public()
        return public["phase"] == LAST.get(self.game, "seal") and 1 not in public["waiting"]

    def open_late(self) -> None:
        """Her phone dies, the others go on without it; when it is back, it opens the hand."""
        self.ana.die()
        for _ in range(GLANCES):
            public = self.public()
            if public["waiting"] == [1]:
                break
            self.ben.play()
            self.cleo.play()
            self.table.evaluate(A_FRAME)
        self.met.add(public["phase"])
        self.ana.revive()

    # After the game.

    def score(self) -> None:
        """It stands on every page."""
        for page in [*(phone.page for phone in self.phones), self.table]:
            expect(page.locator(".podium .rank-1").first).to_be_visible()
        self.fits()

    def carry_away(self, to: Path) -> Path:
        """The host downloads the record."""
        self.host.get_by_role("link", name="Care").click()
        with self.host.expect_download() as found:
            self.host.get_by_role("link", name="Record of the last game").click()
        self.host.get_by_role("link", name="Host").click()
        found.value.save_as(to)
        return to

    def closed(self) -> dict[int, list[Any]]:
        """What each phone put into each of its hands, by seat and in order."""
        all_of_them = {hand: what for phone in self.phones for hand, what in phone.closed.items()}
        found: dict[int, list[Any]] = {seat: [] for seat in SEATS}
        for _round, seat in sorted(all_of_them):
            found[seat].append(all_of_them[_round, seat])
        return found

    def clear_up(self) -> None:
        """The next group comes: every phone is led to the door."""
        self.host.locator("#next-group > summary").click()
        self.host.get_by_role("button", name="Reset for the next group").click()
        for phone in self.phones:
            expect(phone.page.get_by_role("heading", name="What is your name?")).to_be_visible()
        expect(self.table.locator("main")).not_to_contain_text("Ana")


@pytest.mark.timeout(900)
@pytest.mark.wide
@pytest.mark.parametrize("game", pick(TABLES, ["robby_solo"], TABLES))
def test_a_whole_game_from_the_door_to_the_next_group(put_up, open_browser, tmp_path, capsys, game):
    how = ("--pace", "fast", "--profile", TABLES[game], "--port", "19100")
    evening = Evening(put_up(Playing, "run", "--sim", *how), game, open_browser)
    evening.begin()
    evening.play()
    assert {"seal", "open"} < evening.met
    assert evening.trials == []
    evening.score()
    record = evening.carry_away(tmp_path / "game.jsonl")
    assert main(["replay", "--verify", "--json", str(record)]) == 0
    facts, opened = json.loads(capsys.readouterr().out), hands(record)
    assert (facts["proven"], facts["entered"]) == (sum(map(len, opened.values())), 0)
    assert set(facts["checks"].values()) == {"yes"}
    assert opened == evening.closed()
    evening.clear_up()


def hands(record: Path) -> dict[int, list[Any]]:
    """What was in each hand that opened, by seat and in order."""
    found: dict[int, list[Any]] = {seat: [] for seat in SEATS}
    for event, _via, _when in record_events(read_record(record)):
        if isinstance(event, Opened):
            found[event.seat].append(event.value)
    return found
