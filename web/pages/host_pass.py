"""The page that the code of the host leads to.

Law: opening it changes nothing, as programs that preview links open pages too. Its script takes the
token from the fragment of the address, and its button posts it.
"""

from flask import Blueprint, Response, make_response, redirect

from web.context import AppContext, current_context, require_host
from web.rendering.screens import Facts, Screen, provides_facts, render_screen, requested_screen
from web.sessions import is_host

blueprint = Blueprint("host_pass", __name__, url_prefix="/host/pass")


@blueprint.get("")
def show_pass_page() -> Response:
    """Show the button that signs in; a host who is signed in is redirected."""
    require_host()
    if is_host(current_context().host_sessions):
        return make_response(redirect("/host", 303))
    return render_screen(requested_screen("host_pass"))


@provides_facts("host_pass")
def page_facts(_context: AppContext, _screen: Screen) -> Facts:
    """Return no facts of the table: the viewer is not signed in."""
    return {"view": None}
