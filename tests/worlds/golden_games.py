"""Golden games: whole evenings, told line by line with the rule behind every line.

A line at the margin is an event in its text form. What stands indented below it follows from it:
the numbered steps of a verdict. `make golden` plays the games again and writes what changed.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.core.events import Event, Opened, Sealed
from companion.core.i18n import get_language
from companion.core.verdict import Verdict
from companion.games import find_game, make_rulebook
from companion.games.rulebook import Rulebook
from tests.worlds.event_story import from_text, to_text
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import NAMES


def golden_folder(game: str) -> Path:
    """The folder with the golden games of a game."""
    return find_game(game).folder / "golden"


def golden_files() -> list[Path]:
    """The golden games of all games."""
    return [path for game in own_games() for path in sorted(golden_folder(game).glob("*.txt"))]


def tell(rules: Rulebook, events: Iterable[Event]) -> Iterator[str]:
    """The game, line by line."""
    state = None
    for event in events:
        before, state = state, rules.apply(state, event)
        yield f"{to_text(event)}  [{cited(rules, before, event)}]"
        yield from _follows(before, state)


def cited(rules: Rulebook, before: Any, event: Event) -> str:
    """The rule under which an event happened; for a closed hand also our own rule of sealing."""
    row = rules.find_row(before, type(event)) if before is not None else None
    also = {Sealed: ", S.seal", Opened: ", S.open"}.get(type(event), "")
    return (row.rule if row else rules.start_rule) + also


def _follows(before: Any, state: Any) -> Iterator[str]:
    if before is None:
        return
    for field in ("verdict", "sale", "score"):
        verdict = getattr(state, field, None)
        if verdict is not None and verdict is not getattr(before, field):
            yield from spoken(verdict)


def spoken(verdict: Verdict) -> Iterator[str]:
    """The steps of a verdict, as they are read aloud."""
    words = get_language("en").with_names(NAMES)
    for n, step in enumerate(verdict.steps, 1):
        house = f"; {step.house_rule.name} = {step.house_rule.value}" if step.house_rule else ""
        ours = "".join(f"; {ruling}" for ruling in step.rulings)
        yield f"    {n}. {words.render(step.text, step.facts)}  [{step.rule}{house}{ours}]"


def read(path: Path) -> tuple[Rulebook, list[Event]]:
    """The rule book and the events of a golden game."""
    rules = make_rulebook(path.stem.rsplit("-", 1)[0])
    lines = path.read_text("utf-8").splitlines()
    events = [line.rpartition("  [")[0] for line in lines if line and not line.startswith(" ")]
    return rules, [from_text(event, rules.event_types) for event in events]
