"""The table screen: what everyone may see, to be read from afar.

Law: while a button is held on, all screens say who is the host by it; only the screen of the Pi
itself shows a code for another phone. That screen alone shows one at a new table, too, until
one phone is the host's.
"""

import msgspec
from flask import Blueprint, Response

from companion.host.host_pass import SHOWN_FOR
from web.context import AppContext
from web.new_table import find_shown_pass
from web.rendering.invite import pass_invite
from web.rendering.screens import Facts, Screen, provides_facts, render_screen, requested_screen

blueprint = Blueprint("table", __name__, url_prefix="/table", template_folder="templates")


@blueprint.get("")
def show_table() -> Response:
    return render_screen(requested_screen("table"))


@provides_facts("table")
def host_pass_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the seat whose button is held on, 0 for none, and whom it let in; on the screen of the
    Pi the code too, also that of a new table."""
    shown = context.host.host_pass.shown_pass() if context.host else None
    if context.setup is not None:
        shown = find_shown_pass(context, screen.is_tables_own)
    if shown is None:
        return {"held_on": 0, "admitted": "", "pass_seconds": 0, "host_pass": None}
    way = pass_invite(context, screen, shown.word) if screen.is_tables_own else None
    return {
        "held_on": shown.seat,
        "admitted": shown.admitted,
        "pass_seconds": round(SHOWN_FOR),
        "host_pass": way,
    }


class ShownCall(msgspec.Struct, frozen=True):
    """Whether staff is called, to which seat (0: the table), and the number of that call."""

    called: bool
    seat: int = 0
    number: int = 0


@provides_facts("table")
@provides_facts("phone")
def staff_facts(context: AppContext, _screen: Screen) -> Facts:
    """Return the call for staff; nothing at a table that is on no floor."""
    if not context.settings.place.name:
        return {"staff": None}
    call = context.floor.calls.current
    return {"staff": ShownCall(True, call.seat, call.number) if call else ShownCall(False)}
