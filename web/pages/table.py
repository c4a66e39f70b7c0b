"""The table screen: what everyone may see, to be read from afar."""

from flask import Blueprint, Response

from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("table", __name__, url_prefix="/table", template_folder="templates")


@blueprint.get("")
def show_table() -> Response:
    return render_screen(requested_screen("table"))
