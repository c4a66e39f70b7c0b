"""The check of a box between two groups, as the host's page shows it.

Law: it only listens. Whatever a reader tells is heard once more here, so that cards that lie there
from before count as well; what is shown names cards, never a tag.
"""

from collections.abc import Iterable

from companion.core.cards import Box
from companion.core.deck import Deck, counted, missing
from companion.core.sensor_events import Evidence
from companion.enrol import Check
from companion.host.health import Checked


class Checking:
    """One check that goes on."""

    def __init__(self, box: Box, deck: Deck, lying: Iterable[Evidence]) -> None:
        self._box = box
        self._holds = box.tagged()
        self.state = Check(self._holds, deck)
        for evidence in lying:
            self.hear(evidence)

    def hear(self, evidence: Evidence) -> bool:
        """Take in what was noticed; whether that changed anything."""
        before, (self.state, said) = self.state, self.state.heard(evidence)
        return self.state != before or said is not None

    def shown(self) -> Checked:
        """How far it has come."""
        state = self.state
        never = missing(self._holds, state.deck.things.values())
        return Checked(
            game=self._box.game,
            title=self._box.title,
            total=len(state.deck.things),
            seen=len(state.seen),
            missing=tuple(counted(state.missing)),
            never=tuple(counted(never)),
            says=state.amiss or state.next,
            odd=state.amiss is not None,
            done=state.done,
        )
