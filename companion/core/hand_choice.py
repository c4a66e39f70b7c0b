"""Hand choices: what a seat may close its hand around, said by the game before it closes.

Law: what a choice offers opens, and what it does not offer is not sealed: pages, bots and the rules
of opening all ask the same choice. A value has one spelling, without anything at nought.
"""

from collections.abc import Mapping
from typing import assert_never

import msgspec

from companion.core.events import Value


class NumberChoice(msgspec.Struct, frozen=True, tag_field="kind", tag="number"):
    """A whole number between two limits: coins, points."""

    most: int
    least: int = 0


class OneChoice(msgspec.Struct, frozen=True, tag_field="kind", tag="one"):
    """One of several names: a bank, a card of the own hand."""

    options: tuple[str, ...]


class SomeChoice(msgspec.Struct, frozen=True, tag_field="kind", tag="some"):
    """Some of what a seat has, by name: chips of several colours; `total` is the most in all."""

    most: dict[str, int]
    total: int | None = None


HandChoice = NumberChoice | OneChoice | SomeChoice


def is_offered(choice: HandChoice, value: Value) -> bool:
    """Return whether a hand may hold this."""
    match choice:
        case NumberChoice():
            return is_of_kind(choice, value) and value == limit_value(choice, value)
        case OneChoice():
            return value in choice.options
        case SomeChoice():
            return is_of_kind(choice, value) and drop_nothing(value) == limit_value(choice, value)
    assert_never(choice)


def is_of_kind(choice: HandChoice, value: Value) -> bool:
    """Return whether a value could be in a hand of this kind, whatever its seat has."""
    match choice:
        case NumberChoice():
            return type(value) is int and value >= 0
        case OneChoice():
            return isinstance(value, str)
        case SomeChoice():
            return isinstance(value, dict) and all(n >= 0 for n in value.values())
    assert_never(choice)


def limit_value(choice: HandChoice, value: Value) -> Value:
    """Return the offered value closest to one of the right kind."""
    match choice:
        case NumberChoice():
            return min(max(value, choice.least), choice.most) if isinstance(value, int) else 0
        case OneChoice():
            return value if value in choice.options else next(iter(choice.options), "")
        case SomeChoice():
            return _limit_some(choice, value if isinstance(value, dict) else {})
    assert_never(choice)


def drop_nothing(value: Value) -> Value:
    """Return a value in its one spelling, without names of which there are none."""
    return {name: n for name, n in value.items() if n} if isinstance(value, dict) else value


def _limit_some(choice: SomeChoice, value: Mapping[str, int]) -> dict[str, int]:
    rest = sum(choice.most.values()) if choice.total is None else choice.total
    found = dict[str, int]()
    for name, n in value.items():
        taken = min(n, choice.most.get(name, 0), rest)
        rest -= taken
        if taken:
            found[name] = taken
    return found
