"""The PIN and the host's sessions as a model: what an order of all calls must explain.

Laws: a PIN that was made counts until the next one is made; with it all sessions but that of its
maker end. A browser that signed in is in until it signs out, all are signed out or a PIN is made,
whatever becomes of the companion meanwhile; one that signed out is out.
"""

from collections.abc import Callable, Iterator

from bench.nemesis.attempts import OK, REFUSED, UNKNOWN, Attempt
from bench.nemesis.linear import Call, find_contradictions

House = tuple[str, frozenset[str]]
"""The digits of the PIN, and who is signed in."""
SAYS_NOTHING = ("http_429", "http_403", "http_400", "pin_wait", "down")
BY_HOST = ("host_read", "sign_out", "sign_out_all", "new_pin", "free", "take", "table_ask", "begin")
"""What only a browser may do that is signed in."""
Effect = Callable[[House], House]


def check_host(attempts: list[Attempt]) -> list[str]:
    """Return every answer about the PIN and its sessions that no order explains."""
    calls = list(host_calls(attempts))
    wrong = find_contradictions(calls, ("", frozenset()))
    return [describe_loss(each.source, attempts) for each in wrong]  # type: ignore[arg-type]


def describe_loss(attempt: Attempt, attempts: list[Attempt]) -> str:
    """Return the call that nothing explains, and what was said about the host just before."""
    before = [each for each in attempts if each.invoked < attempt.returned and each.kind in EFFECTS]
    trace = " ".join(map(str, before[-4:]))
    return f"host: {attempt} fits nothing that was answered before: {trace}"


def host_calls(attempts: list[Attempt]) -> Iterator[Call[House]]:
    """Yield what each attempt says about the PIN and the sessions."""
    for attempt in attempts:
        if attempt.code in SAYS_NOTHING or attempt.kind not in (*BY_HOST, *EFFECTS):
            continue
        if attempt.kind in EFFECTS:
            yield _make_call(attempt, EFFECTS[attempt.kind](attempt))
        elif attempt.outcome != UNKNOWN:
            yield _make_call(attempt, _stay)


def _make_call(attempt: Attempt, effect: Effect) -> Call[House]:
    is_known = attempt.outcome != UNKNOWN

    def leads_to(house: House) -> tuple[House, ...]:
        if not _fits(attempt, house):
            return ()
        return (house if attempt.outcome == REFUSED else effect(house),)

    def as_told(house: House) -> House:
        return _as_told(attempt, house, effect)

    return Call(attempt.invoked, attempt.latest, is_known, leads_to, as_told, attempt)


def _fits(attempt: Attempt, house: House) -> bool:
    """Return whether this answer can have been given by this house."""
    pin, signed_in = house
    if attempt.kind == "pin_made":
        return True
    if attempt.kind == "sign_in":
        is_right: bool = attempt.sent["pin"] == pin
        return is_right != (attempt.code == "wrong_pin")
    return (attempt.client in signed_in) != (attempt.code == "not_host")


def _as_told(attempt: Attempt, house: House, effect: Effect) -> House:
    pin, signed_in = house
    if attempt.kind == "sign_in" and attempt.outcome == OK:
        return attempt.sent["pin"], signed_in | {attempt.client}
    if attempt.code == "wrong_pin":
        return "", signed_in
    if attempt.code == "not_host":
        return pin, signed_in - {attempt.client}
    seen = pin, signed_in | {attempt.client}
    return effect(seen) if attempt.outcome == OK else seen


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
