"""How any bot sweeps a pile: it shows one card after the other.

Law: where other cards were shown than noted, what was shown is right.
"""

from companion.bots.decisions import BotView, Decision, PieceMove
from companion.core.table_events import Settled


def show_next_card(sight: BotView, do: str) -> Decision:
    """Show the next card by the event of this name; which card it is shows only then."""
    sweep = sight.public.sweep
    if len(sweep.shown) >= sweep.total:
        return Settled(sweep.place, "cards")
    return PieceMove(do, {"bank": sight.choices_for(do)[0]["bank"]})
