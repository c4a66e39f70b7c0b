"""URL builders that all apps of a test run share.

A test has an app of its own, and an app compiles two functions for each of its URL rules, which
takes longer than most tests. Rules that are spelled alike have the same functions.
"""

from collections.abc import Callable

from flask import Flask
from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]
_BUILDERS: dict[tuple[object, ...], Builder] = {}


class SharedRule(Rule):
    """A rule that compiles its builders only if no equal rule has done so."""

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        defaults = tuple(sorted((self.defaults or {}).items()))
        spelled = (self.rule, self.host, self.subdomain, defaults, append_unknown)
        if spelled not in _BUILDERS:
            _BUILDERS[spelled] = super()._compile_builder(append_unknown)
        return _BUILDERS[spelled]


def share_compiled_rules() -> None:
    """Have every Flask app of this process use these rules."""
    Flask.url_rule_class = SharedRule
