"""A table that is new: its own screen offers the code of the host without a button.

Laws: a table is new until it was set up, played at, or has a host who is signed in; the code that
it offered is worth nothing from then on. Only the screen of the Pi itself offers it.
"""

from companion.host.host_pass import NEW_TABLE, ShownPass
from web.context import AppContext


def is_new_table(context: AppContext) -> bool:
    """Return whether this table was just installed."""
    if context.setup is None or context.setup.is_set_up or context.host is None:
        return False
    return not context.host.sessions.has_host() and context.host.journal.newest_game() is None


def end_stale_offer(context: AppContext) -> None:
    """End the pass that a new table offered, if it is new no more."""
    if context.host is not None and not is_new_table(context):
        context.host.host_pass.withdraw_offer()


def find_shown_pass(context: AppContext, is_tables_own: bool) -> ShownPass | None:
    """Return the pass that a screen shows; at a new table the screen of the Pi makes one."""
    if context.host is None:
        return None
    end_stale_offer(context)
    shown = context.host.host_pass.shown_pass()
    if shown is None and is_tables_own and is_new_table(context):
        shown = context.host.host_pass.offer_pass()
    is_hidden = shown is not None and shown.seat == NEW_TABLE and not is_tables_own
    return None if is_hidden else shown
