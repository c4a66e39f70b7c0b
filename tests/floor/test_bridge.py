"""Two cafés: the broker of one is bridged to that of the chain, both real Mosquittos."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.app.floor.publisher import KEPT
from companion.floor.broker import parse_broker
from tests.worlds.listening_floor import ListeningFloor
from tests.worlds.mosquitto import Listener, Mosquitto, until
from tests.worlds.paths import ROOT
from tests.worlds.publishing_table import ID, ONLINE, STATE, Standing, told_phase

pytestmark = pytest.mark.wide


def bridge_lines(chain: Mosquitto) -> str:
    """The lines that docs/many-cafes.md gives for the broker of a café, for these two brokers."""
    guide = (ROOT / "docs/many-cafes.md").read_text("utf-8")
    lines = guide.partition("```\nconnection chain")[2].partition("```")[0]
    assert lines
    left_out = ("bridge_cafile", "remote_")
    kept = [line for line in lines.splitlines() if not line.startswith(left_out)]
    place = f"127.0.0.1:{chain.port}"
    written = "\n".join(kept).replace("chain.example:8883", place)
    return f"allow_anonymous true\nconnection chain{written}"


def test_a_table_of_a_cafe_is_on_the_floor_of_the_chain(tmp_path: Path) -> None:
    """Its state and its death are heard there; a chain that was away and forgot everything is
    told anew; and nothing that is written at the chain comes to the café."""
    for name in ("chain", "cafe"):
        (tmp_path / name).mkdir()
    chain = Mosquitto(tmp_path / "chain").start()
    cafe = Mosquitto(tmp_path / "cafe", bridge_lines(chain)).start()
    table = Standing(parse_broker(cafe.address))
    table.publisher.start()
    with closing(ListeningFloor(chain.address)) as floor:
        until(lambda: floor.look(ID) == "playing", "the table at the chain")
        table.change("open")
        until(lambda: floor.phase(ID) == "open", "its change")
        chain.kill()
        table.change("over")
        floor.tiles.forget_table(ID)
        chain.start()
        until(lambda: floor.phase(ID) == "over", "the newest, told anew")
        with closing(Listener(chain)) as above, closing(Listener(cafe)) as below:
            above.publish(STATE, b"{}")
            until(lambda: (STATE, b"{}") in above.heard, "that the chain heard it")
            until(lambda: STATE in below.newest, "what the café keeps")
            assert told_phase(below) == "over"
            table.publisher.close()
            until(lambda: above.newest.get(ONLINE) == b"0", "that the table left")
            assert (STATE, b"{}") not in below.heard
            assert 0 < above.expiries[ONLINE] <= KEPT, "a table that left would stay for ever"
    cafe.kill()
    chain.kill()
