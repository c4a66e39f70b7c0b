"""The public past of the game under way: the verdicts that everyone heard, for bots to learn from.

Law: it is read from the history of the table alone, and follows it through undo, correction and
restart: it is what the verdicts are now, whatever they were when they were announced.
"""

from collections.abc import Sequence

from companion.core.events import Entered, Opened
from companion.core.verdict import Verdict
from companion.games.game_state import GameState
from companion.table.history import History, replay_moments


class PublicPast:
    """Follows the history of one table."""

    def __init__(self) -> None:
        self._history: History | None = None
        self._newest: object = None
        self._verdicts: list[Verdict] = []

    def follow(self, history: History) -> Sequence[Verdict]:
        """Return the verdicts of this history, the oldest first."""
        if history is not self._history:
            if self._continues(history):
                self._note_verdict(history, history.state)
            else:
                self._read_again(history)
            self._history = history
        return self._verdicts

    def _continues(self, history: History) -> bool:
        """Check whether nothing was undone or corrected, and no more than one verdict was added.

        For two of them every hand would have been opened at least once.
        """
        before = self._history
        if before is None or history.change is not before.change or history.state is None:
            return False
        known = len(before.moments)
        added = (type(moment.event) for moment in history.moments[known:])
        opened = sum(kind in (Opened, Entered) for kind in added)
        return history.moments[:known] == before.moments and opened < len(history.state.players)

    def _read_again(self, history: History) -> None:
        self._newest, self._verdicts = None, []
        for replayed in replay_moments(history):
            self._note_verdict(history, replayed.after.state)

    def _note_verdict(self, history: History, state: GameState | None) -> None:
        newest = getattr(state, "verdict", None)
        if newest is not None and newest is not self._newest:
            self._newest = newest
            public = history.rules.public_view(state)
            self._verdicts.append(public.verdict)
