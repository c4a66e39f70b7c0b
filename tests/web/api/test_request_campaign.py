"""Requests of all kinds against the document, at tables of every game; `make bars` sends more."""

from pathlib import Path

import pytest

from tests.generators.error_codes import codes
from tests.worlds.campaign import IS_LARGE
from tests.worlds.request_campaign import HOST, PLAYER, STRANGER, Campaign, served
from tests.worlds.standing_tables import NEVER

EACH = 64 if IS_LARGE else 6
"""Requests to each operation, as a stranger, as a player and as a host."""


ASKED = [
    ("bankueberfall", "open", (STRANGER, PLAYER, HOST)),
    ("banque_fatale", "take", (PLAYER,)),
    ("robby_solo", "seal", (PLAYER,)),
    ("bankueberfall", NEVER, (PLAYER, HOST)),
]


@pytest.mark.wide
@pytest.mark.parametrize(("game", "state", "who"), ASKED)
def test_random_requests_are_answered_as_documented(game, state, who, tmp_path: Path):
    campaign = Campaign(served(tmp_path / "journal.sqlite3", game, state))
    for one in who:
        campaign.ask_all(EACH, one)
    assert campaign.wrong == []
    assert campaign.cases > EACH
    assert campaign.codes <= codes().keys()
    assert state == NEVER or campaign.statuses[204] > 5


@pytest.mark.wide
def test_a_campaign_notices_what_is_not_documented(tmp_path: Path):
    campaign = Campaign(served(tmp_path / "journal.sqlite3", "robby_solo", "seal"))
    for operation in campaign.schema.raw_schema["paths"].values():
        for asked in operation.values():
            asked["responses"].pop("403", None)
    campaign.ask_all(4, STRANGER)
    assert any("Undocumented" in wrong for wrong in campaign.wrong)
