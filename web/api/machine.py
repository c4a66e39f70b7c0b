"""Operations on the machine: its power, its Wi-Fi, and the table as a file, saved and restored.

Laws: what is asked for is begun and answered at once; how it goes is in the status, which also a
program can follow. No backup is made or restored while a game can go on. An upload is validated and
shown first, and restored only when a host then confirms that very file.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from flask import Response
from msgspec import Struct

from companion.core.errors import Refusal
from companion.hotspot.machine import MachineStatus, Power, refuse_elsewhere
from companion.hotspot.network import Wifi
from web.api.operation import Api, Key, Tapped
from web.context import current_context, require_backups

api = Api("machine", "/api/host/machine", "The machine: its power, its Wi-Fi.")


class PowerWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the machine is switched off, or started anew."""

    key: Key
    power: Power


class WifiToJoin(Struct, frozen=True, forbid_unknown_fields=True):
    """A Wi-Fi, and its password if it has one."""

    key: Key
    name: str
    password: str = ""


@api.get("", MachineStatus, who="host", name="status")
def get_status() -> MachineStatus | Refusal:
    """Return the running version and the game under way."""
    return current_context().machine.status or refuse_elsewhere()


@api.post("/power", takes=PowerWish, who="host", name="power")
def switch_power(body: PowerWish) -> Refusal | None:
    """Switch the machine off, or restart it; no game is lost."""
    return current_context().machine.switch_power(body.power)


@api.post("/wifi", takes=WifiToJoin, who="host", name="join_wifi")
def join_wifi(body: WifiToJoin) -> Refusal | None:
    """Join a Wi-Fi; if that fails, the table keeps the one it has."""
    return current_context().machine.join_wifi(Wifi(body.name, body.password))


backup_api = Api(
    "backups",
    "/api/host",
    "Backups: the table as a file that is carried away, and such a file restored.",
)

UPLOAD_PATH = "/api/host/restore/file"
"""Path for a file that is sent as a whole."""
OCTET_STREAM = "application/octet-stream"
ZIP, CHUNK_SIZE = "application/zip", 1 << 16


class Uploaded(Struct, frozen=True, forbid_unknown_fields=True):
    """Questions left after an upload; `upload` is its name at the table."""

    key: Key
    upload: str = ""


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """A yes to the backup of this id."""

    key: Key
    id: str


@backup_api.post("/backup", takes=Tapped, who="host", gives=ZIP, name="backup")
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


@backup_api.upload(
    UPLOAD_PATH.removeprefix(backup_api.prefix),
    takes=Uploaded,
    file_type=OCTET_STREAM,
    who="host",
    name="prove",
)
def upload_backup(body: Uploaded) -> Response | Refusal:
    """Send a backup: it is proven, and waits for a yes."""
    return require_backups().check_upload(body.upload) or Response(status=204)


@backup_api.post("/restore", takes=Agreed, who="host", name="restore")
def restore_backup(body: Agreed) -> Refusal | None:
    """Restore the uploaded backup: in a moment the table restarts with it."""
    return require_backups().restore(body.id)


@backup_api.post("/restore/end", takes=Tapped, who="host", name="leave")
def discard_backup(body: Tapped) -> Refusal | None:
    """Discard the uploaded backup."""
    return require_backups().discard_upload()
