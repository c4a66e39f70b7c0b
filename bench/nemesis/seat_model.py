"""The seats as a model: who holds which, as calls that an order must explain.

Law: a seat that was granted is held until it is given up, given away or freed, whatever becomes of
the companion meanwhile. A request that came twice may have had its effect once or, after a restart,
once more; never none.
"""

from collections.abc import Callable, Iterator

from bench.nemesis.attempts import OK, REFUSED, Attempt, group_by_key, trace_back
from bench.nemesis.calls import Call
from bench.nemesis.linear import find_contradictions

SEATS = 4
Holders = tuple[str, ...]
"""The client at each seat; empty where it is free."""
FREE: Holders = ("",) * SEATS
SAYS_NOTHING = ("http_429", "http_403", "http_400", "no_cookie", "not_host", "down", "not_written")
"""Refusals that say nothing about who holds it."""
Effect = Callable[[Holders], Holders]
Check = Callable[[Holders], bool]


def check_seats(attempts: list[Attempt]) -> list[str]:
    """Return every answer about seats that no order explains."""
    calls = list(seat_calls(attempts))
    wrong = find_contradictions(calls, FREE)
    return [describe_loss(each.source, attempts) for each in wrong]  # type: ignore[arg-type]


def describe_loss(attempt: Attempt, attempts: list[Attempt]) -> str:
    """Return the call that nothing explains, and what was granted about this seat before."""

    def is_about(each: Attempt) -> bool:
        is_own = each.client == attempt.client and each.kind == "sit"
        return each.kind in EFFECTS and (each.seat == attempt.seat or is_own)

    own = f" own={attempt.answer['own']}" if attempt.kind == "join" else ""
    trace = trace_back(attempts, attempt, is_about)
    return f"seat: {attempt}{own} fits nothing that was granted before: {trace}"


def seat_calls(attempts: list[Attempt]) -> Iterator[Call[Holders]]:
    """Yield what each attempt says about the seats.

    Of a request that was sent several times, the one that was granted first had its effect, or one
    before it in the same life of the companion. Another one may have had it as well, but only once
    in each life: then the companion knows the key.
    """
    groups = group_by_key(attempts)
    granted = {key: _first_granted(group) for key, group in groups.items()}
    copies = set[tuple[str, float]]()
    for attempt in attempts:
        effect = EFFECTS.get(attempt.kind)
        if attempt.code in SAYS_NOTHING:
            continue
        if effect is None or attempt.outcome == REFUSED:
            check = _check_answer(attempt)
            if check is not None:
                yield _make_call(attempt, check, _stay, attempt.invoked)
        elif granted[attempt.key] is attempt:
            begun = min(each.invoked for each in groups[attempt.key] if _may_be_it(each, attempt))
            yield _make_call(attempt, _needs(attempt), effect(attempt), begun)
        elif (attempt.key, attempt.latest) not in copies:
            copies.add((attempt.key, attempt.latest))
            yield _make_call(attempt, _needs(attempt), effect(attempt), attempt.invoked, False)


def _may_be_it(copy: Attempt, granted: Attempt) -> bool:
    """Return whether this copy may have had the effect for which the other one was granted.

    A companion knows only the keys of its own life: what was over before is another effect.
    """
    return copy.latest >= granted.invoked


def _first_granted(group: list[Attempt]) -> Attempt | None:
    granted = [attempt for attempt in group if attempt.outcome == OK]
    return min(granted, key=lambda attempt: attempt.returned, default=None)


def _make_call(
    attempt: Attempt, check: Check, effect: Effect, begun: float, is_known: bool = True
) -> Call[Holders]:
    def leads_to(holders: Holders) -> tuple[Holders, ...]:
        return (effect(holders),) if check(holders) else ()

    def as_told(holders: Holders) -> Holders:
        return _as_told(attempt, holders, effect)

    alike = attempt.kind, attempt.client, attempt.seat
    return Call(begun, attempt.latest, is_known, leads_to, as_told, attempt, effect is _stay, alike)


def _as_told(attempt: Attempt, holders: Holders, effect: Effect) -> Holders:
    """Return the holders as an answer says that they are."""
    if attempt.kind == "join":
        own = attempt.answer["own"]
        return tuple(
            attempt.client if seat in own else "" if who == attempt.client else who
            for seat, who in enumerate(holders, 1)
        )
    if attempt.kind in EFFECTS and attempt.outcome == OK:
        return effect(holders)
    if attempt.code == "not_your_seat":
        who = holders[attempt.seat - 1]
        return _put("", attempt.seat)(holders) if who == attempt.client else holders
    who = "somebody" if attempt.code == "seat_taken" else attempt.client
    return _put(who, attempt.seat)(holders)


# What requests do.


def _put(client: str, seat: int) -> Effect:
    return lambda holders: (*holders[: seat - 1], client, *holders[seat:])


def _sit(attempt: Attempt) -> Effect:
    """A browser that sits down leaves the seats that it had."""

    def effect(holders: Holders) -> Holders:
        left = tuple("" if who == attempt.client else who for who in holders)
        return _put(attempt.client, attempt.seat)(left)

    return effect


EFFECTS: dict[str, Callable[[Attempt], Effect]] = {
    "sit": _sit,
    "stand": lambda attempt: _put("", attempt.seat),
    "free": lambda attempt: _put("", attempt.seat),
    "take": lambda attempt: _put(attempt.client, attempt.seat),
}


# What answers say.


def _holds(attempt: Attempt) -> Check:
    return lambda holders: holders[attempt.seat - 1] == attempt.client


def _stay(holders: Holders) -> Holders:
    return holders


def _needs(attempt: Attempt) -> Check:
    """Return what must hold for this to be granted; a host may do as they like."""
    if attempt.kind == "stand":
        return _holds(attempt)
    if attempt.kind != "sit":
        return lambda _: True
    return lambda holders: holders[attempt.seat - 1] in ("", attempt.client)


def _check_answer(attempt: Attempt) -> Check | None:
    """Return what an answer without an effect says about the seats."""
    seat, client, is_own = attempt.seat - 1, attempt.client, _holds(attempt)
    if attempt.kind == "join" and attempt.outcome == OK:
        own = set(attempt.answer["own"])
        return lambda holders: own == {n for n, who in enumerate(holders, 1) if who == client}
    if attempt.code == "not_your_seat":
        return lambda holders: not is_own(holders)
    if attempt.code == "seat_taken":
        return lambda holders: holders[seat] not in ("", client)
    if attempt.kind in ("seat_view", "ask", "deal") and attempt.outcome in (OK, REFUSED):
        return is_own
    return None
