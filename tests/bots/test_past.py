"""What a bot knows of the rounds before: what was announced, and is not undone."""

from contextlib import closing
from pathlib import Path

from companion.app.default_players import NAMES
from companion.app.simulated.bot_driver import announced_verdicts
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.core.events import Opened
from companion.core.table_events import Undone
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.left_open import closed_later


def test_what_was_undone_no_bot_has_heard(tmp_path: Path) -> None:
    journal, seats = closed_later(Journal(tmp_path / "journal.sqlite3")), Seats(open_house=True)
    room, lineup = SimulatedRoom("phones-only", StillClock()), Lineup(NAMES[:3], 7, persons_seat=0)
    evening = build_simulation(make_rulebook("robby_solo"), journal, room, lineup, seats)
    with closing(evening.source), closing(journal):
        evening.bots.deal_again()
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
