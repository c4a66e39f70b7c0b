"""The set-up wizard on a failing disk: what is granted is on disk, and what is refused says why.

Law: granted means that the files hold it; `not_written` means that files and page stand as before;
only `maybe_written` leaves it open. Asked again on a sound disk, it counts.
"""

import errno
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.app.wires import load_learnt_wiring
from companion.core.deck import Deck
from companion.core.errors import NotWritten, Refusal
from companion.host.settings import load_choices
from companion.setup.deck_file import load_deck
from companion.setup.steps import WizardAction, WizardStep
from tests.worlds.campaign import pick
from tests.worlds.failing_disk import FailingDisk, Fault
from tests.worlds.fresh_table import EN, Fresh, fresh_table

WORDS = (
    "The disk is full: nothing more can be written until there is room.",
    "Nothing can be written to the disk: it is full or failing.",
    "The disk is failing: check whether this was saved.",
)
KINDS = [(errno.ENOSPC, False), (errno.EIO, False), (errno.EIO, True), (errno.ENOSPC, True)]
"""The error, and whether it lasts."""
SOUND = Fault(0, 0)
EVERY_STEP: tuple[WizardStep, ...] = ("banks", "buttons", "lamps", "stickers")
STEPS = pick(("lamps", "stickers"), EVERY_STEP, EVERY_STEP)
Act = Callable[[], tuple[str, str]]
"""Does something at the wizard; returns "granted", or the code of the refusal and its sentence."""


class Kept(NamedTuple):
    """What the page shows, and what the files hold."""

    page: object
    choices: object
    wiring: object
    deck: object


def kept(at: Fresh) -> Kept:
    page = msgspec.structs.replace(at.shown, says=None, trouble=False)
    wiring = load_learnt_wiring(at.folder)
    return Kept(page, load_choices(at.folder), wiring, stickers(at))


def stickers(at: Fresh) -> dict[str, str]:
    path = at.folder / "decks/bankueberfall.json"
    deck = load_deck(path, at.real.table.rules.box) if path.exists() else Deck({})
    return dict(deck.things)


def asked(action: Callable[[], Refusal | None]) -> Act:
    """A request of a page."""

    def act() -> tuple[str, str]:
        try:
            refused = action()
        except NotWritten as error:
            return error.code, EN(error.say)
        return ("granted", "") if refused is None else (refused.code, EN(refused.say))

    return act


def sensed(at: Fresh, what: str = "asked") -> Act:
    """An act of the hand; the page says whether it counts."""

    def act() -> tuple[str, str]:
        if not at.does(what).trouble:
            return "granted", ""
        return "maybe_written" if at.says() == WORDS[-1] else "not_written", at.says()

    return act


def done(at: Fresh, step: WizardStep, action: WizardAction) -> Act:
    return asked(lambda: at.first.apply_action(action, step))


def run(at: Fresh, act: Act, fault: Fault) -> tuple[str, str]:
    answers = list[tuple[str, str]]()
    FailingDisk(at.folder).run(lambda: answers.append(act()), fault)
    return answers[0]


def try_everywhere(at: Fresh, act: Act) -> None:
    """Have the disk fail at the first call, the second, and so on, until the act gets through."""
    before = kept(at)
    for n in count(1):
        error, lasting = KINDS[n % len(KINDS)]
        code, words = run(at, act, Fault(n, error, lasting))
        if code != "not_written":
            break
        assert words in WORDS
        assert kept(at) == before, f"call {n}: refused and half kept"
    assert n > 3, "it writes, syncs and renames something"
    if code == "maybe_written":
        assert words == WORDS[-1]
        code, words = run(at, act, SOUND)
    assert (code, words) == ("granted", "")
    assert kept(at)[1:] != before[1:], "granted and not kept"
    check_page(at)


def check_page(at: Fresh) -> None:
    """What the page shows as done and found is what the files hold."""
    shown, choices = at.shown, load_choices(at.folder)
    assert {step for step, how in shown.steps if how == "done"} <= {*choices.done}
    if shown.step in ("banks", "buttons", "lamps"):
        found = {n for n, how in shown.found if how == "found"}
        learnt = load_learnt_wiring(at.folder)
        assert found == {*(learnt.found.get(shown.step, ()) if learnt is not None else ())}
    if shown.step == "stickers":
        assert shown.done == len(stickers(at))


def test_whatever_the_wizard_grants_is_kept_wherever_the_disk_fails(tmp_path: Path) -> None:
    FailingDisk(tmp_path).require()
    with fresh_table(tmp_path, game="robby_solo") as at:
        try_everywhere(at, asked(lambda: at.first.apply_action("next", "language")))
        try_everywhere(at, asked(lambda: at.first.choose_box("bankueberfall")))
        at.goes("wiring")
        try_everywhere(at, asked(lambda: at.first.choose_wiring("five-readers")))
        for step in STEPS:
            at.goes(step)
            try_everywhere(at, sensed(at) if step != "lamps" else asked(lambda: shine(at)))
            try_everywhere(at, done(at, step, "undo"))
        at.does()
        try_everywhere(at, done(at, "stickers", "again"))
        at.goes("done")
        try_everywhere(at, done(at, "done", "next"))
        before = kept(at)
    with fresh_table(tmp_path) as again:
        assert again.first.is_set_up
        assert kept(again)[1:] == before[1:]


def test_of_two_files_the_second_may_fail(tmp_path: Path) -> None:
    codes = set[str]()
    for n in count(1):
        (folder := tmp_path / str(n)).mkdir()
        with fresh_table(folder) as at:
            choose = asked(lambda: at.first.choose_wiring("five-readers"))
            code, _ = run(at, choose, Fault(n, errno.EIO))
            assert code != "not_written" or at.real.wiring == "eight-readers"
        codes.add(code)
        if code == "granted":
            break
    assert codes == {"not_written", "maybe_written", "granted"}


def shine(at: Fresh) -> Refusal | None:
    """The host sees where the lamp shines."""
    at.wait(0.1)
    return at.first.locate_lamp(at.shining_seat())
