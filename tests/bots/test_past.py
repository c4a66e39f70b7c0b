"""What a bot knows of the rounds before: what was announced, and is not undone."""

from contextlib import closing
from pathlib import Path

from companion.app.simulated.bot_driver import announced_verdicts
from companion.core.events import Opened
from companion.core.table_events import Undone
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import deal, simulated


def test_what_was_undone_no_bot_has_heard(tmp_path: Path) -> None:
    journal = closed_later(Journal(tmp_path / "journal.sqlite3"))
    evening = simulated(journal, "robby_solo", wiring="phones-only")
    with closing(evening.source), closing(journal):
        deal(evening)
        table = evening.host.table
        while table.state.hands.round < 3:
            assert evening.bots.play_one()
        heard = announced_verdicts(table.history)
        assert len(heard) == 2
        assert heard[-1] == table.view().public.verdict
        opened = next(m.at for m in reversed(table.history.moments) if isinstance(m.event, Opened))
        for moment in table.history.moments[:opened:-1]:
            assert table.request(Undone(moment.at), HOST_AUTHOR) is None
        assert announced_verdicts(table.history) == heard
        assert table.request(Undone(opened), HOST_AUTHOR) is None
        assert announced_verdicts(table.history) == heard[:1]
