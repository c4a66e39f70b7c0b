"""The environment of templates: Jinja's own, with what costs most on our pages done later or not.

Laws: how long a page takes is another, not a byte of it; a macro finds the names of
the drawing that it is used in, and of no other one.
"""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, cast

from flask.templating import Environment
from jinja2 import Environment as BaseEnvironment
from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import missing


class PlainContext(Context):
    """Calls macros and functions directly.

    Jinja checks each of a page's hundreds of calls for functions that want the context as their
    first argument; ours never do.
    """

    macros: Mapping[str, object] | None = None
    """What a module exports that defines macros, and nothing else; None for any other one."""

    def call(
        self,
        called: Callable[..., object],
        /,
        *args: object,
        _block_vars: object = None,
        _loop_vars: object = None,
        **kwargs: object,
    ) -> object:
        """Call the function with these arguments."""
        return called(*args, **kwargs)


class LentModules:
    """The modules that one drawing uses; they serve the next one when it is done.

    A module that consists of macros, as most do, is the same each time but for the names that they
    find, and making it took longer than drawing most blocks.
    """

    NAME = "lent modules"
    """Where templates would find this, if that were a name."""

    def __init__(self) -> None:
        self._used: list[tuple[LateTemplate, PlainContext]] = []

    def lend(self, template: "LateTemplate", names: dict[str, object]) -> PlainContext:
        """Return the context of a module whose macros find these names until this is given back."""
        context = template.take_idle()
        if context is None:
            context = template.make_context(names)
        context.parent = names
        if context.macros is not None:
            self._used.append((template, context))
        return context

    def give_back(self) -> None:
        """Let others use the modules; nothing that was drawn with them is drawn any more."""
        for template, context in self._used:
            context.parent = {}
            template.idle.append(context)


class LateModule:
    """What a template imports; it is made when something of it is first used.

    A template imports what one of its branches may need.
    """

    def __init__(
        self, template: "LateTemplate", names: Mapping[str, object], more: Mapping[str, object]
    ) -> None:
        self._template, self._names, self._more = template, names, more
        self._is_made = False

    def __getattr__(self, name: str) -> object:
        if self._is_made or name.startswith("_"):  # No template exports such a name.
            raise AttributeError(name)
        self._is_made = True
        more = {name: value for name, value in self._more.items() if value is not missing}
        names: dict[str, Any] = {**self._names, **more}
        lent: LentModules | None = names.get(LentModules.NAME)
        made = (
            self._template.make_context(names) if lent is None else lent.lend(self._template, names)
        )
        self.__dict__.update(made.macros or made.get_exported())
        return getattr(self, name)


class LateTemplate(Template):
    """A template whose modules are made late."""

    idle: list[PlainContext]

    @classmethod
    def _from_namespace(
        cls,
        environment: BaseEnvironment,
        namespace: MutableMapping[str, object],
        globals: MutableMapping[str, object],
    ) -> Template:
        """Return the template of compiled code."""
        made = cast(LateTemplate, super()._from_namespace(environment, namespace, globals))
        made.idle = []
        return made

    def make_module(
        self,
        vars: dict[str, object] | None = None,
        shared: bool = False,
        locals: Mapping[str, object] | None = None,
    ) -> TemplateModule:
        """Return the module of this template, which knows these names."""
        names = (vars or {}) if shared else {**self.globals, **(vars or {})}
        return cast(TemplateModule, LateModule(self, names, locals or {}))

    def make_context(self, names: dict[str, object]) -> PlainContext:
        """Return the context of a new module of this template."""
        context = cast(PlainContext, self.new_context(names, shared=True))
        for _ in self.root_render_func(context):
            pass  # What stands between the macros is not shown.
        if context.vars.keys() == context.exported_vars and all(
            isinstance(value, Macro) for value in context.vars.values()
        ):
            context.macros = context.get_exported()
        return context

    def take_idle(self) -> PlainContext | None:
        """Return the context of a module that is in no use, if there is one."""
        try:
            return self.idle.pop()
        except IndexError:
            return None


class PageEnvironment(Environment):
    """The environment of the pages of an app; its globals are set before the first page."""

    context_class = PlainContext
    template_class = LateTemplate

    def make_globals(self, d: MutableMapping[str, object] | None) -> MutableMapping[str, object]:
        """Return the globals of a template: those of the environment, which every template shares
        unless it has some of its own. Jinja's ChainMap is slow to copy, for each context anew."""
        return {**self.globals, **d} if d else self.globals
