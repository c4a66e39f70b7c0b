"""The phase tables of the games as text for a terminal, and as a page with diagrams."""

from collections.abc import Iterator

from companion.games.rulebook import AnyRulebook

HEAD = ("phase", "event", "who", "rule", "leads to")


def _row_cells(book: AnyRulebook) -> Iterator[tuple[str, ...]]:
    for row in book.rows:
        yield row.phase, row.event_name, row.who, row.rule, ", ".join(row.next_phases)


def list_rows(book: AnyRulebook) -> list[dict[str, object]]:
    """Return the phase table of one game as plain data, for programs."""
    keys = ("phase", "event", "who", "rule", "leads_to")
    return [
        dict(
            zip(keys, (row.phase, row.event_name, row.who, row.rule, row.next_phases), strict=True)
        )
        for row in book.rows
    ]


def format_text(book: AnyRulebook) -> str:
    """Format the phase table of one game for a terminal."""
    lines = [HEAD, *_row_cells(book)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(HEAD))]
    table = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([book.box.title, *table])


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
