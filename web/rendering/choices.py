"""Choices: which of a request are buttons, and which leave a field to be filled in."""

from collections.abc import Mapping

from companion.games.rulebook import Choices

Choice = Mapping[str, object]
OpenFields = dict[str, tuple[object, ...]]


def button_choices(choices: Choices) -> list[Choice]:
    """Return the choices that one button can make."""
    return [choice for choice in choices if not _open_fields(choice)]


def group_by_open_fields(choices: Choices) -> list[tuple[OpenFields, list[Choice]]]:
    """Group the choices to be filled in: each set of open fields with the choices that leave just
    these open."""
    found: list[tuple[OpenFields, list[Choice]]] = []
    for choice in choices:
        values = _open_fields(choice)
        rest = {field: value for field, value in choice.items() if field not in values}
        together = next((rests for same, rests in found if same == values), None)
        if together is not None:
            together.append(rest)
        elif values:
            found.append((values, [rest]))
    return found


def _open_fields(choice: Choice) -> OpenFields:
    """Return the fields of a choice that are to be filled in, each with its possible values."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}
