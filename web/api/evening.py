"""Evening operations: what was played at this table, in numbers, for the page of a floor.

Law: anyone may ask, so nothing here is about a person, a card or a bid.
"""

from companion.core.i18n import N_
from companion.floor.played import PlayedEvening
from web.api.operation import Api
from web.context import current_context

api = Api(
    "evening",
    "/api",
    "The evening in numbers: the games that are over, for the page of a floor.",
)


@api.get(
    "/floor/played/<int:line>",
    N_("The games that ended after this line of the journal, and how the readers do."),
    gives=PlayedEvening,
    name="played",
)
def tell_played(line: int) -> PlayedEvening:
    """Return the next games that a floor has not got yet; 0 for all."""
    context = current_context()
    return context.evening.tell_after(context.table, line)
