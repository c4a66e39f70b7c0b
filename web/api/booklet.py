"""Photographs of the booklet: the host adds one to a rule, or removes it.

Law: they are seen by hosts and at the table's own screen only (web/pages/rules.py).
"""

from flask import Response
from msgspec import Struct

from companion.core.errors import Refusal
from companion.core.i18n import N_
from companion.host.booklet_photos import refuse_not_come, refuse_not_there
from web import responses
from web.api.operation import Api
from web.body_validation import Key
from web.context import current_context
from web.upload_paths import PHOTO_PATH

api = Api("booklet", "/api/host/booklet", "The booklet: photos of its pages, on this Pi alone.")

JPEG = "image/jpeg"


class SentPhoto(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left to be asked once a photo has come; `upload` is what the table calls it."""

    key: Key
    upload: str = ""


class NamedPhoto(Struct, frozen=True, forbid_unknown_fields=True):
    """A photo by its name."""

    key: Key
    name: str


@api.upload(
    PHOTO_PATH.removeprefix(api.prefix),
    N_("Add a photo to the rule that its file is named after."),
    takes=SentPhoto,
    file_type=JPEG,
    who="host",
    name="add",
)
def add_photo(body: SentPhoto) -> Response | Refusal:
    """Keep the photo that was uploaded, without anything that tells where it was taken."""
    photos = current_context().booklet
    refused = refuse_not_come() if photos is None else photos.accept_upload(body.upload)
    return refused or responses.success_response()


@api.post(
    "/remove",
    N_("Remove a photo."),
    takes=NamedPhoto,
    example={"key": "6f2c1a", "name": "B.pay-0123abcd.jpg"},
    who="host",
    name="remove",
)
def remove_photo(body: NamedPhoto) -> Refusal | None:
    """Delete a photo."""
    photos = current_context().booklet
    return refuse_not_there() if photos is None else photos.remove(body.name)
