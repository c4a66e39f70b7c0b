"""Operations on the machine: another version, back to the one before, power, Wi-Fi.

Laws: they are errands for root (`companion/caretaker`), who decides. What is handed in is answered
at once; how it goes is in the status, which also a program can follow.
"""

from typing import Literal

from flask import Response
from msgspec import Struct

from companion.caretaker.desk import DeskStatus
from companion.caretaker.errands import (
    Errand,
    GoBack,
    InstallRelease,
    JoinWifi,
    LookForReleases,
    ReleasePlace,
    StartAnew,
    SwitchOff,
)
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from web import responses
from web.api.operation import Api
from web.body_validation import TAPPED, Key, Tapped
from web.context import current_context
from web.upload_paths import OCTET_STREAM, RELEASE_PATH

api = Api(
    "machine",
    "/api/host/machine",
    "The machine: another version and the one before, its power, its Wi-Fi.",
)


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left to be asked once a release has come; `upload` is what the table calls it."""

    key: Key
    upload: str = ""


class ChosenRelease(Struct, frozen=True, forbid_unknown_fields=True):
    """A release that is offered: `agree` to games that it judges anew, `now` in a game, `older`
    although a newer version runs."""

    key: Key
    place: ReleasePlace
    version: str
    agree: bool = False
    now: bool = False
    older: bool = False


class Back(Struct, frozen=True, forbid_unknown_fields=True):
    """Back to the version before; with `now` although a game is under way."""

    key: Key
    now: bool = False


class PowerWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the machine is switched off, or started anew."""

    key: Key
    power: Literal["off", "restart"]


class WifiToJoin(Struct, frozen=True, forbid_unknown_fields=True):
    """A Wi-Fi, and its password if it has one."""

    key: Key
    name: str
    password: str = ""


@api.get(
    "",
    N_("Which version runs, which are offered, and how the last errand went."),
    DeskStatus,
    who="host",
    name="status",
)
def get_status() -> DeskStatus | Refusal:
    """Return what root does or did, for the host's page and for programs that update a table."""
    desk = current_context().errands
    return _refuse_no_caretaker() if desk is None else desk.status()


def _ask(errand: Errand) -> Refusal | None:
    """Hand in an errand."""
    desk = current_context().errands
    return _refuse_no_caretaker() if desk is None else desk.hand_in_errand(errand)


def _refuse_no_caretaker() -> Refusal:
    text = "Versions, power and Wi-Fi are changed here only at a table that systemd/install set up."
    return refusal("no_caretaker", "T.host", text)


@api.post(
    "/look",
    N_("Look for releases: on sticks, among what was sent, at the address in the config."),
    takes=Tapped,
    example=TAPPED,
    who="host",
    name="look",
)
def look_for_releases(body: Tapped) -> Refusal | None:
    """Have root look which releases are offered."""
    return _ask(LookForReleases())


@api.upload(
    RELEASE_PATH.removeprefix(api.prefix),
    N_("Send a release, as one file: it is looked at, and waits for a yes."),
    takes=Sent,
    file_type=OCTET_STREAM,
    who="host",
    name="send",
)
def send_release(body: Sent) -> Response | Refusal:
    """Keep the release that was sent, and have root look at it."""
    desk = current_context().errands
    refused = _refuse_no_caretaker() if desk is None else desk.accept_upload(body.upload)
    return refused or _ask(LookForReleases()) or responses.success_response(anchor="machine")


@api.post(
    "/install",
    N_("Install a release that is offered: it proves itself, is switched to, and watched."),
    takes=ChosenRelease,
    example={
        "key": "6f2c1a",
        "place": "stick",
        "version": "1.2.0",
        "agree": False,
        "now": False,
        "older": False,
    },
    who="host",
    name="install",
)
def install_release(body: ChosenRelease) -> Refusal | None:
    """Have root install it; meanwhile the table goes on."""
    errand = InstallRelease(body.place, body.version, body.agree, body.now, body.older)
    return _ask(errand)


@api.post(
    "/rollback",
    N_("Go back to the version before; once more, and the newer one runs again."),
    takes=Back,
    example={"key": "6f2c1a", "now": False},
    who="host",
    name="go_back",
)
def go_back(body: Back) -> Refusal | None:
    """Have root start the version before."""
    return _ask(GoBack(body.now))


@api.post(
    "/power",
    N_("Switch the machine off, or restart it; no game is lost."),
    takes=PowerWish,
    example={"key": "6f2c1a", "power": "restart"},
    who="host",
    name="power",
)
def switch_power(body: PowerWish) -> Refusal | None:
    """Have root shut the machine down."""
    return _ask(SwitchOff() if body.power == "off" else StartAnew())


@api.post(
    "/wifi",
    N_("Join a Wi-Fi; if that fails, the table keeps its own."),
    takes=WifiToJoin,
    example={"key": "6f2c1a", "name": "Home", "password": "correct horse"},
    who="host",
    name="join_wifi",
)
def join_wifi(body: WifiToJoin) -> Refusal | None:
    """Have root join it; this page may lose its connection by that."""
    desk = current_context().errands
    return _ask(JoinWifi(body.name, body.password, 8000 if desk is None else desk.port))
