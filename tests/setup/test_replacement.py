"""One ruined sticker is replaced in the middle of an evening: on disk, and in the running game."""

import errno
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.settings import deck_path
from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.i18n import LANGUAGES, get_language
from companion.core.sensor_events import Arrived
from companion.core.table_events import Cleared, Ended
from companion.games import make_rulebook
from companion.setup.deck_file import save_deck
from companion.setup.stickers import choose_old_mark
from companion.table.permissions import HOST_AUTHOR
from companion.tracking.matching import exchange_tag
from companion.tracking.picture import EIGHTH_SPOT, Passing
from tests.worlds.campaign import pick
from tests.worlds.failing_disk import FailingDisk, Fault
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.scripted_table import RULES, TWO, ScriptedTable
from tests.worlds.visitor import UNHURRIED
from web.app import create_app
from web.context import AppContext

NEW, OTHER, CLASSIC = "04c0ffee000001", "04c0ffee000002", "9a8b7c6d"
BOX = RULES.box


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ScriptedTable]:
    with closing(playing(tmp_path)) as made:
        yield made


def playing(folder: Path) -> ScriptedTable:
    """A game of two, with a 5 at each bank."""
    table = ScriptedTable(folder)
    for bank in range(1, 6):
        table.lay(table.tags["5"][bank], bank)
    assert table.host.begin_game(TWO) is None
    assert [bank[0].card for bank in state(table).banks] == ["5"] * 5
    return table


def state(table: ScriptedTable) -> Any:
    return table.source.table.state


def homes(table: ScriptedTable) -> Mapping[str, int]:
    known = table.source.table.tracker.picture.tags
    return {mark: tag.home for mark, tag in known.items() if tag.home}


def todos(table: ScriptedTable) -> list[int]:
    view = table.source.table.view()
    assert view is not None
    return [todo.place for todo in view.table.todos]


def ruin(table: ScriptedTable, bank: int) -> None:
    """The sticker of the 5 at a bank is dead."""
    table.silence(table.tags["5"][bank])


def code(found: object) -> str:
    assert isinstance(found, Refusal)
    for language in LANGUAGES:
        said = get_language(language)(found.say)
        assert said.endswith(".")
        assert NEW not in said
    return found.code


def test_a_running_game_goes_on_with_the_new_sticker(table: ScriptedTable) -> None:
    ruin(table, 3)
    table.lay(NEW, 3)
    assert todos(table) == [3, 3], "one card is silent, and a sticker belongs to nothing"
    at = table.source.table.version
    assert table.host.replace_sticker("5", at_place=True) is None
    assert todos(table) == []
    assert table.source.table.version == at, "nothing has happened in the game"
    deck, old = table.load_deck(), table.tags["5"][3]
    assert deck.replaced[deck.mark(old)].new == deck.mark(NEW)
    assert homes(table)[deck.mark(NEW)] == 3
    assert len(deck.things) == sum(BOX.tagged_pieces().values())
    for file in filter(Path.is_file, table.folder.rglob("*")):
        assert NEW.encode() not in file.read_bytes()
        assert bytes.fromhex(NEW) not in file.read_bytes()


def test_after_a_restart_the_journal_means_the_new_sticker(table: ScriptedTable) -> None:
    ruin(table, 3)
    table.lay(NEW, 3)
    assert table.host.replace_sticker("5", at_place=True) is None
    before, played = dict(homes(table)), state(table)
    table.pull_the_plug()
    assert homes(table) == before
    assert (state(table), todos(table)) == (played, [])
    mark = table.load_deck().mark
    for step in (Ended(), Cleared()):
        assert table.host.table.request(step, HOST_AUTHOR) is None
    assert table.host.begin_game(TWO) is None
    assert homes(table)[mark(NEW)] == 3
    table.silence(NEW)
    table.lay(table.tags["5"][3], 2)
    assert table.load_deck()[table.tags["5"][3]] == "5"
    assert todos(table) == [2, 3], "it is no unknown sticker, but a card that was not awaited"


def test_a_card_in_no_pile_counts_where_it_is_laid_next(table: ScriptedTable) -> None:
    table.lay(NEW, 2)
    before = table.source.table.version
    assert table.host.replace_sticker("thief") is None
    assert todos(table) == []
    assert table.source.table.version == before, "it lies there to be registered"
    table.silence(NEW)
    assert code(table.host.replace_sticker("thief")) == "no_new_sticker"
    table.lay(NEW, 3)
    assert todos(table) == [3], "nobody was to lay a card"
    table.silence(NEW)
    table.lay(table.tags["tile place"][0], EIGHTH_SPOT)
    assert state(table).phase == "place"
    table.lay(NEW, 3)
    assert state(table).banks[2][-1].card == "thief"


def test_a_ruined_card_of_a_swept_pile_is_shown_by_its_new_sticker(table: ScriptedTable) -> None:
    maker = table.load_deck()
    old, new = maker.mark(table.tags["5"][3]), maker.mark(NEW)
    picture = table.source.table.tracker.picture
    swept = msgspec.structs.replace(picture, sweep=Passing(3))
    changed = exchange_tag(swept, old, new, 3)
    assert (changed.tag(new).home, changed.sweep.passed) == (3, (new,))
    assert exchange_tag(swept, old, new, 2).sweep.passed == ()


def wrong_uses() -> dict[str, Callable[[ScriptedTable], str]]:
    """What is laid for each refusal, and what is asked for."""

    def two(wired: ScriptedTable) -> str:
        wired.lay(NEW, 1)
        wired.lay(OTHER, 2)
        return "5"

    def classic(wired: ScriptedTable) -> str:
        wired.lay(CLASSIC, 1)
        return "5"

    def stranger(wired: ScriptedTable) -> str:
        rules = make_rulebook("robby_solo")
        maker, thing = Deck({}, "77" * 16), next(iter(rules.box.tagged_pieces()))
        path = deck_path(rules.box.game, wired.folder)
        save_deck(path, Deck({maker.mark(NEW): thing}, maker.salt), rules.box, "2026-11-20")
        wired.lay(NEW, 1)
        return "5"

    def no_piece(wired: ScriptedTable) -> str:
        wired.lay(NEW, 1)
        return "jewel"

    return {
        "several_stickers": two,
        "wrong_sticker": classic,
        "other_box": stranger,
        "no_such_piece": no_piece,
        "no_new_sticker": lambda _wired: "5",
    }


@pytest.mark.parametrize(("said", "do"), wrong_uses().items())
def test_a_wrong_use_gets_one_sentence_and_changes_nothing(
    said: str, do: Callable[[ScriptedTable], str], table: ScriptedTable
) -> None:
    piece, before = do(table), table.deck_path.read_bytes()
    picture = table.source.table.tracker.picture
    assert code(table.host.replace_sticker(piece, at_place=True)) == said
    assert table.deck_path.read_bytes() == before
    assert table.source.table.tracker.picture == picture


def test_without_a_deck_there_is_nothing_to_replace(tmp_path: Path) -> None:
    with closing(ScriptedTable(tmp_path, enrolled=False)) as table:
        assert code(table.host.replace_sticker("5")) == "not_enrolled"
        assert table.host.replaceable_pieces() == {}


def test_whatever_lies_where_one_of_the_equal_cards_is_found() -> None:
    """So the answer to the host, who sees only the new sticker, tells of no card where it lies."""
    maker = Deck({}, "5a" * 16)
    marks = {maker.mark(f"04{n:012x}"): thing for n, thing in enumerate(("thief", "5", "5"))}
    deck, lying = Deck(marks, maker.salt), [Arrived(0.0, 2, NEW)]
    for piece in ("thief", "5"):
        for said in (None, 2):
            for place in (0, 2, 3):
                homes = dict.fromkeys(marks, place) if place else {}
                old, in_game = choose_old_mark(deck, piece, lying, homes, said)
                assert marks[old] == piece
                assert not (in_game and not place)


def test_what_is_granted_is_on_disk_wherever_the_disk_fails(tmp_path: Path) -> None:
    """The power may fail after any answer: what a start finds then is what was answered."""
    disk = FailingDisk(tmp_path / "decks")
    disk.require()
    with closing(playing(tmp_path)) as table:
        ruin(table, 3)
        table.lay(NEW, 3)
        start, real = table.deck_path.read_bytes(), table.source
        before, answers = real.deck, list[Any]()
        faults = (
            Fault(at, (errno.ENOSPC, errno.EIO)[at % 2], lasting)
            for at in range(1, 20)
            for lasting in pick([at % 2 == 0], [False, True], [False, True])
        )
        for fault in faults:
            disk.run(lambda: answers.append(real.replace_sticker("5", True)), fault)
            if answers[-1] is None:
                break
            assert real.deck == before
            assert answers[-1].code in ("not_written", "maybe_written")
            if answers[-1].code == "not_written":
                assert table.deck_path.read_bytes() == start
            table.deck_path.write_bytes(start)
        assert len(answers) > 3
        assert answers[-1] is None
        assert table.load_deck() == real.deck != before
        table.pull_the_plug()
        assert homes(table)[table.load_deck().mark(NEW)] == 3


def test_the_host_replaces_a_sticker_on_its_page(table: ScriptedTable) -> None:
    app = create_app(AppContext(table.source.table, table.host.seats, None, table.host),
                     limits=UNHURRIED)  # fmt: skip
    host = HostsBrowser(app).signs_in()
    page = host.get("/host/care").text
    assert "A card or its sticker is ruined?" in page
    assert page.count("<option value=") == 1 + len(BOX.tagged_pieces())  # And none, at first.
    refused = host.calls("sticker", piece="5", at_place=True)
    assert "no_new_sticker" in refused.text
    ruin(table, 3)
    table.lay(NEW, 3)
    assert host.calls("sticker", piece="5", at_place=True).status_code == 204
    assert "“5” has its new sticker." in host.reads("/host/care")
    assert table.load_deck()[NEW] == "5"
    assert host.calls("sticker", piece="5").status_code == 409
    stranger = HostsBrowser(app)
    assert stranger.calls("sticker", piece="5").status_code in (401, 403)
    assert NEW not in page + host.reads("/host/care")
