"""The PIN and the host's sessions as a model: what an order of all calls must explain.

Laws: a PIN that was made counts until the next one is made; with it all sessions but that of its
maker end. A browser that signed in is in until it signs out, all are signed out or a PIN is made,
whatever becomes of the companion meanwhile; one that signed out is out.
"""

from collections.abc import Callable, Iterator

from bench.nemesis.attempts import OK, REFUSED, UNKNOWN, Attempt, trace_back
from bench.nemesis.calls import Call
from bench.nemesis.linear import find_contradictions

House = tuple[str, frozenset[str]]
"""The digits of the PIN, and who is signed in."""
UNPROVEN = ("unknown_key", "bad_signature", "counter_used", "not_written")
"""Refusals that may come before the PIN or the session is looked at: nothing was proven to come
from this browser, or a disk did not take the ceiling of its counter."""
SAYS_NOTHING = ("http_429", "http_403", "http_400", "pin_wait", "down", *UNPROVEN)
BY_HOST = ("host_read", "sign_out", "sign_out_all", "new_pin", "free", "take", "table_ask", "begin")
"""What only a browser may do that is signed in."""
Effect = Callable[[House], House]


def check_host(attempts: list[Attempt]) -> list[str]:
    """Return every answer about the PIN and its sessions that no order explains."""
    calls = list(host_calls(attempts))
    wrong = find_contradictions(calls, ("", frozenset()))
    return [describe_loss(each.source, attempts) for each in wrong]  # type: ignore[arg-type]


def check_printed_pins(attempts: list[Attempt]) -> Iterator[str]:
    """Yield every PIN that a start printed although nobody had made it: the true one was lost."""
    made = [each for each in attempts if each.kind in ("new_pin", "pin_made")]
    known = {each.answer["pin"] for each in made if each.outcome == OK}
    for printed in attempts:
        if printed.kind == "pin_printed" and printed.answer["pin"] not in known:
            open_ones = (e for e in made if e.outcome == UNKNOWN and e.invoked < printed.invoked)
            if not any(each.latest >= printed.invoked for each in open_ones):
                yield f"the PIN was forgotten: another one was made at {printed}"


def describe_loss(attempt: Attempt, attempts: list[Attempt]) -> str:
    """Return the call that nothing explains, and what was granted about the host before."""
    trace = trace_back(attempts, attempt, lambda each: each.kind in EFFECTS)
    return f"host: {attempt} fits nothing that was granted before: {trace}"


def host_calls(attempts: list[Attempt]) -> Iterator[Call[House]]:
    """Yield what each attempt says about the PIN and the sessions.

    That a browser is signed in is checked when its request comes in; what it asks for happens then
    or a moment later, so these are two calls. A PIN is checked and its browser signed in at once.
    """
    for attempt in attempts:
        if attempt.code in SAYS_NOTHING:
            continue
        if attempt.kind in BY_HOST and attempt.outcome != UNKNOWN:
            yield _make_call(attempt, _is_checked, _stay)
        if attempt.kind in EFFECTS and attempt.outcome != REFUSED:
            yield _make_call(attempt, _has_pin, EFFECTS[attempt.kind](attempt))
        elif attempt.kind == "sign_in":
            yield _make_call(attempt, _has_pin, _stay)


def _make_call(
    attempt: Attempt, fits: Callable[[Attempt, House], bool], effect: Effect
) -> Call[House]:
    def leads_to(house: House) -> tuple[House, ...]:
        return (effect(house),) if fits(attempt, house) else ()

    def as_told(house: House) -> House:
        return _as_told(attempt, house, effect)

    is_known = attempt.outcome != UNKNOWN
    begun, ended, is_read = attempt.invoked, attempt.latest, effect is _stay
    alike = attempt.kind, attempt.client, attempt.sent.get("pin", attempt.key)
    return Call(begun, ended, is_known, leads_to, as_told, attempt, is_read, alike)


def _is_checked(attempt: Attempt, house: House) -> bool:
    """Return whether this house lets the browser in, or keeps it out, as it was answered."""
    return (attempt.client in house[1]) != (attempt.code == "not_host")


def _has_pin(attempt: Attempt, house: House) -> bool:
    """Return whether the digits are right or wrong, as it was answered."""
    is_wrong: bool = attempt.kind == "sign_in" and attempt.sent["pin"] != house[0]
    return is_wrong == (attempt.code == "wrong_pin")


def _as_told(attempt: Attempt, house: House, effect: Effect) -> House:
    """Return the house as an answer says that it is."""
    pin, signed_in = house
    if attempt.kind == "sign_in":
        digits = attempt.sent["pin"] if attempt.outcome == OK else ""
        return effect((digits, signed_in))
    if attempt.code == "not_host":
        return pin, signed_in - {attempt.client}
    return effect((pin, signed_in | {attempt.client}))


# What requests do.


def _stay(house: House) -> House:
    return house


def _sign_in(attempt: Attempt) -> Effect:
    return lambda house: (house[0], house[1] | {attempt.client})


def _sign_out(attempt: Attempt) -> Effect:
    return lambda house: (house[0], house[1] - {attempt.client})


def _sign_all_out(_attempt: Attempt) -> Effect:
    return lambda house: (house[0], frozenset())


def _renew_pin(attempt: Attempt) -> Effect:
    """A PIN whose answer was lost is one that nobody knows."""
    digits = attempt.answer["pin"] if attempt.outcome == OK else f"lost {attempt.key}"
    return lambda _house: (digits, frozenset({attempt.client}))


EFFECTS: dict[str, Callable[[Attempt], Effect]] = {
    "sign_in": _sign_in,
    "sign_out": _sign_out,
    "sign_out_all": _sign_all_out,
    "new_pin": _renew_pin,
    "pin_made": _renew_pin,
}
