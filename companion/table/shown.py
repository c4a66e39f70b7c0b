"""What everyone is shown: the public part of a game and its affairs, worked out once for all.

Law: until something changes it is one and the same for whoever looks; nothing that only one seat
may know is ever in here.
"""

from collections.abc import Sequence
from typing import Any

from companion.core.i18n import Say
from companion.table.activity_log import Affairs, affairs
from companion.table.history import History
from companion.tracking import Gap, todo
from companion.tracking.picture import Picture


class Shown:
    """What everyone was shown last, and of what it was made."""

    def __init__(self) -> None:
        self._of: tuple[Any, ...] = ()
        self._troubles: tuple[Say, ...] = ()
        self._found: tuple[Any, Affairs] | None = None

    def to_all(
        self, history: History, gaps: Sequence[Gap], picture: Picture, troubles: tuple[Say, ...]
    ) -> tuple[Any, Affairs]:
        """The public part and the affairs of the table as it is."""
        of = (history, gaps, picture)
        same = len(self._of) == len(of) and all(a is b for a, b in zip(of, self._of, strict=True))
        if self._found is None or not same or troubles != self._troubles:
            self._of, self._troubles = of, troubles
            self._found = _made(history, gaps, picture, troubles)
        return self._found


def _made(
    history: History, gaps: Sequence[Gap], picture: Picture, troubles: tuple[Say, ...]
) -> tuple[Any, Affairs]:
    rules, state = history.rules, history.state
    todos = tuple(todo(rules, gap) for gap in gaps)
    by_hand = tuple(place for place in rules.lies(state) if not picture.hears(place))
    return rules.public(state), affairs(history, todos, troubles, by_hand)
