"""Painting: what makes a page's template quick, as every news is painted for every seat.

Law: it changes how long a page takes and not one byte of it.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from flask import Flask
from jinja2.runtime import Context

from companion.core.i18n import Language
from companion.core.verdict import Verdict, in_words


class Plainly(Context):
    """Calls macros and functions as they are.

    Jinja looks at each of a page's hundreds of calls whether the function wants the context as its
    first argument; none of ours does.
    """

    def call(
        self,
        called: Any,
        /,
        *args: Any,
        _block_vars: Any = None,
        _loop_vars: Any = None,
        **more: Any,
    ) -> Any:
        """What the function gives."""
        return called(*args, **more)


def teach(app: Flask) -> None:
    """Have this app paint so."""
    app.jinja_env.context_class = Plainly


def sentences(spoken: Language) -> Callable[..., str]:
    """The function that templates call `_`; a sentence without gaps is always the same."""

    @cache
    def known(text: str) -> str:
        return spoken.render(text, {})

    def sentence(text: str, /, **facts: Any) -> str:
        return spoken.render(text, facts) if facts else known(text)

    return sentence


def steps(spoken: Language) -> Callable[[Verdict], list[dict[str, Any]]]:
    """The steps of a verdict in words; the newest stands on every page until the next."""
    newest: tuple[Any, list[dict[str, Any]]] = (None, [])

    def told(verdict: Verdict) -> list[dict[str, Any]]:
        nonlocal newest
        found = newest  # One look: another thread may paint too.
        if found[0] is not verdict:
            found = newest = (verdict, in_words(verdict, spoken))
        return found[1]

    return told
