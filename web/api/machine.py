"""Operations on the machine: its power, its Wi-Fi.

Law: what is asked for is begun and answered at once; how it goes is in the status, which also a
program can follow.
"""

from msgspec import Struct

from companion.core.errors import Refusal
from companion.hotspot.machine import MachineStatus, Power, refuse_elsewhere
from companion.hotspot.wifi import Wifi
from web.api.operation import Api, Key
from web.context import current_context

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


@api.post(
    "/power",
    takes=PowerWish,
    example={"key": "6f2c1a", "power": "restart"},
    who="host",
    name="power",
)
def switch_power(body: PowerWish) -> Refusal | None:
    """Switch the machine off, or restart it; no game is lost."""
    return current_context().machine.switch_power(body.power)


@api.post(
    "/wifi",
    takes=WifiToJoin,
    example={"key": "6f2c1a", "name": "Home", "password": "correct horse"},
    who="host",
    name="join_wifi",
)
def join_wifi(body: WifiToJoin) -> Refusal | None:
    """Join a Wi-Fi; if that fails, the table keeps its own."""
    return current_context().machine.join_wifi(Wifi(body.name, body.password))
