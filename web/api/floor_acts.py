"""Acts of a floor at this table, each signed with the key of its pairing and counted.

Laws: what is not declared here a floor cannot do. An act is in the journal, with the floor as its
author, before it is done; to ask how a table is, is none. What
is sealed holds no name of a person. Power and versions are errands for root
(`companion/caretaker`), as from the host's page.
"""

from collections.abc import Callable, Iterable
from typing import Annotated

import msgspec
from flask import Response
from msgspec import Meta, Struct

from companion.caretaker.desk import DeskStatus, ErrandDesk
from companion.caretaker.errands import (
    Errand,
    InstallRelease,
    LookForReleases,
    ReleasePlace,
    SwitchOff,
)
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.table_events import FloorAct, FloorActed, Paused, Thawed
from companion.floor.broker import BrokerLogin, make_broker
from companion.floor.floor_key import open_text, seal_pieces, sealed_size
from companion.floor.table_state import TableState
from web.api.operation import Api
from web.body_validation import TAPPED, Key, Spoken, Tapped
from web.context import current_context, require_backups, require_host
from web.floor_acts import floor_author, proven_act
from web.rendering import languages
from web.upload_paths import FLOOR_RELEASE_PATH, OCTET_STREAM

api = Api(
    "floor_acts",
    "/api/floor/acts",
    "What the floor of many tables does at this one: signed with the key of its pairing, counted.",
)
SEALED = OCTET_STREAM


class AnsweredCall(Struct, frozen=True, forbid_unknown_fields=True):
    """The call of this number is answered."""

    key: Key
    number: Annotated[int, Meta(ge=1)]


class OfferedRelease(Struct, frozen=True, forbid_unknown_fields=True):
    """A release that this table is offered."""

    key: Key
    place: ReleasePlace
    version: str


class SealedLogin(Struct, frozen=True, forbid_unknown_fields=True):
    """A login at the broker of the floor, sealed with the key of the pairing, in hexadecimal."""

    key: Key
    sealed: Annotated[str, Meta(pattern="^([0-9a-f]{2})+$", max_length=40_000)]


class HandedRelease(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left to be asked once a release has come; `upload` is what the table calls it."""

    key: Key
    upload: str = ""


def _find_desk() -> ErrandDesk | Refusal:
    text = "Only a table that is installed as a service does that."
    return current_context().errands or refusal("no_caretaker", "T.host", text)


def _note_and_do(kind: FloorAct, do: Callable[[], Refusal | None]) -> Refusal | None:
    """Note an act in the journal, then do it."""
    noted = current_context().table.note_floor_act(FloorActed(kind), floor_author())
    return noted or do()


def _hand_in_errand(kind: FloorAct, errand: Errand) -> Refusal | None:
    """Note an act in the journal, then hand in its errand for root."""
    desk = _find_desk()
    if isinstance(desk, Refusal):
        return desk
    return _note_and_do(kind, lambda: desk.hand_in_errand(errand))


@api.post(
    "/state",
    N_("How this table is, signed."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    gives=TableState,
    name="state",
)
def get_signed_state(body: Tapped) -> TableState:
    """Return the state of the table for the floor."""
    context = current_context()
    return context.floor.read_state(context.table)


@api.post(
    "/call",
    N_("The call for staff is answered."),
    takes=AnsweredCall,
    example={"key": "6f2c1a", "number": 3},
    who="floor",
    name="answer_call",
)
def answer_call(body: AnsweredCall) -> Refusal | None:
    """End the call; a newer one than it was meant for stays."""
    context = current_context()

    def end_call() -> None:
        if context.floor.calls.answer(body.number):
            context.table.notify_watchers()

    return _note_and_do("call answered", end_call)


@api.post(
    "/pause",
    N_("Pause the game."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    name="pause",
)
def pause_game(body: Tapped) -> Refusal | None:
    """Pause the game; one that is paused stays so."""
    table = current_context().table
    return None if table.history.paused else table.request(Paused(), floor_author())


@api.post(
    "/continue",
    N_("Continue the game."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    name="continue",
)
def continue_game(body: Tapped) -> Refusal | None:
    """End a pause, or a call for the judge."""
    return current_context().table.request(Thawed(), floor_author())


@api.post(
    "/next-group",
    N_("End and put away the game, free every seat, check the box: for the next group."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    name="next_group",
)
def prepare_next_group(body: Tapped) -> Refusal | None:
    """Put the table away for the next group; a game that ends or is put away notes that itself."""
    if current_context().table.state is not None:
        return require_host().reset_table(floor_author())
    return _note_and_do("next group", lambda: require_host().reset_table(floor_author()))


@api.post(
    "/language",
    N_("Choose the language of the table screen, and of browsers that ask for none of ours."),
    takes=Spoken,
    example={"key": "6f2c1a", "language": "de"},
    who="floor",
    name="speak",
)
def choose_language(body: Spoken) -> Refusal | None:
    """Set the language of the table; every table screen is loaded again."""
    language = languages.check_language(body.language)
    return _note_and_do("language", lambda: current_context().set_language(language))


@api.post(
    "/restart",
    N_("Restart the program of the table; the game continues."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    name="restart",
)
def restart_table(body: Tapped) -> Refusal | None:
    """Have the program start anew, once this is answered."""
    noted = _note_and_do("restart", lambda: None)
    if noted is None:
        current_context().restart()
    return noted


@api.post(
    "/power-off",
    N_("Switch the machine off; no game is lost."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    name="power_off",
)
def power_off(body: Tapped) -> Refusal | None:
    """Have root shut the machine down, where there is a caretaker."""
    return _hand_in_errand("power off", SwitchOff())


@api.post(
    "/machine",
    N_("Which version runs, which are offered, and how the last errand went, signed."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    gives=DeskStatus,
    name="machine",
)
def get_machine(body: Tapped) -> DeskStatus | Refusal:
    """Return what root does or did."""
    desk = _find_desk()
    return desk if isinstance(desk, Refusal) else desk.status()


@api.post(
    "/look",
    N_("Look for releases: on sticks, among what was sent, at the address in the config."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    name="look",
)
def look_for_releases(body: Tapped) -> Refusal | None:
    """Have root look which releases are offered."""
    return _hand_in_errand("look for versions", LookForReleases())


@api.post(
    "/broker",
    N_("Publish at the broker of this floor, with the login that comes sealed."),
    takes=SealedLogin,
    example={"key": "6f2c1a", "sealed": "9f3c" * 40},
    who="floor",
    name="tell_broker",
)
def take_broker(body: SealedLogin) -> Refusal | None:
    """Keep the login, with which this table publishes from then on; Malformed if it is none."""
    floor = proven_act().floor
    opened = open_text(bytes.fromhex(floor.key), bytes.fromhex(body.sealed))
    try:
        login = msgspec.json.decode(opened or b"", type=BrokerLogin)
    except msgspec.DecodeError:
        return refusal("no_login", "T.host", "The floor sent no login that can be read.")
    make_broker(login)
    return _note_and_do("broker", lambda: current_context().floors.keep_broker(floor.floor, login))


@api.upload(
    FLOOR_RELEASE_PATH.removeprefix(api.prefix),
    N_("Send a release, as one file: this table looks at it, and is offered it."),
    takes=HandedRelease,
    file_type=OCTET_STREAM,
    who="floor",
    name="hand_over",
)
def take_release(body: HandedRelease) -> Refusal | None:
    """Keep the release that the floor sent, and have root look at it."""
    desk = _find_desk()
    if isinstance(desk, Refusal):
        return desk

    def keep_release() -> Refusal | None:
        return desk.accept_upload(body.upload) or desk.hand_in_errand(LookForReleases())

    return _note_and_do("update", keep_release)


@api.post(
    "/install",
    N_("Install a release that is offered: it proves itself, is switched to, and watched."),
    takes=OfferedRelease,
    example={"key": "6f2c1a", "place": "repository", "version": "1.2.0"},
    who="floor",
    name="install",
)
def install_release(body: OfferedRelease) -> Refusal | None:
    """Have root install it, unless a game is under way or it judges a game anew."""
    return _hand_in_errand("update", InstallRelease(body.place, body.version))


@api.post(
    "/backup",
    N_("A backup of the whole table, without the PIN, sealed for this floor."),
    takes=Tapped,
    example=TAPPED,
    who="floor",
    gives=SEALED,
    name="backup",
)
def send_backup(body: Tapped) -> Response | Refusal:
    """Stream a backup that only this floor can read."""
    table = current_context().table
    packed = table.note_floor_act(FloorActed("backup"), floor_author()) or require_backups().pack()
    if isinstance(packed, Refusal):
        return packed
    response = _seal_file(packed.name, packed.read_chunks(), packed.size)
    response.call_on_close(packed.close)
    return response


def _seal_file(name: str, chunks: Iterable[bytes], size: int) -> Response:
    """Return the answer that only the floor of this act can open."""
    act = proven_act()
    pieces = seal_pieces(bytes.fromhex(act.floor.key), act.counter, chunks)
    response = Response(pieces, content_type=SEALED)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.content_length = sealed_size(size)
    return response
