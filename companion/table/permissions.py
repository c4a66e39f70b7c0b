"""Permissions: checks a request's author and event before anything is written.

Laws: a refusal is one sentence with a stable code and a rule, and leaves everything as it was. A
seat speaks for itself; what the table decides together any player may tap, in sight of all, and the
line of the journal names the device. A spectator may do nothing. A request counts once, however
often it arrives: the journal keeps its key with the event that was written for it. One made on a
screen that no longer shows the question is refused with the news since then; an event of another
seat in between does not make a question old.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from companion.core import table_events
from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Opened, Resealed, Sealed, Started, to_json
from companion.core.i18n import N_
from companion.core.sweep import Revealing
from companion.games.commit_reveal import is_closed_again
from companion.games.correction_rules import count_difference, refuse_counted
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRow, AnyRulebook
from companion.journal import Journal
from companion.table.history import History, history_at, look_ahead, replay_moments
from companion.table.putting_right import check_correction, check_target, is_own_last, was_card_seen
from companion.table.renamed_cards import named_cards
from companion.table.view import log_entries

TABLE_DEVICE = "table"
"""The device of requests for the whole table: the host's page, or the command line."""

NEWS_ENTRIES = 3
"""Most entries of news in the refusal of a request that comes too late."""

MAX_RESEALS = 8
"""Most times that a seat may close its hand again, or have all hands closed again, in one round."""


class Author(msgspec.Struct, frozen=True):
    """The author of a request: a seat (0 for none), and the device."""

    seat: int
    via: str

    @property
    def is_reader(self) -> bool:
        """Return whether this is a reader, which reports and does not ask."""
        return self.seat == 0 and self.via.startswith("reader ")

    @property
    def is_host(self) -> bool:
        """Return whether this is the host, who speaks for the table as a whole."""
        return self.seat == 0 and self.via == TABLE_DEVICE


HOST_AUTHOR = Author(0, TABLE_DEVICE)


def check_request(history: History, event: Event, author: Author) -> Refusal | None:
    """Return the reason this cannot happen now, or not through this author; None if it may."""
    rules, state = history.rules, history.state
    if state is None:
        return refusal("not_started", rules.start_rule, "No game has been started yet.")
    if author.seat > len(state.players):
        text = "No one plays at seat {seat}."
        return refusal("no_such_seat", rules.start_rule, text, seat=author.seat)
    if isinstance(event, table_events.AMENDMENTS):
        return _check_amendment(history, event, author)
    row = rules.find_row(state, type(event))
    refused = check_author(author, row, state, event) if row else None
    return check_running(history) or refused or rules.refuse(state, event)


def check_start(history: History, event: Started, author: Author) -> Refusal | None:
    """Return the reason this game cannot begin, or not through this author; None if it may."""
    rules = history.rules
    if not author.is_host:
        return refusal("not_yours", rules.start_rule, "This is not yours to do.")
    return check_no_open_game(history) or rules.refuse(None, event)


def check_new_id(journal: Journal, event: Started, rules: AnyRulebook) -> Refusal | None:
    """Refuse an id that was used before, or old seals would fit again."""
    text = "A different game of the id {field} is in the journal already."
    is_used = journal.has_game(event.id)
    return refusal("id", rules.start_rule, text, field=event.id) if is_used else None


def check_no_open_game(history: History, rule: str = "") -> Refusal | None:
    """Refuse while a game is being played."""
    if history.is_over:
        return None
    return refusal("under_way", rule or history.rules.start_rule, "A game is under way.")


def check_running(history: History) -> Refusal | None:
    """Refuse while nothing may be played: ended, paused, or the judge is called."""
    if history.ended:
        return refusal("ended", history.rules.end_rule, "The table has ended this game.")
    if history.paused:
        return _refuse_paused()
    if history.frozen:
        assert history.state is not None
        who = [p.name for p in history.state.players[history.frozen - 1 : history.frozen]]
        text = "{who} has called the judge. The game is paused."
        return refusal("frozen", "T.freeze", text, who=who)
    return None


def _refuse_paused() -> Refusal:
    text = "The host has paused the game, and only the host can resume it."
    return refusal("paused", "T.pause", text)


def check_author(author: Author, row: AnyRow, state: GameState, event: Event) -> Refusal | None:
    """Return the reason this author cannot speak for this event; None if they can.

    A reader reports cards at places, and no more. What a hand holds that cannot open only the host
    enters.
    """
    seat = getattr(event, "seat", None)
    match row.who:
        case "active" | "each":
            mine = author.seat == (state.active if seat is None else seat)
            speaks = mine or (author.is_reader and row.who == "active")
        case "anyone":
            speaks = author.seat > 0 or author.is_reader or author.is_host
        case "table":
            speaks = author.is_host or (author.seat > 0 and seat is None)
        case "reader":
            speaks = author.is_reader
    return None if speaks else refusal("not_yours", row.rule, "This is not yours to do.")


def check_seat(history: History, event: Event, author: Author) -> Refusal | None:
    """Refuse a seat the rights of the host: to take back more than its own last moment, or to have
    hands closed again more than MAX_RESEALS times a round.

    Only requests are checked: a journal or record that holds more of them is replayed all the same.
    """
    if author.is_host:
        return None
    if isinstance(event, table_events.Undone | table_events.Corrected):
        if is_own_last(history, event.target, author.seat):
            return None
        rule = "T.undo" if isinstance(event, table_events.Undone) else "T.correct"
        return refusal("for_the_host", rule, FOR_THE_HOST)
    if isinstance(event, Resealed) and _count_in_round(history, event, author) >= MAX_RESEALS:
        return refusal("for_the_host", "S.reseal", FOR_THE_HOST)
    is_again = is_closed_again(history.state, event)
    if not is_again or _count_in_round(history, event, author) <= MAX_RESEALS:
        return None
    text = "You have changed your choice {n} times in this round. It stays as it is now."
    return refusal("closed_too_often", "S.seal", text, n=MAX_RESEALS)


FOR_THE_HOST = N_(
    "Only the host can do that now. Hold your seat's button for six seconds to become the host, or "
    "ask the host."
)


def _count_in_round(history: History, event: Event, author: Author) -> int:
    """Count a seat's seals, or its orders to seal again, since the game went on."""
    asked = 0
    for moment in reversed(history.moments):
        if isinstance(moment.event, type(event)):
            asked += moment.via == author.via
        elif not isinstance(moment.event, (Sealed, Opened, Resealed, *table_events.AMENDMENTS)):
            break
    return asked


def check_hidden_card(history: History, event: Event, author: Author) -> Refusal | None:
    """Refuse to name a face-down card: the to-do that follows would tell if it was so.

    A player may name a card from the own hand, and the table the card turned up just now.
    """
    if author.is_reader or not _names_hidden_card(history, event):
        return None
    text = "Only a reader names a card that lies face down."
    return refusal("face_down", "T.hidden", text)


def _names_hidden_card(history: History, event: Event) -> bool:
    rules, state = history.rules, history.state
    if isinstance(event, table_events.Corrected):
        return _corrects_hidden_card(history, event)
    if state is None or hasattr(event, "seat") or isinstance(event, Revealing):
        return False
    sweep = rules.current_sweep(state)
    if isinstance(event, table_events.Found) and sweep is not None and sweep.place == event.place:
        return False
    if not any(named_cards(event)):
        return False
    page = look_ahead(history, event)
    hidden = rules.face_down(page.after) if page.stands and page.after is not None else ()
    named = zip(named_cards(event), page.spots, strict=False)
    return any(name is not None and spot in hidden for name, spot in named)


def _corrects_hidden_card(history: History, event: table_events.Corrected) -> bool:
    """Return whether a correction names a card of its moment that no one has seen."""
    names = event.instead.get("cards") or [event.instead.get("card")]
    pages = list(replay_moments(history))
    n = next((n for n, page in enumerate(pages) if page.moment.at == event.target), None)
    return n is not None and any(
        name is not None and not was_card_seen(history, pages, n, which)
        for which, name in enumerate(names)
    )


# Amendments.


def _check_amendment(history: History, event: Event, author: Author) -> Refusal | None:
    if author.seat == 0 and not author.is_host:
        return refusal("not_yours", "T.amend", "This is not yours to do.")
    if history.cleared:
        return refusal("cleared", "T.end", "This game has been put away.")
    refused = CHECKS[type(event)](history, event, author)
    instead = event.instead.get("reason", "") if isinstance(event, table_events.Corrected) else ""
    return refused or _check_reason(getattr(event, "reason", "")) or _check_reason(instead)


def _check_reason(reason: object) -> Refusal | None:
    """Refuse free text, which could hold a name."""
    if reason == "" or reason in table_events.REASONS:
        return None
    return refusal("reason", "T.amend", "The field “{field}” cannot be read.", field="reason")


def _check_found(history: History, event: table_events.Found, _author: Author) -> Refusal | None:
    if history.is_over:
        return _refuse_over("T.todo")
    return history.rules.corrections.refuse_found(history.state, event)


def _check_place(
    history: History, event: table_events.Settled | table_events.PlaceChosen, _author: Author
) -> Refusal | None:
    if event.place in history.rules.expected_cards(history.state):
        return None
    text = "No card of this game lies at place {place}."
    return refusal("no_such_place", "T.todo", text, place=event.place)


def _check_thaw(history: History, _event: table_events.Thawed, author: Author) -> Refusal | None:
    """Let only the host end a pause."""
    if history.paused:
        return None if author.is_host else _refuse_paused()
    if history.frozen:
        return None
    return refusal("not_frozen", "T.freeze", "The game is not paused.")


def _check_hosts_act(
    history: History,
    event: table_events.Paused | table_events.Ended | table_events.Cleared,
    author: Author,
) -> Refusal | None:
    rule = "T.pause" if isinstance(event, table_events.Paused) else "T.end"
    if not author.is_host:
        return refusal("not_yours", rule, "This is not yours to do.")
    if isinstance(event, table_events.Cleared):
        return check_no_open_game(history, rule)
    if history.is_over:
        return _refuse_over(rule)
    return _refuse_paused() if isinstance(event, table_events.Paused) and history.paused else None


def _refuse_over(rule: str) -> Refusal:
    return refusal("over", rule, "The game is over.")


def _check_counted(history: History, event: table_events.Counted, author: Author) -> Refusal | None:
    if author.seat != event.seat:
        return refusal("not_yours", "T.count", "This is not yours to do.")
    owned = history.rules.corrections.count_own(history.state, event.seat)
    refused = refuse_counted(owned, event)
    if refused is None and event.more not in ({}, count_difference(owned, event)):
        text = "The table works out the difference itself."
        return refusal("not_difference", "T.count", text)
    return refused


def complete_event(history: History, event: Event) -> Event:
    """Return a granted event with what the table works out: the difference that a count makes."""
    if not isinstance(event, table_events.Counted):
        return event
    owned = history.rules.corrections.count_own(history.state, event.seat)
    return msgspec.structs.replace(event, more=count_difference(owned, event))


def _check_freeze(history: History, event: table_events.Frozen, author: Author) -> Refusal | None:
    if author.seat != event.seat:
        return refusal("not_yours", "T.freeze", "This is not yours to do.")
    if not event.seat:
        return refusal("no_such_seat", "T.freeze", "No one plays at seat {seat}.", seat=event.seat)
    if history.frozen:
        return refusal("frozen_already", "T.freeze", "The game is paused.")
    return _refuse_paused() if history.paused else None


CHECKS: dict[type[Event], Callable[[History, Any, Author], Refusal | None]] = {
    table_events.Undone: lambda history, event, _: check_target(history, event),
    table_events.Corrected: lambda history, event, _: check_correction(history, event),
    table_events.Found: _check_found,
    table_events.Counted: _check_counted,
    table_events.Settled: _check_place,
    table_events.PlaceChosen: _check_place,
    table_events.Frozen: _check_freeze,
    table_events.Thawed: _check_thaw,
    table_events.Paused: _check_hosts_act,
    table_events.Ended: _check_hosts_act,
    table_events.Cleared: _check_hosts_act,
}


# Repeated, late, or made on an old screen.


def scope_key(author: Author, key: str) -> str:
    """Return the key of a request with its device, as the journal keeps it."""
    return f"{author.via} {key}" if key else ""


def check_repeated(
    journal: Journal, author: Author, key: str, event: Event
) -> tuple[bool, Refusal | None]:
    """Return whether this request was granted before, or that its key belongs to another
    one."""
    if not key:
        return False, None
    written = journal.find_request(scope_key(author, key))
    if written is None or _is_same_request(written, event):
        return written is not None, None
    text = "This key belongs to another request."
    return False, refusal("key_used", "T.stale", text)


def _is_same_request(written: bytes, event: Event) -> bool:
    """Return whether a line was written for this event; a settled question may be written as found
    cards."""
    if not isinstance(event, table_events.Settled) or event.way != "cards":
        return written == to_json(event)
    found = msgspec.json.decode(written)
    return (found["event"], found.get("place")) == ("found", event.place)


def check_stale(
    history: History, event: Event, author: Author, version: int | None
) -> Refusal | None:
    """Refuse if the view version is old and the question no longer open."""
    if version is None or version == history.at or isinstance(event, table_events.AMENDMENTS):
        return None
    state = history.state
    if state is None:
        return None
    before = history_at(history, version).state if version < history.at else None
    if before is not None and _is_same_question(history, before, event, author):
        return None
    since = [one.say for one in log_entries(history, NEWS_ENTRIES) if one.at > version]
    text = "Too late: the game has gone on. {news} Now: {title}"
    return refusal("stale", "T.stale", text, news=since, title=history.rules.describe_phase(state))


def _is_same_question(
    history: History, asked_state: GameState, event: Event, author: Author
) -> bool:
    """Return whether the game asks the same of this seat now as it did before."""
    rules, now = history.rules, history.state
    if now is None:
        return False
    row, was = (rules.find_row(state, type(event)) for state in (now, asked_state))
    if row is None or row is not was or asked_state.hands.round != now.hands.round:
        return False
    then, still = (row.offered_choices(state, author.seat) for state in (asked_state, now))
    return asked_state.active == now.active and then == still
