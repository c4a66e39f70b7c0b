"""The environment of templates: Jinja's own, with what costs most on our pages done later or not.

Law: how long a page takes is another, not a byte of it. Measured by bench/page.py.
"""

from collections.abc import Callable, Mapping, MutableMapping
from functools import partial
from typing import Any, cast

from flask.templating import Environment
from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context


class PlainContext(Context):
    """Calls macros and functions directly.

    Jinja checks each of a page's hundreds of calls for functions that want the context as their
    first argument; ours never do.
    """

    def call(
        self,
        called: Callable[..., Any],
        /,
        *args: object,
        _block_vars: object = None,
        _loop_vars: object = None,
        **kwargs: object,
    ) -> Any:
        """Call the function with these arguments."""
        return called(*args, **kwargs)


class LateModule:
    """What a template imports; it is made when something of it is first used.

    A template imports what one of its branches may need, and making a module defines each of its
    macros anew: that took longer than drawing most blocks.
    """

    def __init__(self, make: Callable[[], TemplateModule]) -> None:
        self._make: Callable[[], TemplateModule] | None = make

    def __getattr__(self, name: str) -> Any:
        if self._make is None or name.startswith("_"):  # No template exports such a name.
            raise AttributeError(name)
        make, self._make = self._make, None
        self.__dict__.update(make().__dict__)
        return getattr(self, name)


class LateTemplate(Template):
    """A template whose modules are made late."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> TemplateModule:
        """Return the module of this template, which knows these names."""
        return cast(TemplateModule, LateModule(partial(super().make_module, vars, shared, locals)))


class PageEnvironment(Environment):
    """The environment of the pages of an app; its globals are set before the first page."""

    context_class = PlainContext
    template_class = LateTemplate

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template: those of the environment, which every template shares
        unless it has some of its own. Jinja's ChainMap is slow to copy, for each context anew."""
        return {**self.globals, **d} if d else self.globals
