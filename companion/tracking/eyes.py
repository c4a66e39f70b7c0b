"""The eyes of a table: its picture and its deck, moved along with the game.

Law: the eyes only look. What they propose goes through the door like any other request, and what
the game then accounts for is told to them.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.deck import Deck
from companion.evidence import Arrived, Evidence
from companion.games.rulebook import Rulebook
from companion.tracking.facts import expected, handled, next_fact
from companion.tracking.look import Fact
from companion.tracking.picture import Picture, account, bind, is_card, see
from companion.tracking.todos import Gap, gaps

replace = msgspec.structs.replace


class Eyes:
    """What the readers of one table see of the game that is played there."""

    def __init__(self, rules: Rulebook, deck: Deck) -> None:
        self.deck = deck
        self.picture = Picture()
        self._rules = rules

    def see(self, evidence: Evidence, state: Any) -> Fact | None:
        """Take in a piece of evidence; the fact, if a card was lifted and put back."""
        back = isinstance(evidence, Arrived) and evidence.tag in self.picture.lifted
        self.picture = see(self.picture, evidence, self.deck)
        fact = self._handled(evidence, state) if back and isinstance(evidence, Arrived) else None
        self.follow(state)
        return fact

    def _handled(self, evidence: Arrived, state: Any) -> Fact | None:
        tag, place = evidence.tag, evidence.place
        self.picture = replace(self.picture, lifted=self.picture.lifted - {tag})
        if state is None or self.picture.home.get(tag) != place or not self.picture.hears(place):
            return None
        return handled(self._rules, state, place, self.deck[tag])

    def follow(self, state: Any, place: int = 0, tags: tuple[str, ...] = ()) -> None:
        """The game stands like this now, and accounts for these tags at this place."""
        if state is None:
            return
        if tags:
            self.picture = bind(self.picture, place, tags)
        self.picture = account(self.picture, expected(self._rules, state), self.deck)

    def fact(self, state: Any) -> Fact | None:
        """What the table shows that the game does not know yet."""
        return next_fact(self._rules, state, self.picture, self.deck)

    def gaps(self, state: Any) -> list[Gap]:
        """Where cards and log differ."""
        return gaps(self._rules, state, self.picture, self.deck)

    def forget(self) -> None:
        """A new game: the game accounts for nothing yet, and nothing is accepted."""
        self.picture = replace(
            self.picture, home={}, spent={}, lifted=frozenset(), late=frozenset(), accepted={}
        )

    def recall(self, state: Any, place: int, tags: tuple[str, ...]) -> None:
        """As `follow`, for a moment that is long past; of what is spent only the last counts."""
        before = self.picture.spent
        self.follow(state, place, tags)
        new = {tag: at for tag, at in self.picture.spent.items() if tag not in before}
        if new:
            self.picture = replace(self.picture, spent=new)

    # What the table settles.

    def lying(self, place: int, state: Any) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
        """The cards that lie at a place, those that the game knows there first, and their tags."""
        tags = [t for t in self.picture.lying.get(place, ()) if self._counts(t)]
        known = [card for card in self._rules.lies(state).get(place, ()) if card is not None]
        names = [self.deck[tag] for tag in tags]
        first = list[str | None]()
        for card in known:
            if card in names:
                names.remove(card)
                first.append(card)
        return (*first, *names), tuple(tags)

    def _counts(self, tag: str) -> bool:
        thing = self.deck[tag]
        return thing is None or is_card(thing)

    def accept(self, place: int, tags: Iterable[str]) -> None:
        """Ask no more about these tags here, until somebody touches them."""
        accepted = self.picture.accepted
        here = accepted.get(place, frozenset()) | {*tags}
        self.picture = replace(self.picture, accepted={**accepted, place: here})

    def play_by_hand(self, place: int, by_hand: bool) -> None:
        """Take no notice of the reader of a place from now on, or listen to it again."""
        places = self.picture.by_hand - {place}
        self.picture = replace(self.picture, by_hand=places | {place} if by_hand else places)
