"""Host operations: becoming the host, the table's language, whether it is calm.

Law: becoming the host is for anyone who answers a pass or asks for a button, all else for a host.
"""

from pathlib import Path
from typing import Annotated

from flask import Response
from msgspec import Meta, Struct

from companion.core.durable_files import MAYBE_SENTENCE, not_written
from companion.core.errors import MaybeWritten, Refusal, refusal
from companion.host.host_pass import FILE
from web.api.operation import Api, Key, Spoken, Tapped
from web.browsers import browser_id
from web.context import AppContext, current_context, require_host
from web.rendering import languages
from web.rendering.invite import end_stale_offer

api = Api(
    "host",
    "/api/host",
    "The host: who is it, and the language of the table.",
)


class PassAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The SHA-256, in hexadecimal, of a pass and the public key of the asking browser."""

    key: Key
    answer: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Quiet(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the table is calm."""

    key: Key
    calm: bool


@api.post("/pass", takes=PassAnswer, name="use_pass")
def use_pass(body: PassAnswer) -> Response | Refusal:
    """Become the host by a one-time pass: send the hash of the pass and the own public key."""
    context, host, browser = current_context(), require_host(), browser_id()
    end_stale_offer(context)
    try:
        is_used = host.host_pass.use_answer(body.answer, _public_key(context, browser))
    except OSError as error:
        raise not_written(Path(FILE), error) from None
    if is_used:
        host.sessions.admit_by_pass(browser)
        end_stale_offer(context)
        host.table.notify_watchers()
    elif not host.sessions.is_host(browser):
        text = "This link no longer counts: it was used, or a newer one was made."
        return refusal("pass_gone", "T.host", text)
    return Response(status=204)


def _public_key(context: AppContext, browser: str) -> bytes:
    return context.browsers.identity.public_key(browser) or b""


@api.post("/ask", takes=Tapped)
def ask(body: Tapped) -> None:
    """Ask to become the host when a seat's button is held for six seconds."""
    require_host().sessions.ask(browser_id())


@api.post("/session/end", takes=Tapped, who="host")
def sign_out(body: Tapped) -> None:
    """Sign this browser out."""
    require_host().sessions.sign_out(browser_id())
    current_context().table.notify_watchers()


@api.post("/session/end-all", takes=Tapped, who="host")
def sign_all_out(body: Tapped) -> None:
    """Sign out every host, this one as well, and end every pass."""
    host = require_host()
    host.sessions.sign_all_out()
    try:
        host.host_pass.revoke_all()
    except OSError as error:
        raise MaybeWritten(FILE, MAYBE_SENTENCE) from error
    host.table.notify_watchers()


@api.post("/language", takes=Spoken, who="host", name="speak")
def set_table_language(body: Spoken) -> None:
    """Set the language of the table screen, and of browsers that ask for none of ours."""
    current_context().set_language(languages.check_language(body.language))


@api.post("/calm", takes=Quiet, who="host", name="calm")
def set_calm(body: Quiet) -> None:
    """Set calm mode: no sound, no motion, every result told at once."""
    current_context().set_calm(body.calm)
