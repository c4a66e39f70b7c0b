"""Permissions: who may ask for what, decided before anything is written.

Laws: a refusal is one sentence with a stable code and a rule, and leaves everything as it was. A
seat speaks for itself; what the table decides together any player may tap, in sight of all, and the
line of the journal names the device. A spectator may do nothing.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Resealed, Sealed, Started
from companion.core.json_values import JsonObject
from companion.core.table_events import (
    AMENDMENTS,
    Cleared,
    Corrected,
    Counted,
    Ended,
    Found,
    Frozen,
    Paused,
    PlaceChosen,
    Settled,
    Thawed,
    Undone,
)
from companion.games.commit_reveal import is_closed_again
from companion.games.counting import count_difference, refuse_counted
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRow
from companion.table.card_origins import find_cards
from companion.table.history import History, are_hands_final, correction_pairs
from companion.table.undo import SEALED_EVENTS, check_correction, check_target

TABLE_DEVICE = "table"
"""The device of requests for the whole table: the host's page, or the command line."""

MAX_REASON = 120
MAX_RESEALS = 8
"""How often a seat may close its hand again in one round."""


class Author(msgspec.Struct, frozen=True):
    """The author of a request: for which seat (0 for none), and through what device."""

    seat: int
    via: str

    @property
    def is_reader(self) -> bool:
        """Return whether this is a reader, which states what lies somewhere."""
        return self.seat == 0 and self.via.startswith("reader ")

    @property
    def is_host(self) -> bool:
        """Return whether this speaks for the table as a whole."""
        return self.via == TABLE_DEVICE


HOST_AUTHOR = Author(0, TABLE_DEVICE)
"""The host, who speaks for the table as a whole."""


def check_request(history: History, event: Event, author: Author) -> Refusal | None:
    """Return why this cannot happen now, or not through this author; None if it may."""
    rules, state = history.rules, history.state
    if state is None:
        return refusal("not_started", rules.start_rule, "No game has been started yet.")
    if author.seat > len(state.players):
        text = "No one plays at seat {seat}."
        return refusal("no_such_seat", rules.start_rule, text, seat=author.seat)
    if isinstance(event, AMENDMENTS):
        return _check_amendment(history, event, author)
    row = rules.find_row(state, type(event))
    refused = check_author(author, row, state, event) if row else None
    return check_running(history) or refused or rules.refuse(state, event)


def check_final_hands(history: History, event: Event) -> Refusal | None:
    """Refuse new hands in a round of which a card was turned up, even if that was undone.

    Only requests are checked: a journal or record that holds such hands is replayed all the same.
    """
    if not isinstance(event, Resealed) or not are_hands_final(history):
        return None
    text = (
        "A card of this round has been shown, so no one seals again. If a choice cannot be "
        "revealed, the host enters it, and it is marked as unproven."
    )
    return refusal("shown", "S.reseal", text)


def check_start(history: History, event: Started, author: Author) -> Refusal | None:
    """Return why this game cannot begin, or not through this author; None if it may."""
    rules = history.rules
    if author != HOST_AUTHOR:
        return refusal("not_yours", rules.start_rule, "This is not yours to do.")
    return check_no_open_game(history) or rules.refuse(None, event)


def check_no_open_game(history: History) -> Refusal | None:
    """Refuse while a game is being played."""
    if history.is_over:
        return None
    return refusal("under_way", history.rules.start_rule, "A game is under way.")


def check_running(history: History) -> Refusal | None:
    """Refuse while nothing may be played: ended, paused, or the judge is called."""
    if history.ended:
        return refusal("ended", history.rules.end_rule, "The table has ended this game.")
    if history.paused:
        return _paused_refusal()
    if history.frozen:
        assert history.state is not None
        who = [p.name for p in history.state.players[history.frozen - 1 : history.frozen]]
        text = "{who} has called the judge: the game is paused until the table goes on."
        return refusal("frozen", "T.freeze", text, who=who)
    return None


def _paused_refusal() -> Refusal:
    text = "The host has paused the game, and only the host can resume it."
    return refusal("paused", "T.pause", text)


def check_author(author: Author, row: AnyRow, state: GameState, event: Event) -> Refusal | None:
    """Return why this author cannot speak for this event; None if they can.

    A reader states what lies where, and no more. What a hand holds that cannot open only the host
    enters.
    """
    seat = getattr(event, "seat", None)
    match row.who:
        case "active" | "each":
            mine = author.seat == (state.active if seat is None else seat)
            speaks = mine or (author.is_reader and row.who == "active")
        case "anyone":
            speaks = author.seat > 0 or author.is_reader or author == HOST_AUTHOR
        case "table":
            speaks = author == HOST_AUTHOR or (author.seat > 0 and seat is None)
        case "reader":
            speaks = author.is_reader
    return None if speaks else refusal("not_yours", row.rule, "This is not yours to do.")


def check_reseals(history: History, event: Event) -> Refusal | None:
    """Refuse to close a hand again more than MAX_RESEALS times a round; only its seat hears it.

    Only requests are checked: a journal or record that holds more of them is replayed all the same.
    """
    if not isinstance(event, Sealed) or not is_closed_again(history.state, event):
        return None
    if _count_closings(history, event.seat) <= MAX_RESEALS:
        return None
    text = "You have changed your choice {n} times in this round. It stays as it is now."
    return refusal("closed_too_often", "S.seal", text, n=MAX_RESEALS)


def _count_closings(history: History, seat: int) -> int:
    """Count how often a seat closed its hand since the last event that was no closing."""
    closings = 0
    for moment in reversed(history.moments):
        if isinstance(moment.event, Sealed):
            closings += moment.event.seat == seat
        elif not isinstance(moment.event, AMENDMENTS):
            break
    return closings


def check_hidden_card(history: History, event: Event, author: Author) -> Refusal | None:
    """Refuse to name a face-down card: the to-do that follows would tell if it was so.

    A hand is no card that lies: sealing and opening name none.
    """
    rules, state = history.rules, history.state
    if author.is_reader or isinstance(event, SEALED_EVENTS):
        return None
    if not (_names_hidden_card(history, event) or rules.names_hidden_card(state, event)):
        return None
    text = "Only a reader names a card that lies face down."
    return refusal("face_down", "T.hidden", text)


def _names_hidden_card(history: History, event: Event) -> bool:
    """Return whether a correction names a card not turned up yet, rightly or not."""
    if not isinstance(event, Corrected):
        return False
    return any(
        _names_face_down(history, target, fields) for target, fields in correction_pairs(event)
    )


def _names_face_down(history: History, target: int, fields: JsonObject) -> bool:
    """Return whether this names a card of a moment that lies face down as things stand."""
    if fields.get("card") is None and not fields.get("cards"):
        return False
    cards = find_cards(history.card_origins, target, history.pointed_origins.get(target))
    return not {*cards}.isdisjoint(history.rules.face_down(history.state))


# Amendments.


def _check_amendment(history: History, event: Event, author: Author) -> Refusal | None:
    if author.seat == 0 and not author.is_host:
        return refusal("not_yours", "T.amend", "This is not yours to do.")
    if history.cleared:
        return refusal("cleared", "T.end", "This game has been put away.")
    refused = CHECKS[type(event)](history, event, author)
    return refused or _check_reason(getattr(event, "reason", ""))


def _check_reason(reason: str) -> Refusal | None:
    if len(reason) <= MAX_REASON and reason.isprintable():
        return None
    text = "A reason is one line of at most {most} characters."
    return refusal("reason", "T.amend", text, most=MAX_REASON)


def _check_undo(history: History, event: Undone, _author: Author) -> Refusal | None:
    return check_target(history, event)


def _check_correction(history: History, event: Corrected, _author: Author) -> Refusal | None:
    return check_correction(history, event)


def _check_found(history: History, event: Found, _author: Author) -> Refusal | None:
    if history.is_over:
        return refusal("over", "T.todo", "This game is over already.")
    return history.rules.corrections.refuse_found(history.state, event)


def _check_counted(history: History, event: Counted, author: Author) -> Refusal | None:
    if author.seat != event.seat:
        return refusal("not_yours", "T.count", "This is not yours to do.")
    owned = history.rules.corrections.count_own(history.state, event.seat)
    refused = refuse_counted(owned, event)
    if refused is None and event.more not in ({}, count_difference(owned, event)):
        text = "The table works out the difference itself."
        return refusal("not_difference", "T.count", text)
    return refused


def _check_place(history: History, event: Settled | PlaceChosen, _author: Author) -> Refusal | None:
    if event.place in history.rules.expected_cards(history.state):
        return None
    text = "No card of this game lies at place {place}."
    return refusal("no_such_place", "T.todo", text, place=event.place)


def _check_freeze(history: History, event: Frozen, author: Author) -> Refusal | None:
    if author.seat != event.seat:
        return refusal("not_yours", "T.freeze", "This is not yours to do.")
    assert history.state is not None
    if not 1 <= event.seat <= len(history.state.players):
        return refusal("no_such_seat", "T.freeze", "No one plays at seat {seat}.", seat=event.seat)
    if history.frozen:
        return refusal("frozen_already", "T.freeze", "The game is paused already.")
    return _paused_refusal() if history.paused else None


def _check_pause(history: History, _event: Paused, author: Author) -> Refusal | None:
    if not author.is_host:
        return refusal("not_yours", "T.pause", "This is not yours to do.")
    if history.is_over:
        return refusal("over", "T.pause", "This game is over already.")
    return _paused_refusal() if history.paused else None


def _check_thaw(history: History, _event: Thawed, author: Author) -> Refusal | None:
    """Let only the host end a pause."""
    if history.paused:
        return None if author.is_host else _paused_refusal()
    if history.frozen:
        return None
    return refusal("not_frozen", "T.freeze", "The game is not paused.")


def _check_end(history: History, _event: Ended, author: Author) -> Refusal | None:
    if not author.is_host:
        return refusal("not_yours", "T.end", "This is not yours to do.")
    if history.is_over:
        return refusal("over", "T.end", "This game is over already.")
    return None


def _check_clearing(history: History, _event: Cleared, author: Author) -> Refusal | None:
    if not author.is_host:
        return refusal("not_yours", "T.end", "This is not yours to do.")
    if not history.is_over:
        return refusal("under_way", "T.end", "A game is under way.")
    return None


CHECKS: dict[type[Event], Callable[[History, Any, Author], Refusal | None]] = {
    Undone: _check_undo,
    Corrected: _check_correction,
    Found: _check_found,
    Counted: _check_counted,
    Settled: _check_place,
    PlaceChosen: _check_place,
    Frozen: _check_freeze,
    Paused: _check_pause,
    Thawed: _check_thaw,
    Ended: _check_end,
    Cleared: _check_clearing,
}
