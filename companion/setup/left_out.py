"""What the first start has left out, for whoever wants to come back to it."""

from collections.abc import Iterable, Iterator, Mapping

from companion.core.i18n import N_, Say
from companion.setup.kept import Kept
from companion.setup.steps import Step

LEFT_OUT: Mapping[Step, str] = {
    "banks": N_("Places whose reader was not found: {numbers}."),
    "buttons": N_("Seats whose button was not found: {numbers}."),
    "lamps": N_("Seats whose lamp was not found: {numbers}."),
}


def left_out(kept: Kept, numbers: Mapping[Step, Iterable[int]]) -> Iterator[Say]:
    """Of all these places and seats those that were not found."""
    for step, every in numbers.items():
        left = sorted({*every} - {*kept.found.get(step, ())})
        if left:
            yield Say(LEFT_OUT[step], {"numbers": left})
