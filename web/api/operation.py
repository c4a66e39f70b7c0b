"""Operations of the API: each declared once, and guarded by its declaration.

Laws: an operation declares who may ask (anyone, the browser that holds the seat, the host), what it
takes and what it gives: a struct, or a file of some type. What it does is said by its docstring,
which is its summary in the document of the API.
Its function runs only after that is checked. A refusal is 409, also where the disk does not take
what is to be kept; a body that cannot be read is 400, and names the field that is missing, unknown
or of another type. Every write has a key, by which a second copy counts as the first; a request to
the game names the version of the view that it answers. The key of a request to the game is
remembered in the journal, that of any other in a cache for as long as the companion runs; a copy
never runs beside the request that it repeats, however long that one takes.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Annotated, TypeVar, get_args, get_type_hints

import msgspec
from flask import Blueprint, Response, current_app, request, session
from msgspec import Meta, Struct
from werkzeug.exceptions import UnsupportedMediaType

from companion.core.errors import ExplainedError, JsonObject, Malformed, Refusal
from companion.core.events import Event, EventTypes, to_json
from companion.core.i18n import N_
from companion.core.table_events import AMENDMENTS
from companion.games.layout import Pace
from companion.games.rulebook import AnyRulebook
from companion.host.table_source import LoopBusy
from companion.table.history import event_union
from web import responses
from web.browsers import BROWSER_KEY, Denial, Who
from web.context import current_context

# Bodies.

JSON = "application/json"
T = TypeVar("T")
_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_NAMED = re.compile(r"`([^`]*)`")


Version = Annotated[int, Meta(ge=0, le=10**9)]
Key = Annotated[str, Meta(pattern="^[A-Za-z0-9-]{1,64}$")]


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A request: the event that is asked for, the version of the view it answers, its own key."""

    event: JsonObject
    version: Version
    key: Key


class Tapped(Struct, frozen=True, forbid_unknown_fields=True):
    """A button that says all there is to say."""

    key: Key


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """A language is chosen."""

    key: Key
    language: str


class Paced(Struct, frozen=True, forbid_unknown_fields=True):
    """Pace of the bots."""

    key: Key
    pace: Pace


def parse_body(body_type: type[T]) -> T:
    """Return the JSON body of the request as a struct of this type; Malformed names a wrong
    field."""
    if request.mimetype != JSON:
        raise UnsupportedMediaType
    try:
        return msgspec.json.decode(request.get_data(), type=body_type)
    except msgspec.ValidationError as error:
        raise malformed_field(error) from None
    except (ValueError, msgspec.MsgspecError, RecursionError):
        raise Malformed("body", N_("The field “{field}” cannot be read.")) from None


def parse_event(fields: JsonObject, rules: AnyRulebook, seat: int | None = None) -> Event:
    """Return the event that this seat asks for, or the table as a whole, which names the seats in
    it; Malformed names a wrong field."""
    if seat is not None and _has_seat(str(fields.get("event", "")), rules):
        fields = {**fields, "seat": seat}
    union = event_union(rules)
    kind = _kinds_by_name(union).get(str(fields.get("event", "")), union)
    try:
        found: Event = msgspec.convert(fields, kind)
        to_json(found)  # A number may be too large to be written.
    except msgspec.ValidationError as error:
        raise malformed_field(error) from None
    except (ValueError, OverflowError, RecursionError):
        raise Malformed("event", N_("The field “{field}” cannot be read.")) from None
    return found


@lru_cache(16)
def _kinds_by_name(union: EventTypes) -> Mapping[str, EventTypes]:
    """Return the classes of a union by their names: msgspec looks through a union anew each time,
    which takes longer than all the rest."""
    return {_event_name(kind): kind for kind in get_args(union)}


def _has_seat(name: str, rules: AnyRulebook) -> bool:
    asked: list[type[Event]] = [*(row.event for row in rules.rows), *AMENDMENTS]
    return any("seat" in kind.__struct_fields__ for kind in asked if _event_name(kind) == name)


def _event_name(event_type: type[Event]) -> str:
    return str(event_type.__struct_config__.tag)


def malformed_field(error: msgspec.ValidationError) -> Malformed:
    """Return the error that names the wrong field: the last one of the path, or the missing one."""
    reason = str(error)
    at = _AT.search(reason)
    named = _NAMED.findall(reason.partition(" - at ")[0]) if "field" in reason else []
    field = ".".join(filter(None, [at.group(1) if at else "", *named[:1]])) or "body"
    if "missing" in reason:
        return Malformed(field, N_("The field “{field}” is missing."))
    return Malformed(field, N_("The field “{field}” cannot be read."))


# Declarations.

GRANTED = "granted"
"""Key of the app's cache of granted operations."""
MAX_REMEMBERED = 500
COPY_TIMEOUT = 2.0
"""Seconds that a copy waits for the running operation."""

RequestMark = tuple[str, ...]
"""Browser, operation, path and body of a request, whose key is part of it."""
Function = Callable[..., object]
Gives = type | str | None
Decorator = Callable[[Function], Function]


class Operation(msgspec.Struct, frozen=True):
    """A declared operation.

    `takes` is the type of its body, `gives` that of its result, or the content type of a file.
    """

    method: str
    path: str
    who: Who
    takes: type[Struct] | None = None
    gives: Gives = None
    name: str = ""
    summary: str = ""
    """The docstring of its function."""
    can_refuse: bool = False
    file_type: str = ""
    """Content type of the file that it takes, if it takes one."""
    unavailable: str = ""
    """The reason the same result may have status 503."""


class Api:
    """The operations of one subject, and the blueprint that serves them."""

    def __init__(self, subject: str, prefix: str, about: str) -> None:
        self.subject, self.prefix, self.about = subject, prefix, about
        self.blueprint = Blueprint(f"api_{subject}", __name__, url_prefix=prefix)
        self.operations: list[Operation] = []

    def get(
        self,
        path: str,
        gives: Gives,
        who: Who = "anyone",
        unavailable: str = "",
        name: str = "",
    ) -> Decorator:
        """Declare an operation that reads."""
        return self._register(
            path,
            Operation("GET", "", who, None, gives, name, unavailable=unavailable),
        )

    def post(
        self,
        path: str,
        takes: type[Struct],
        who: Who = "anyone",
        gives: Gives = None,
        name: str = "",
    ) -> Decorator:
        """Declare an operation that writes, or a calculation that takes a body without a key."""
        return self._register(path, Operation("POST", "", who, takes, gives, name))

    def upload(
        self, path: str, takes: type[Struct], file_type: str, who: Who, name: str = ""
    ) -> Decorator:
        """Declare an operation that takes a file."""
        return self._register(
            path, Operation("POST", "", who, takes, name=name, file_type=file_type)
        )

    def _register(self, path: str, operation: Operation) -> Decorator:
        def declare_operation(function: Function) -> Function:
            name = operation.name or function.__name__
            named = msgspec.structs.replace(
                operation,
                path=self.prefix + path,
                name=f"{self.subject}_{name}",
                summary=" ".join((function.__doc__ or "").split()),
                can_refuse=_can_refuse(function),
            )
            self.operations.append(named)
            view = _with_checks(named, function)
            self.blueprint.add_url_rule(path, name, view, methods=[operation.method])
            return function

        return declare_operation


def _can_refuse(function: Function) -> bool:
    """Return whether the function is annotated to return a refusal."""
    found = get_type_hints(function).get("return")
    return Refusal in (found, *get_args(found))


def _with_checks(operation: Operation, function: Function) -> Callable[..., Response]:
    """Return the view function: check permissions, parse the body, run, turn the result into a
    response."""

    @wraps(function)
    def handle_request(**path: int) -> Response:
        context, browser = current_context(), session.get(BROWSER_KEY, "")
        if seat := path.get("seat", 0):
            context.seats.note_heard(browser)
        denial = context.browsers.find_denial(operation.who, browser, seat)
        if denial is not None:
            return _to_response(denial)
        try:
            return _to_response(_run_function(operation, function, path))
        except ExplainedError as error:
            return responses.error_response(error)

    return handle_request


def _run_function(operation: Operation, function: Function, path: dict[str, int]) -> object:
    if operation.takes is None:
        return function(**path)
    current_context().note_visitor()
    body = parse_body(operation.takes)
    is_calculation = "key" not in operation.takes.__struct_fields__
    if isinstance(body, Asked) or is_calculation:  # The journal remembers the key of an event.
        return function(**path, body=body)
    return _run_once(operation, function, path, body)


def _run_once(
    operation: Operation, function: Function, path: dict[str, int], body: Struct
) -> object:
    """Run a write, unless this very request was granted before. A file is told by its key alone,
    as the table has another name for it each time."""
    cache: IdempotencyCache = current_app.extensions[GRANTED]
    said = str(getattr(body, "key", "")) if operation.file_type else repr(body)
    mark = (session.get(BROWSER_KEY, ""), operation.name, repr(path), said)
    with cache.run_alone(mark):
        if cache.is_granted(mark):
            return None
        result = function(**path, body=body)
        if result is None:
            cache.remember_granted(mark)
    return result


def _to_response(result: object) -> Response:
    match result:
        case Response():
            return result
        case None:
            return Response(status=204, mimetype=JSON)
        case Refusal():
            return responses.refusal_response(result)
        case Denial():
            return responses.permission_response(result.code)
    return responses.json_response(result)


class IdempotencyCache:
    """The newest operations that were granted. Thread-safe."""

    def __init__(self) -> None:
        self._granted: OrderedDict[RequestMark, None] = OrderedDict()
        self._running: set[RequestMark] = set()
        self._condition = threading.Condition()

    @contextmanager
    def run_alone(self, mark: RequestMark) -> Iterator[None]:
        """Hold back copies of this request while it runs; raise LoopBusy after COPY_TIMEOUT."""
        with self._condition:
            if not self._condition.wait_for(lambda: mark not in self._running, COPY_TIMEOUT):
                raise LoopBusy
            self._running.add(mark)
        try:
            yield
        finally:
            with self._condition:
                self._running.discard(mark)
                self._condition.notify_all()

    def is_granted(self, mark: RequestMark) -> bool:
        """Return whether this very request was granted before."""
        with self._condition:
            return mark in self._granted

    def remember_granted(self, mark: RequestMark) -> None:
        """Remember this request as granted, and drop the oldest beyond MAX_REMEMBERED."""
        with self._condition:
            self._granted[mark] = None
            if len(self._granted) > MAX_REMEMBERED:
                self._granted.popitem(last=False)
