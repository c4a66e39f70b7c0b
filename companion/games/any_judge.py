"""The judge of a game that brings none: its cases are the game as it stood before a verdict.

Laws: nothing is resolved here. A case is put together to a state of the game, and its hands are
closed and opened, or its last move is made, by the rule book itself. A case made at a table tells
what everyone could see, and all of it once the game is over; it is offered only if it leads to the
verdict that it was made of. What a case leaves out is as it was when the game began.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from random import Random
from string import Formatter
from typing import Any

import msgspec

from companion.core.commitment import fresh_hands, make_seal
from companion.core.errors import Malformed, Refusal
from companion.core.events import Deciding, Entered, Event, Opened, Value
from companion.core.hand_choice import HandChoice, NumberChoice, OneChoice
from companion.core.i18n import N_
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games.any_cases import StateTypes, case_types, shape_of
from companion.games.disputes import NoDisputes, is_new_verdict
from companion.games.game_state import GameState
from companion.games.open_table import name_field
from companion.games.random_game import RandomGame
from companion.games.rulebook import AnyRulebook
from companion.judge.fields import (
    NO_CASES,
    Case,
    GameJudge,
    check_all_players,
    check_by_player,
    check_choice,
    check_fields,
    check_house_rules,
    check_int,
    check_list,
    check_object,
    check_players,
    shorten,
)

NONCE = "0" * 32
MOST_EVENTS = 400
"""So many events are played in search of an example."""

UNFIT = N_("{field}: {value} does not fit this game.")
UNDECIDED = N_("{field}: the rules of this game do not decide such a case.")
NO_VERDICT = N_("{field}: this brings no verdict.")
NO_END = N_("{field}: the game does not end with this round.")


def derive_judge(rules: AnyRulebook) -> GameJudge:
    """Return a judge with an example of each kind; NO_CASES for a game that says itself how its
    verdicts are disputed, and for one in whose code a game at random goes wrong."""
    if not isinstance(rules.dispute_rules, NoDisputes):
        return NO_CASES
    try:
        examples, shape = _find_examples(rules)
        cases = case_types(rules.box.game, examples, shape)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 -- A stranger's code may raise whatever it likes.
        return NO_CASES
    kinds = {kind: partial(DECISIONS[kind], rules) for kind in examples}
    return GameJudge(kinds, examples, cases, sparse=frozenset({"funds", "table", "move"}))


def _find_examples(rules: AnyRulebook) -> tuple[dict[str, JsonObject], StateTypes]:
    """Return the first verdict of a game at random as a case, the score at its end, and what they
    are made of."""
    players = rules.box.players
    played = RandomGame(rules, max(players.least, min(3, players.most)), Random("example"))
    played.play_to_end(MOST_EVENTS)
    found = dict[str, JsonObject]()
    for (before, after), event in zip(pairwise(played.states), played.events[1:], strict=True):
        for kind in _new_verdicts(before, after):
            case = None if kind in found else describe_case(rules, before, event, after, kind, True)
            if case is not None:
                found[kind] = case
    return found, shape_of(played.state)


def _new_verdicts(before: GameState, after: GameState) -> Iterator[str]:
    for kind in ("verdict", "score"):
        if is_new_verdict(before, after, kind):
            yield kind


# From the table to a case.


def describe_case(
    rules: AnyRulebook,
    before: Any,
    event: Event,
    after: Any,
    kind: str,
    shown: bool,
) -> JsonObject | None:
    """Return a new verdict as a case, of all that everyone could see or of all there was; None if
    that does not lead to the same verdict."""
    if not isinstance(rules.dispute_rules, NoDisputes):
        return None
    case = _write_case(rules, before, event, kind, shown)
    try:
        found = DECISIONS[kind](rules, case)
    except Malformed:
        return None
    return case if _without_proof(found) == _without_proof(getattr(after, kind)) else None


def _write_case(
    rules: AnyRulebook, before: GameState, event: Event, kind: str, shown: bool
) -> JsonObject:
    names = [player.name for player in before.players]
    shape = shape_of(before)
    table = shape.table.keys() if shown else _open_table_fields(rules, before)
    fortune = (
        shape.fortune.keys()
        if shown
        else {*map(name_field, rules.open_fields), *rules.known_fields}
    )
    case: JsonObject = {"game": rules.box.game, "kind": kind, "players": names}
    case["active"] = names[before.active - 1]
    case["table"] = _plain_fields(before, [name for name in shape.table if name in table])
    owned = [name for name in shape.fortune if name in fortune]
    if owned:
        case["funds"] = {one.name: _plain_fields(one, owned) for one in before.players}
    if isinstance(event, Opened | Entered):
        hands = before.hands.open(event.seat, event.value)
        case["hands"] = dict(zip(names, hands.values, strict=True))
    else:
        case["move"] = _write_move(rules, before, event, shown)
    if before.house_rules:
        case["house_rules"] = dict(before.house_rules)
    written: JsonObject = msgspec.json.decode(msgspec.json.encode(case))
    return {name: value for name, value in written.items() if value != {}}


def _open_table_fields(rules: AnyRulebook, state: GameState) -> set[str]:
    """Return the fields of the state that lie open, that the sentence of its phase says as they
    are, or that everyone knows."""
    said = rules.describe_phase(state).facts
    told = {name for name, value in said.items() if getattr(state, name, None) == value}
    return {*map(name_field, rules.table_fields), *rules.known_fields, *told}


def _plain_fields(holder: object, names: list[str]) -> JsonObject:
    found: JsonObject = msgspec.to_builtins({name: getattr(holder, name) for name in names})
    return found


def _write_move(rules: AnyRulebook, before: GameState, event: Event, shown: bool) -> JsonObject:
    """Return a move: what was done, by whom, in which phase if that is not clear, and of the rest
    what its sentence says, or all."""
    name = str(event.__struct_config__.tag)
    move: JsonObject = {"do": name}
    if len(_phases_of(rules, name)) > 1:
        move["phase"] = before.phase
    plain = msgspec.to_builtins(event)
    if "seat" in plain:
        move["who"] = before.players[plain["seat"] - 1].name
    said = {name for _, name, _, _ in Formatter().parse(event.sentence) if name}
    own = (name for name in plain if name not in ("event", "seat", "covered"))
    return move | {name: plain[name] for name in own if shown or name in said}


def _phases_of(rules: AnyRulebook, do: str) -> list[str]:
    return [row.phase for row in rules.rows if row.event_name == do]


def _without_proof(verdict: Verdict) -> object:
    """Return a verdict without the step that says what was entered and not proven."""
    steps = tuple(step for step in verdict.steps if step.rule != "S.enter")
    return msgspec.structs.replace(verdict, steps=steps)


# From a case to the verdict.


def decide_verdict(rules: AnyRulebook, case: Case) -> Verdict:
    """Return the verdict that the hands of a case bring, or its move; raise Malformed."""
    return _decide(rules, case, "verdict", NO_VERDICT)


def decide_score(rules: AnyRulebook, case: Case) -> Verdict:
    """Return the score that the last round of a game brings; raise Malformed."""
    return _decide(rules, case, "score", NO_END)


DECISIONS = {"verdict": decide_verdict, "score": decide_score}


def _decide(rules: AnyRulebook, case: Case, field: str, otherwise: str) -> Verdict:
    names = check_players(check_list(case["players"], "players"), "players", rules.box)
    try:
        before = _build_state(rules, case, names)
        after = _open_hands(rules, before, case, names) if "hands" in case else (
            _make_move(rules, before, case, names)
        )  # fmt: skip
    except Malformed:
        raise
    except Exception as error:  # A stranger's code may raise whatever it likes.
        raise Malformed("table", UNDECIDED) from error
    found: Verdict | None = getattr(after, field)
    if found is None:
        raise Malformed("hands" if "hands" in case else "move", otherwise)
    return found


def _build_state(rules: AnyRulebook, case: Case, names: list[str]) -> object:
    """Return the game as the case has it, all else as it begins."""
    chosen = check_house_rules(case, rules.box)
    start = rules.make_start_event("case", names, house_rules=chosen)
    _raise_refusal(rules.refuse(None, start), "players")
    begun: Any = rules.apply(None, start)
    shape = shape_of(begun)
    table = check_object(case.get("table", {}), "table")
    active = check_choice(case.get("active", names[0]), "active", names)
    return msgspec.structs.replace(
        begun,
        active=names.index(active) + 1,
        players=_build_players(shape, begun, case, names),
        **_read_fields(table, shape.table, "table"),
    )


def _build_players(
    shape: StateTypes, begun: Any, case: Case, names: list[str]
) -> tuple[object, ...]:
    funds = check_by_player(case.get("funds", {}), "funds", names)
    return tuple(
        msgspec.structs.replace(
            player,
            **_read_fields(
                check_object(funds.get(name, {}), f"funds.{name}"), shape.fortune, f"funds.{name}"
            ),
        )
        for name, player in zip(names, begun.players, strict=True)
    )


def _read_fields(given: JsonObject, types: Mapping[str, object], prefix: str) -> JsonObject:
    """Return these fields, each as its struct has it; raise Malformed."""
    check_fields(given, (), tuple(types), prefix=f"{prefix}.")
    return {
        name: _read_field(value, types[name], f"{prefix}.{name}") for name, value in given.items()
    }


def _read_field(value: object, kind: object, field: str) -> object:
    if kind is int:
        return check_int(value, field)
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError):
        raise Malformed(field, UNFIT, value=shorten(value)) from None


def _open_hands(rules: AnyRulebook, state: Any, case: Case, names: list[str]) -> object:
    """Close every hand around what the case has for it, and open them one by one."""
    if not _phases_of(rules, "opened"):
        raise Malformed("hands", N_("{field}: nothing is sealed in this game."))
    hands = check_all_players(case["hands"], "hands", names)
    opening = msgspec.structs.replace(
        state, phase=_phases_of(rules, "opened")[0], hands=fresh_hands(1, len(names))
    )
    events = [
        Opened(seat, _check_hand(rules.hand_choice(opening, seat), hands[name], name), NONCE)
        for seat, name in enumerate(names, 1)
    ]
    seals = [make_seal(state.id, 1, one.seat, one.value, NONCE) for one in events]
    closed = msgspec.structs.replace(opening.hands, seals=tuple(seals))
    after = msgspec.structs.replace(opening, hands=closed)
    for name, event in zip(names, events, strict=True):
        _raise_refusal(rules.refuse(after, event), f"hands.{name}")
        after = rules.apply(after, event)
    return after


def _check_hand(choice: HandChoice | None, value: object, name: str) -> Value:
    """Return what a hand holds if its seat could choose it; raise Malformed."""
    field = f"hands.{name}"
    if isinstance(choice, NumberChoice):
        return check_int(value, field, choice.least, choice.most)
    if isinstance(choice, OneChoice):
        return check_choice(value, field, choice.options)
    held = check_object(value, field)
    known = held if choice is None else choice.most
    check_fields(held, (), tuple(known), prefix=f"{field}.")
    return {what: check_int(held[what], f"{field}.{what}", 0, known[what]) for what in held}


def _make_move(rules: AnyRulebook, state: Any, case: Case, names: list[str]) -> Any:
    """Make the move of the case."""
    if "move" not in case:
        raise Malformed("hands", N_("{field} is missing."))
    move = dict(check_object(case["move"], "move"))
    moves = [row.event_name for row in rules.rows if not issubclass(row.event, Deciding)]
    do = check_choice(move.pop("do", ""), "move.do", dict.fromkeys(moves))
    phases = _phases_of(rules, do)
    phase = check_choice(move.pop("phase", phases[0]), "move.phase", phases)
    seat = names.index(check_choice(move.pop("who", names[0]), "move.who", names)) + 1
    state = msgspec.structs.replace(state, phase=phase)
    try:
        event = rules.make_event(seat, do, move)
    except Malformed as error:
        raise Malformed("move", error.say.text, **error.say.facts) from None
    _raise_refusal(rules.refuse(state, event), "move")
    return rules.apply(state, event)


def _raise_refusal(refused: Refusal | None, field: str) -> None:
    if refused is not None:
        raise Malformed(field, refused.say.text, **{**refused.say.facts, "field": field})
