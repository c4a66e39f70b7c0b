"""Prints docs/phases.md: the phase table of every game, with a diagram, from its rule book."""

import sys
from collections.abc import Iterator

from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from tests.worlds.own_games import own_games

HEAD = ("phase", "event", "who", "rule", "leads to")


def _row_cells(book: AnyRulebook) -> Iterator[tuple[str, ...]]:
    for row in book.rows:
        yield row.phase, row.event_name, row.who, row.rule, ", ".join(row.next_phases)


def format_markdown(books: list[AnyRulebook]) -> str:
    """Format the page for docs/: a diagram and a table for every game."""
    top = (
        "# The phases of the games\n\n"
        "Drawn from the rule books by `make docs`; do not edit. In a phase only the events of its\n"
        "rows may happen; everything else is refused with the rule."
    )
    return "\n\n".join([top, *map(_format_section, books)])


def _format_section(book: AnyRulebook) -> str:
    edges = {
        (row.phase, to): None for row in book.rows for to in row.next_phases if to != row.phase
    }
    diagram = [f"    {phase} --> {to}" for phase, to in edges]
    first = f"    [*] --> {book.rows[0].phase}"
    head = f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}"
    table = [f"| {' | '.join(cells)} |" for cells in _row_cells(book)]
    mermaid = "\n".join(["```mermaid", "stateDiagram-v2", first, *diagram, "```"])
    return "\n\n".join([f"## {book.box.title}", mermaid, "\n".join([head, *table])])


if __name__ == "__main__":
    sys.stdout.write(format_markdown([make_rulebook(game) for game in own_games()]) + "\n")
