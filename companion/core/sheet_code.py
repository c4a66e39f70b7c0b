"""The code of a sheet of a league, and the id of a game that is played for it.

Law: the id of a game stands in its first line, and is part of every seal and of whatever a phone
signs. So a game whose id ends with the code of a sheet was begun for that sheet, and for no other:
an older game cannot be given the code without making all its seals and signatures anew.

    9f3c01d2ab44-5b0e…c1      twelve digits of the table's own, then the code
"""

import re

SHEET_CODE = re.compile(r"[0-9a-f]{32}")
_OF_ID = re.compile(r"[0-9a-f]{12}-(?P<code>[0-9a-f]{32})")


def make_game_id(drawn: str, code: str = "") -> str:
    """Return the id of a game: what the table has drawn, and the code of its sheet if any."""
    return f"{drawn}-{code}" if code else drawn


def code_of_id(id: str) -> str:
    """Return the code in the id of a game, or ""."""
    found = _OF_ID.fullmatch(id)
    return found["code"] if found else ""
