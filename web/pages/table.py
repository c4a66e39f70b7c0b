"""The table screen: what everyone may see, to be read from afar."""

from flask import Blueprint, Response

from web.rendering.screens import my_screen, show

blueprint = Blueprint("table", __name__, url_prefix="/table", template_folder="templates")


@blueprint.get("")
def page() -> Response:
    """The table screen."""
    return show(my_screen("table"))
