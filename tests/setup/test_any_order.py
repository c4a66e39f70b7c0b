"""Whatever is asked for, in whichever order: nothing breaks, and no wire is lost."""

import tempfile
from pathlib import Path
from typing import get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.app.wires import load_learnt_wiring, wiring_path
from companion.core.errors import Refusal
from companion.games.new_game import NewGame
from companion.setup.steps import STEPS, WizardAction
from tests.worlds.campaign import pick
from tests.worlds.fresh_table import EN, Fresh, fresh_table

HANDS = ("asked", "asked", "asked", "wrong", "off")
asked = st.one_of(
    st.tuples(st.just("go_to"), st.sampled_from(STEPS)),
    st.tuples(st.just("apply_action"), st.sampled_from(get_args(WizardAction))),
    st.tuples(st.just("does"), st.sampled_from(HANDS)),
    st.tuples(st.just("locate_lamp"), st.integers(0, 7)),
    st.tuples(
        st.just("choose_wiring"), st.sampled_from(["eight-readers", "five-readers", "phones-only"])
    ),
    st.tuples(st.just("choose_box"), st.sampled_from(["banque_fatale", "robby_solo", "chess"])),
    st.tuples(st.sampled_from(["begin", "reset", "wait"])),
)


def ask(at: Fresh, what: str, *of: object) -> Refusal | None:
    match what:
        case "begin":
            return at.host.begin_game(NewGame("banque_fatale", ("Ana", "Ben", "Cleo")))
        case "reset":
            return at.host.reset_table()
        case "does":
            at.does(str(of[0]))
            return None
        case "wait":
            at.wait(62)
            return None
    here = (at.shown.step,) if what == "apply_action" else ()
    refused: Refusal | None = getattr(at.first, what)(*of, *here)
    return refused


@settings(
    max_examples=pick(4, 8, 150),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(asked, min_size=5, max_size=20))
def test_random_setup_actions_break_nothing_and_lose_no_wire(
    asked: list[tuple[object, ...]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, fresh_table(Path(folder)) as at:
        for what, *of in asked:
            refused = ask(at, str(what), *of)
            assert refused is None or EN(refused.say)
            at.wait(1.5)
            showing = at.shown
            assert dict(showing.steps)[showing.step] == "now"
            assert {how for _, how in showing.found} <= {"found", "skipped", "open"}
            assert showing.done <= showing.total
            assert at.real.wires.trouble is None
            if wiring_path(at.folder).exists():
                assert load_learnt_wiring(at.folder) is not None, (
                    "the same wires, wherever they lead"
                )
