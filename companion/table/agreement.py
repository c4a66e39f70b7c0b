"""Agreement: what no seat may have alone, because it could hold up the table, until all ask for it.

Laws: after FREE_TAKE_BACKS of them in a game, or once a card of the round was turned up, hands that
were open are taken back again only by the host, or when every seat asks for the same at the same
version of the game; so are all hands closed anew after FREE_RESEALS of them in a round. What an
open hand held is always corrected like that. Who has
asked is shown to everyone, is in no journal, and is forgotten at the next event.
"""

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Opened, Resealed, Sealed, Value
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.table_events import AMENDMENTS, Corrected, Undone
from companion.table.history import History, apply_event, standing_openings
from companion.table.permissions import TABLE_DEVICE, Author
from companion.table.undo import changes_hand

FREE_TAKE_BACKS = 2
"""How often a seat alone may take back open hands, counted over the game.

A count for each round would begin anew when the choice before it is undone or all hands are closed
anew, so that a single seat could hold up the table without end.
"""
FREE_RESEALS = 2
"""How often a seat alone may have all hands closed anew in one round."""

Stalling = Undone | Corrected | Resealed
"""The events with which one seat could hold up the table."""


class Proposal(msgspec.Struct, frozen=True):
    """What some seats have asked for, at a version of the game."""

    event: Stalling
    at: int
    asked: tuple[int, ...]


class ProposalStatus(msgspec.Struct, frozen=True):
    """A proposal as everyone sees it: in words, as the request to send, and who has not asked."""

    say: Message
    do: str
    fields: JsonObject
    missing: tuple[int, ...]


def ask_everyone(
    proposal: Proposal | None, history: History, event: Stalling, author: Author
) -> tuple[Proposal | None, Refusal | None]:
    """Return what is proposed once this author has asked for it, and why it is not done yet."""
    if not needs_everyone(history, event, author):
        return proposal, None
    joined = join_proposal(proposal, history, event, author.seat)
    return joined, refuse_alone(joined, history)


def needs_everyone(history: History, event: Event, author: Author) -> bool:
    """Return whether this author alone may not take back what this event takes back."""
    if author.via == TABLE_DEVICE:
        return False
    if isinstance(event, Resealed):
        return count_reseals(history) >= FREE_RESEALS
    if changes_hand(history, event):
        return True
    if history.take_backs < FREE_TAKE_BACKS and not history.last_turn_up:
        return False
    taken_back = _openings_taken_back(history, event)
    if history.take_backs >= FREE_TAKE_BACKS:
        return bool(taken_back)
    return _were_followed_by_cards(history, taken_back)


def _openings_taken_back(history: History, event: Event) -> frozenset[int]:
    """Return the moments at which a hand opened that an undo or a correction takes back."""
    return standing_openings(history) - standing_openings(apply_event(history, event))


def _were_followed_by_cards(history: History, openings: frozenset[int]) -> bool:
    """Return whether a card was turned up after one of these hands was open."""
    return any(at < history.last_turn_up for at in openings)


def count_reseals(history: History) -> int:
    """Count how often seats had all hands closed anew since the game last went on."""
    reseals = 0
    for moment in reversed(history.moments):
        if isinstance(moment.event, Resealed):
            reseals += moment.via != TABLE_DEVICE
        elif not isinstance(moment.event, (Sealed, Opened, *AMENDMENTS)):
            break
    return reseals


def join_proposal(
    proposal: Proposal | None, history: History, event: Stalling, seat: int
) -> Proposal:
    """Return the proposal with this seat, or a new one if it asks for something else."""
    if proposal is None or proposal.at != history.at or not _is_same(proposal.event, event):
        return Proposal(event, history.at, (seat,))
    return msgspec.structs.replace(proposal, asked=tuple(sorted({*proposal.asked, seat})))


def _is_same(one: Stalling, other: Stalling) -> bool:
    """Return whether two events ask for the same, for whatever reason."""
    if isinstance(one, Resealed) or isinstance(other, Resealed):
        return one == other
    return msgspec.structs.replace(one, reason="") == msgspec.structs.replace(other, reason="")


def missing_seats(proposal: Proposal, history: History) -> tuple[int, ...]:
    """Return the seats that have not asked for it yet."""
    players = history.state.players if history.state is not None else ()
    return tuple(seat for seat in range(1, len(players) + 1) if seat not in proposal.asked)


def refuse_alone(proposal: Proposal, history: History) -> Refusal | None:
    """Refuse until all seats have asked; the sentence says who can do it, and who is missing."""
    who = _names(history, missing_seats(proposal, history))
    if not who:
        return None
    if isinstance(proposal.event, Resealed):
        text = (
            "Everyone sealed again {n} times in this round. Now only the host can ask for it, "
            "or all players together: {who} must agree."
        )
        return refusal("needs_everyone", "S.reseal", text, n=count_reseals(history), who=who)
    if changes_hand(history, proposal.event):
        text = (
            "A revealed choice is corrected only by the host, or by all players together: {who} "
            "must agree."
        )
        return refusal("needs_everyone", "T.correct", text, who=who)
    if _were_followed_by_cards(history, _openings_taken_back(history, proposal.event)):
        text = (
            "Cards were shown after these choices were revealed. Now only the host can take "
            "them back, or all players together: {who} must agree."
        )
        return refusal("needs_everyone", "T.undo", text, who=who)
    text = (
        "Revealed choices were taken back {n} times in this game. Now only the host can do it, "
        "or all players together: {who} must agree."
    )
    return refusal("needs_everyone", "T.undo", text, n=history.take_backs, who=who)


def describe_proposal(proposal: Proposal | None, history: History) -> ProposalStatus | None:
    """Return what everyone sees of a proposal; None if the game has gone on since."""
    if proposal is None or proposal.at != history.at:
        return None
    missing = missing_seats(proposal, history)
    facts: dict[str, object] = {"who": _names(history, proposal.asked)}
    if not isinstance(proposal.event, Resealed):
        facts["n"] = proposal.event.target
    facts["others"] = _names(history, missing)
    text = TEXTS[type(proposal.event)]
    if changes_hand(history, proposal.event):
        text, facts = OTHER_HAND, facts | _describe_hand(history, proposal.event)
    fields: JsonObject = msgspec.to_builtins(proposal.event)
    do = str(fields.pop("event"))
    return ProposalStatus(Message(text, facts), do, fields, missing)


OTHER_HAND = N_(
    "Correct the choice of {several} to {thing}? Asked for by {who}; the host must agree, or "
    "everyone; still missing: {others}."
)


def _describe_hand(history: History, event: Stalling) -> dict[str, object]:
    """Return whose hand is corrected, and to what."""
    fields = event.instead if isinstance(event, Corrected) else {}
    return {
        "several": _names(history, (fields["seat"],)),
        "thing": word_value(fields["value"]),
    }


def word_value(value: Value) -> Message:
    """Return in words what a hand held."""
    match value:
        case int():
            return Message("{n}", {"n": value})
        case str():
            return Message("{colour}", {"colour": value})
    return Message("{by_colour}", {"by_colour": value})


TEXTS: dict[type[Event], str] = {
    Undone: N_(
        "{who} wants to undo moment {n} and take back revealed choices. The host must agree, or "
        "everyone; still missing: {others}."
    ),
    Corrected: N_(
        "{who} wants to correct moment {n} and take back revealed choices. The host must agree, "
        "or everyone; still missing: {others}."
    ),
    Resealed: N_(
        "{who} wants everyone to seal again. The host must agree, or everyone; still missing: "
        "{others}."
    ),
}


def _names(history: History, seats: tuple[int, ...]) -> list[str]:
    players = history.state.players if history.state is not None else ()
    return [players[seat - 1].name for seat in seats]
