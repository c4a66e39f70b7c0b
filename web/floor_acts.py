"""The signature of a floor over an act at this table, and that of the table over its answer.

Laws: an act without a signature of a paired floor is refused, and costs no floor a counter. The
counter is on disk before the act is done. The answer is signed as well: what a guest on the Wi-Fi
makes up the floor does not believe.
"""

from flask import Response, g, request

from companion.core.errors import NotWritten
from companion.floor.floor_key import ACT_HEADER, ANSWER_HEADER, parse_act_signature, sign_answer
from companion.floor.paired_floors import ProvenAct
from companion.table.permissions import Author
from web import responses
from web.context import current_context


def act_refusal(digest: str) -> Response | None:
    """Return the refusal of an act, whose body has this SHA-256 in hexadecimal, if no paired floor
    has signed it, or sends it again."""
    signature = parse_act_signature(request.headers.get(ACT_HEADER, ""))
    if signature is None:
        return responses.unproven_response("unsigned")
    try:
        proven = current_context().floors.check_act(signature, request.path, digest)
    except NotWritten as failed:
        return responses.not_written_response(failed)
    if proven is None:
        return responses.unproven_response("unknown_floor")
    g.proven_act = proven
    if proven.next_counter:
        return responses.unproven_response("counter_used", proven.next_counter)
    return None


def is_signed_by_floor(digest: str) -> bool:
    """Check that a paired floor signed a body of this digest; its counter stays unused."""
    signature = parse_act_signature(request.headers.get(ACT_HEADER, ""))
    floors = current_context().floors
    return signature is not None and floors.is_next_act(signature, request.path, digest)


def proven_act() -> ProvenAct:
    """Return the act that this request is; only where it is proven to be one."""
    proven: ProvenAct = g.proven_act
    return proven


def floor_author() -> Author:
    """Return the floor as the author of what it does here."""
    return Author(0, f"floor {proven_act().floor.floor}")


def sign_response(response: Response) -> Response:
    """Sign the answer to an act; a stream is sealed instead."""
    proven: ProvenAct | None = g.get("proven_act")
    if proven is not None and not response.is_streamed:
        key, body = bytes.fromhex(proven.floor.key), response.get_data()
        said = sign_answer(key, request.path, proven.counter, response.status_code, body)
        response.headers[ANSWER_HEADER] = said
    return response
