"""Choices: which of a request are buttons, and which leave a field to be filled in."""

from collections.abc import Mapping

from companion.games.rulebook import Choices

Choice = Mapping[str, object]
OpenFields = dict[str, tuple[object, ...]]


def button_choices(choices: Choices) -> list[Choice]:
    """Return the choices that one button can make; yes or no becomes two buttons."""
    return [choice for choice in _split(choices) if not _open_fields(choice)]


def group_by_open_fields(choices: Choices) -> list[tuple[OpenFields, list[Choice]]]:
    """Group the choices to be filled in: each set of open fields with the choices that leave just
    these open."""
    found: list[tuple[OpenFields, list[Choice]]] = []
    for choice in _split(choices):
        values = _open_fields(choice)
        rest = {field: value for field, value in choice.items() if field not in values}
        together = next((rests for same, rests in found if same == values), None)
        if together is not None:
            together.append(rest)
        elif values:
            found.append((values, [rest]))
    return found


def _split(choices: Choices) -> list[Choice]:
    """Return the choices, each that leaves yes or no open as one choice for each answer."""
    return [way for choice in choices for way in _split_yes_or_no(choice)]


def _split_yes_or_no(choice: Choice) -> list[Choice]:
    for field, values in _open_fields(choice).items():
        if set(values) == {True, False}:
            return [{**choice, field: value} for value in values]
    return [choice]


def _open_fields(choice: Choice) -> OpenFields:
    """Return the fields of a choice that are to be filled in, each with its possible values."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}
