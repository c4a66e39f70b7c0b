"""Backup operations: download the table as a file, upload and restore such a file.

Laws: no backup is made or restored while a game can go on. An upload is validated and shown first,
and restored only when a host then confirms that very file.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from flask import Response
from msgspec import Struct

from companion.core.errors import Refusal
from web import responses
from web.api.operation import TAPPED, Api, Key, Tapped
from web.context import require_backups

api = Api(
    "backups",
    "/api/host",
    "Backups: the table as a file that is carried away, and such a file restored.",
)

UPLOAD_PATH = "/api/host/restore/file"
"""Where a file is sent to as a whole."""
OCTET_STREAM = "application/octet-stream"
ZIP, CHUNK_SIZE = "application/zip", 1 << 16


class Uploaded(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left to be asked once a file has come; `upload` is what the table calls it."""

    key: Key
    upload: str = ""


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """A yes to the backup of this id."""

    key: Key
    id: str


@api.post("/backup", takes=Tapped, example=TAPPED, who="host", gives=ZIP, name="backup")
def download_backup(body: Tapped) -> Response | Refusal:
    """Download a backup of the table, without its seats and hosts."""
    packed = require_backups().pack()
    if isinstance(packed, Refusal):
        return packed
    response = Response(_read_chunks(packed), content_type=ZIP)
    response.call_on_close(packed.close)
    response.headers["Content-Disposition"] = f'attachment; filename="{Path(packed.name).name}"'
    response.content_length = os.fstat(packed.fileno()).st_size
    return response


def _read_chunks(packed: BinaryIO) -> Iterator[bytes]:
    with packed:
        while chunk := packed.read(CHUNK_SIZE):
            yield chunk


@api.upload(
    UPLOAD_PATH.removeprefix(api.prefix),
    takes=Uploaded,
    file_type=OCTET_STREAM,
    who="host",
    name="prove",
)
def upload_backup(body: Uploaded) -> Response | Refusal:
    """Send a backup: it is proven, and waits for a yes."""
    return require_backups().check_upload(body.upload) or responses.success_response()


@api.post(
    "/restore",
    takes=Agreed,
    example={"key": "6f2c1a", "id": "5d0c9e7f3b2a1846"},
    who="host",
    name="restore",
)
def restore_backup(body: Agreed) -> Refusal | None:
    """Restore the uploaded backup: in a moment the table restarts with it."""
    return require_backups().restore(body.id)


@api.post("/restore/end", takes=Tapped, example=TAPPED, who="host", name="leave")
def discard_backup(body: Tapped) -> Refusal | None:
    """Discard the uploaded backup."""
    return require_backups().discard_upload()
