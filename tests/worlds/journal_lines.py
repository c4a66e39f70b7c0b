"""Write single lines into a journal, and read all of them."""

from companion.journal import Journal, JournalEntry, JournalLine


def append(  # noqa: PLR0913, PLR0917
    journal: Journal,
    game: str,
    id: str,
    at: float,
    via: str,
    event: bytes,
    key: str = "",
    tag: str = "",
) -> JournalLine:
    """Write one line; when this returns it is on disk."""
    journal.append_all([JournalEntry((game, id, at, via, event), key, tag)])
    return journal.read_lines(id)[-1]


def every_line(journal: Journal) -> list[JournalLine]:
    """Return the lines of all games in the order in which they were written."""
    lines = (line for game in journal.list_games() for line in journal.read_lines(game.id))
    return sorted(lines, key=lambda line: line.n)
