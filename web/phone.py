"""The phone: what is asked of a seat that this browser holds."""

from flask import Blueprint, Response

from web.screens import my_screen, show, to_own_seat

blueprint = Blueprint("phone", __name__, url_prefix="/phone", template_folder="templates")


@blueprint.get("")
def mine() -> Response:
    """The way to one's own seat, or to the choice of a seat for whoever has none."""
    return to_own_seat("phone")


@blueprint.get("/<int:seat>")
def page(seat: int) -> Response:
    """The phone page of a seat."""
    return show(my_screen("phone", seat))
