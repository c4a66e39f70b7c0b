"""The document of the API: valid, complete, and true of what the table answers."""

import re
from collections.abc import Iterator
from fnmatch import filter as matching
from functools import cache, reduce
from itertools import chain
from operator import getitem
from typing import Any

import msgspec
import pytest

from tests.worlds.paths import ROOT
from web import api
from web.api import openapi
from web.api.operation import Operation

OPERATIONS = {one.name: one for subject in api.SUBJECTS for one in subject.operations}


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(openapi.build_document(api.SUBJECTS))
    )
    return found


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path, asked) for path, methods in document()["paths"].items() for asked in methods.values()
    ]


def references(part: Any) -> Iterator[str]:
    """Yield every reference within a part of the document."""
    if isinstance(part, dict):
        yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
        part = list(part.values())
    if isinstance(part, list):
        yield from chain.from_iterable(map(references, part))


def test_the_document_is_whole(visit):
    served = visit().get("/api/openapi.json").json
    assert served["openapi"] == "3.1.0"
    assert served == document()
    for one in references(served):
        assert reduce(getitem, one.removeprefix("#/").split("/"), served)
    ids = [asked["operationId"] for _, asked in operations()]
    assert len({*ids}) == len(ids)
    for path, asked in operations():
        inside = {one["name"] for one in asked.get("parameters", ()) if one["in"] == "path"}
        assert inside == set(re.findall(r"{(\w+)}", path))


def test_every_operation_is_in_it_and_belongs_to_a_subject_that_is_described(app):
    served = {
        rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}")
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(("/api/", "/healthz")) and rule.endpoint != "openapi.openapi"
    }
    assert {*document()["paths"]} == served
    tags = {tag["name"]: tag["description"] for tag in document()["tags"]}
    assert all(text.endswith(".") and "\n" not in text for text in tags.values())
    assert all(asked["tags"][0] in tags and asked["summary"] for _, asked in operations())


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_who_may_call_it(name: str):
    operation: Operation = OPERATIONS[name]
    asked = next(asked for _, asked in operations() if asked["operationId"] == name)
    assert bool(asked["security"]) == (operation.who != "anyone")
    assert ("409" in asked["responses"]) == operation.can_refuse
    assert ("403" in asked["responses"]) == (operation.who == "seat" or operation.method == "POST")
    assert ("415" in asked["responses"]) == (operation.method == "POST")


GAP = re.compile(r'\{\{.*?\}\}|\{%.*?%\}|" ~ [\w.]+ ~ "')
FORM = re.compile(r'(?:action=|parts\.act\()"(/api/[^"]*)')


def test_every_form_of_a_page_names_an_operation() -> None:
    posted = [path for path, methods in document()["paths"].items() if "post" in methods]
    pages = {
        str(page): page.read_text("utf-8") for page in (ROOT / "web/templates").rglob("*.html")
    }
    forms = [(name, at) for name, text in pages.items() for at in FORM.findall(GAP.sub("*", text))]
    assert len(forms) > 50
    assert [form for form in forms if not matching(posted, form[1])] == []
