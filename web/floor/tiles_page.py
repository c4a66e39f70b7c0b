"""The page of a floor, and what is done on it: language, answers to calls, tables forgotten.

Law: a table that does not take an answer is said to the one who gave it.
"""

from collections.abc import Sequence

from tornado.web import HTTPError

from companion.core.errors import NotWritten
from companion.core.i18n import LANGUAGES, N_, message
from web.floor import drawing
from web.floor.refusals import SaidError
from web.floor.server import KEPT_SECONDS, SPOKEN, FloorHandler, FloorPages, FloorRoute

NOT_ANSWERED = N_("The table did not take the answer: go there, or answer on its screen.")


def page_routes(pages: FloorPages) -> Sequence[FloorRoute]:
    """Return who answers the addresses of the page of a floor, and its files."""
    facts: dict[str, object] = {"pages": pages}
    return [
        (r"/", PageHandler, facts),
        (r"/language", LanguageHandler, facts),
        (r"/answer", AnswerHandler, facts),
        (r"/forget", ForgetHandler, facts),
    ]


class PageHandler(FloorHandler):
    """The floor, or the question for its PIN."""

    def get(self) -> None:
        if self.is_let_in:
            self.finish(drawing.draw_page(self.pages.tiles, self.language, is_here=self.is_here))
        else:
            self.finish(drawing.draw_login(self.language))


class LanguageHandler(FloorHandler):
    """Take the language of this browser, which is kept in its cookie alone."""

    is_open = True

    def post(self) -> None:
        chosen = self.get_body_argument("language", "")
        if chosen in LANGUAGES:
            self.set_cookie(SPOKEN, chosen, httponly=True, samesite="Lax", max_age=KEPT_SECONDS)
        self.redirect("/", status=303)


class AnswerHandler(FloorHandler):
    """Answer the call of a table."""

    async def post(self) -> None:
        self.require_pin()
        table = self.get_body_argument("table", "")
        if table not in self.pages.tiles:
            raise HTTPError(404)
        if not await self.pages.answer_call(table, self.read_number("number")):
            raise SaidError(502, message(NOT_ANSWERED))
        self.set_status(204)


class ForgetHandler(FloorHandler):
    """Forget a table that left."""

    def post(self) -> None:
        self.require_pin()
        try:
            self.pages.forget_table(self.get_body_argument("table", ""))
        except NotWritten as failed:
            raise SaidError(503, failed.say) from None
        self.set_status(204)
