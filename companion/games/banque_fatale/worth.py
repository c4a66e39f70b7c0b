"""What a Carte Fatale is worth: the values of its colours, added up."""

from collections.abc import Mapping


def worth(card: str, values: Mapping[str, int]) -> int:
    """In millions; the double red counts red twice."""
    return sum(values[colour] for colour in card.split("-"))
