"""The sweep of a place, for any game: its cards are shown one by one before they count.

Laws: what is shown is public, and nothing else: what may be said does not depend on a card that was
not shown. Once as many cards were shown as lie there, they are compared with those noted; if they
are the same the game goes on, else the table settles it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple

from msgspec.structs import replace

from companion.core.errors import Refusal, refusal
from companion.core.i18n import Facts
from companion.core.sweep import Revealing, Sweep
from companion.games.correction_rules import refuse_card
from companion.games.game_state import S
from companion.games.rulebook import Choices, Row
from companion.tracking.game_tracking import SweepEvents


class SweepRules(NamedTuple, Generic[S]):
    """Rules of a game for a sweep.

    Its two events show a card and believe the whole pile; both name the `bank` as `name_bank` does,
    and a card as `read_card` reads it. `seen_elsewhere` counts the cards that everyone has seen but
    those at the swept place. `go_on` is what comes after the sweep, `believe`
    what comes if the pile is taken for what was noted. The texts may name the fact of `name_bank`.
    """

    phase: str
    rule: str
    show_card: type[Revealing]
    believe_pile: type[Revealing]
    name_bank: Callable[[S], Facts]
    count_box: Callable[[S], Mapping[str, int]]
    seen_elsewhere: Callable[[S], Counter[str]]
    go_on: Callable[[S], S]
    believe: Callable[[S], S]
    wrong_bank: str
    unnamed: str
    read_card: Callable[[str], str | int] = str

    def rows(
        self, next_phases: tuple[str, ...], show_prompt: str, believe_prompt: str
    ) -> tuple[Row[S, Any], Row[S, Any]]:
        """Make the rows of a sweep: a card is shown, or the pile is believed."""
        showing = tuple(dict.fromkeys((self.phase, *next_phases)))
        return (
            Row(
                self.phase, self.show_card, "anyone", self.rule, showing,
                show_prompt, self._apply_showing, self._refuse_showing, self._showing_choices,
            ),
            Row(
                self.phase, self.believe_pile, "anyone", self.rule, next_phases,
                believe_prompt, lambda state, _event: self.believe(state),
                self._refuse_belief, self._belief_choices,
            ),
        )  # fmt: skip

    @property
    def events(self) -> SweepEvents[S]:
        """The events of a sweep, as readers imply them."""
        return SweepEvents(
            lambda state, card: self.show_card(bank=self._bank(state), card=self.read_card(card)),
            lambda state: self.believe_pile(bank=self._bank(state)),
        )

    def go_on_if_same(self, state: S) -> S:
        """Go on if the cards shown are those that lie there; else wait for the table."""
        sweep = state.sweep
        if sweep is None or not sweep.is_through or any(sweep.difference):
            return state
        return self.go_on(state)

    def _refuse_no_sweep(self, state: S, bank: object) -> Refusal | None:
        if state.sweep is None:
            return refusal("no_sweep", self.rule, "In this game no bank is swept.")
        facts = self.name_bank(state)
        if bank in facts.values():
            return None
        return refusal("wrong_bank", self.rule, self.wrong_bank, **facts)

    def _unshown_cards(self, state: S) -> tuple[str, ...]:
        """Return the cards that the box holds besides all that were shown, or seen elsewhere."""
        seen = self.seen_elsewhere(state) + Counter(state.shown)
        return tuple(card for card, n in self.count_box(state).items() if seen[card] < n)

    def _refuse_showing(self, state: S, event: Any) -> Refusal | None:
        box, left = self.count_box(state), self._unshown_cards(state)
        refused = self._refuse_no_sweep(state, event.bank)
        return refused or refuse_card(event.card, box, left, self.rule)

    def _apply_showing(self, state: S, event: Any) -> S:
        return self.go_on_if_same(replace(state, shown=(*state.shown, str(event.card))))

    def _showing_choices(self, state: S, _seat: int) -> Choices:
        if state.sweep is None:
            return ()
        cards = tuple(map(self.read_card, self._unshown_cards(state)))
        return ({"bank": self._bank(state), "card": cards},) if cards else ()

    def _refuse_belief(self, state: S, event: Any) -> Refusal | None:
        refused = self._refuse_no_sweep(state, event.bank)
        if refused is None and not _is_known(state.sweep):
            return refusal("unnamed", self.rule, self.unnamed, **self.name_bank(state))
        return refused

    def _belief_choices(self, state: S, _seat: int) -> Choices:
        return ({"bank": self._bank(state)},) if _is_known(state.sweep) else ()

    def _bank(self, state: S) -> object:
        """Return the swept bank as events name it."""
        return next(iter(self.name_bank(state).values()))


def _is_known(sweep: Sweep | None) -> bool:
    return sweep is not None and sweep.is_known
