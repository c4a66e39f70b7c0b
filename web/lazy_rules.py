"""URL rules that compile only what they are used for.

Werkzeug writes two functions for each rule that build its address, parses and compiles them, and
does so when the rule is added. Our pages write their addresses out, so none of these functions is
ever called; without them the app of a table is put together in a quarter of the time.

Law: a rule matches and builds as Werkzeug's own does; only the first address takes longer.
"""

from collections.abc import Callable
from functools import cache

from werkzeug.routing import Rule


class LazyRule(Rule):
    """A rule whose functions that build addresses are compiled when the first address is built."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compile_builder = cache(super()._compile_builder)

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            return compile_builder(append_unknown)(rule, **values)

        return build
