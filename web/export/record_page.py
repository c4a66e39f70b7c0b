"""A record as one page that anybody can open: it shows the game, and checks itself.

Laws: the page holds the record byte for byte, and nothing that is not worked out from it; so it
tells no more than the record does. It asks nothing of any network: a policy in the page forbids it.
What it shows was drawn here; what it says it checked, it checked in the reader's browser. A page is
never larger than MOST_BYTES: what is told of a long game is compressed, and a game that is still
too long has none.
"""

import gzip
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from flask import Flask

from companion.core.errors import ExplainedError, Malformed, Refusal
from companion.core.i18n import N_, Message, get_language
from companion.core.json_values import JsonObject
from companion.core.pseudonyms import word_seats
from companion.core.table_events import AFTERWARDS, Corrected, Undone
from companion.core.verdict import Verdict
from companion.judge.decide import decide, render_verdict
from companion.records.fingerprint import fingerprint_hue
from companion.records.format import Record, end_chain, to_bytes
from companion.records.retell import retell_record
from companion.records.verify import GameProof, prove_record, record_events
from companion.table.history import History
from companion.table.look_back import list_verdicts
from web.export.pictures import inline_pictures, squeeze
from web.export.scripts import fill_page, join_script, join_sheets
from web.rendering import game_words, screens, templates

MOST_BYTES = 250_000
_GAME = re.compile("<!-- /?game -->")


class ShownVerdict(NamedTuple):
    """A verdict of the page: its place, the moment and line it came with, what it says."""

    id: str
    at: int
    n: int
    kind: str
    verdict: Verdict
    case: JsonObject | None


class PageTooLong(ExplainedError):
    """A game whose page would be too large, however it is written."""

    def __init__(self) -> None:
        text = N_("This game is too long for a page of {n} KB: take its record instead.")
        super().__init__(Message(text, {"n": MOST_BYTES // 1000}))


def make_record_page(record: Record, language: str) -> str:
    """Return a record as a page in one language; raise BadRecord or PageTooLong."""
    frame, game, data = _write_page(record, prove_record(record), language)
    script = join_script("record", [record.header.game])
    plain = fill_page(frame, game=game, data=data, packed="", script=script)
    if _fits(plain):
        return plain
    packed = b64encode(gzip.compress(msgspec.json.encode([game, data]), mtime=0)).decode()
    page = fill_page(frame, game="", data="", packed=packed, script=script)
    if _fits(page):
        return page
    raise PageTooLong


def _fits(page: str) -> bool:
    return len(page.encode()) <= MOST_BYTES


def _write_page(record: Record, proof: GameProof, language: str) -> tuple[str, str, str]:
    """Return the page without what is told of the game, this, and the data of its checks."""
    app, history, words = make_templates(), proof.history, get_language(language)
    assert history.state is not None
    verdicts = list(_list_verdicts(history))
    by_moment: dict[int, list[ShownVerdict]] = {}
    for each in verdicts:
        by_moment.setdefault(each.at, []).append(each)
    page = app.jinja_env.get_template("export/record.html").render(
        **templates.template_words(language),
        box=history.rules.box,
        title=history.rules.box.title,
        record=record,
        names_of_seats=[player.name for player in history.state.players],
        moments=list(retell_record(record, None, words)),
        verdicts=by_moment,
        cited=sorted({step.rule for each in verdicts for step in each.verdict.steps}),
        hue=fingerprint_hue(end_chain(record)),
        sheet=join_sheets(record.header.game),
    )
    before, game, after = _GAME.split(inline_pictures(squeeze(word_seats(page, words))))
    names = [word_seats(player.name, words) for player in history.state.players]
    data = embed_json(_list_data(record, history, proof.rounds, verdicts) | {"names": names})
    return f"{before}<!-- game -->{after}", game, data


def make_templates() -> Flask:
    """Return an app that renders the templates of pages, and serves none."""
    app = Flask("web", static_folder=None)
    for module in (screens, templates, game_words):
        module.install(app)
    return app


def _list_verdicts(history: History) -> Iterator[ShownVerdict]:
    """Yield the verdicts that stand at the end; none of a game that is not over."""
    found = list_verdicts(history)
    if isinstance(found, Refusal):
        return
    lines = {moment.at: n for n, moment in reversed([*enumerate(history.moments, 1)])}
    for look in found:
        for k, ruling in enumerate(look.rulings, 1):
            at, place = look.told.at, f"verdict-{look.told.at}-{k}"
            yield ShownVerdict(place, at, lines[at], ruling.kind, ruling.verdict, ruling.case)


def _list_data(
    record: Record, history: History, rounds: Any, verdicts: list[ShownVerdict]
) -> JsonObject:
    mended = any(isinstance(event, (Undone, Corrected)) for event, _, _ in record_events(record))
    return {
        "game": record.header.game,
        "record": to_bytes(record).decode(),
        "rounds": {str(n): round for n, round in rounds.items()},
        "afterwards": [str(kind.__struct_config__.tag) for kind in AFTERWARDS],
        "is_mended": mended or bool(history.replacements),
        "verdicts": [
            {"id": one.id, "n": one.n, "given": one.case, "told": _judge(one.case)}
            for one in verdicts
        ],
    }


def _judge(case: JsonObject | None) -> JsonObject | None:
    """Return what our own judge says of a case, without its sentences; None if it takes no such
    case, as where a player counted more of a card than the box holds."""
    try:
        found = {} if case is None else render_verdict(decide(case), get_language("en"))
    except Malformed:
        return None
    if not found:
        return None
    del found["steps"]
    plain: JsonObject = msgspec.json.decode(msgspec.json.encode(found))
    return plain


def embed_json(value: JsonObject) -> str:
    """Return JSON that can stand in a page: nothing in it ends a script."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
