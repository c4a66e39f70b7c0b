"""What goes wrong on purpose at a simulated table, what the table says of it, and that it ends."""

import time

from tests.worlds.simulated_hands import looks


def breaks(visitor, evening, fault, at=0, on=True):
    """Break something on purpose, or mend it."""
    asked = {"key": f"{fault}-{at}-{on}", "fault": fault, "at": at, "on": on}
    assert visitor.tells(f"/api/play/{visitor.seat}/faults", asked).status_code == 204
    looks(evening, 4)


def test_the_plug_is_pulled_once_the_answer_is_out(visit, evening):
    pulled = []
    evening.faults._restart = lambda: pulled.append(1)
    evening.host.clock = lambda: now
    ana, now = visit(1), time.monotonic()
    breaks(ana, evening, "plug", on=False)
    now += 1
    looks(evening)
    evening.faults.restart_if_due()
    assert not pulled
    breaks(ana, evening, "plug")
    assert not pulled
    now += 1
    evening.faults.restart_if_due()
    evening.faults.restart_if_due()
    assert pulled == [1]
