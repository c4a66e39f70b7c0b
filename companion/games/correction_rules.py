"""Corrections of a game: how the table puts something right; by default what is wrong is undone."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message
from companion.core.table_events import Counted, Found
from companion.games.counting import Owned
from companion.games.game_state import GameState, S


class CorrectionRules(Protocol[S]):
    """What a game can put right; a module of each game."""

    def refuse_found(self, state: S, event: Found) -> Refusal | None:
        """Return the reason these cards cannot lie at a place."""

    def apply_found(self, state: S, event: Found) -> S:
        """Return the game with these cards at a place, whatever was noted."""

    def count_holdings(self, state: S) -> dict[str, dict[str, int]]:
        """Return everyone's holdings by name; differences after a correction are counted in
        them."""

    def count_own(self, state: S, seat: int) -> Owned:
        """Return the things that a seat can count of its own; nothing for a seat that is not
        played."""

    def apply_counted(self, state: S, event: Counted) -> S:
        """Return the game with the difference that a player counted."""

    def word_counted(self, owns: Mapping[str, int]) -> Sequence[Message]:
        """Return in words what a player counted."""


class UndoOnly:
    """For a game that brings none: refuses every found card, and counts what players have by the
    names of their fields."""

    def refuse_found(self, _state: object, event: Found) -> Refusal:
        """Return the reason these cards cannot lie at a place."""
        text = "What lies at place {place} cannot be entered in this game: undo the moment instead."
        return refusal("undo_instead", "T.todo", text, place=event.place)

    def apply_found(self, state: object, _event: Found) -> object:
        """Return the game as it is."""
        return state

    def count_holdings(self, state: GameState) -> dict[str, dict[str, int]]:
        """Return everyone's holdings by name; differences after a correction are counted in
        them."""
        return {player.name: _count_fields(player) for player in state.players}

    def count_own(self, _state: object, _seat: int) -> Owned:
        """Return the things that a seat can count of its own; nothing for a seat that is not
        played."""
        return {}

    def apply_counted(self, state: object, _event: Counted) -> object:
        """Return the game as it is."""
        return state

    def word_counted(self, _owns: Mapping[str, int]) -> Sequence[Message]:
        """Return no words."""
        return ()


def _count_fields(player: Any) -> dict[str, int]:
    counted = dict[str, int]()
    for name in player.__struct_fields__:
        value = getattr(player, name)
        if type(value) is int:
            counted[name] = value
        elif isinstance(value, tuple):
            counted[name] = len(value)
    return counted
