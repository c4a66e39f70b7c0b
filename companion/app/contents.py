"""Contents: what a backup holds that is to be put back, beside what the table has now.

Law: it is told only of a backup that was proven whole; counts and boxes, nobody's name.
"""

from pathlib import Path

from companion.backup import CONFIG, DECKS, JOURNAL, PIN, WIRING, Backup, Target, tried
from companion.backup.service import Found
from companion.cli.records import nothing_goes_on
from companion.core.errors import Malformed
from companion.games import RULEBOOKS, rulebook
from companion.journal.glimpse import glimpse

MINUTES = len("2026-11-20T18:20")


def contents(backup: Backup, target: Target, room: Path) -> Found:
    """Prove it in this empty room, and say what is in it."""
    there = tried(backup, target, room) / JOURNAL
    members = backup.manifest.members
    theirs, began = glimpse(there)
    ours, here = glimpse(target.folder / JOURNAL)
    return Found(
        made=backup.manifest.made[:MINUTES].replace("T", " "),
        companion=backup.manifest.companion,
        games=len(theirs),
        boxes=tuple(
            rulebook(game).box.title for game in RULEBOOKS if f"{DECKS}/{game}.json" in members
        ),
        pin=PIN in members,
        wiring=WIRING in members,
        config=CONFIG in members,
        foreign=b"" not in (began, here) and began != here,
        goes_on=_goes_on(there),
        missing=len(ours - theirs),
    )


def _goes_on(journal: Path) -> bool:
    try:
        nothing_goes_on(journal)
    except Malformed:
        return True
    return False
