"""The environment of templates: Jinja's own, but imported templates are made late, and lent.

Laws: every template may use the macros of `shared/parts.html` as `parts`, and those of its game as
`game`; a macro finds the names of the drawing that it is used in, and of no other one.
"""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, cast

from flask.templating import Environment
from jinja2 import Environment as BaseEnvironment
from jinja2 import Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro
from jinja2.utils import missing

PARTS, GAME = {"parts": "shared/parts.html"}, "game_template"
"""Names that every template may use, and the name of the game's template."""


class PlainContext(Context):
    """Calls macros and functions directly.

    Jinja checks each of a page's hundreds of calls for functions that want the context as their
    first argument; ours never do.
    """

    macros: Mapping[str, object] | None = None
    """Exports of a module that only defines macros; None for any other one."""

    def __init__(self, *args: Any, globals: object = None) -> None:
        """Take no set of the names that every template has: all of ours have the same."""
        super().__init__(*args)

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
    """Key that no template can name."""

    def __init__(self) -> None:
        self._used: list[tuple[LateTemplate, PlainContext]] = []

    def lend(self, template: "LateTemplate", names: dict[str, object]) -> PlainContext:
        """Return the context of a module whose macros find these names until this is given back."""
        try:
            context = template.idle.pop()
        except IndexError:
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
    """A module that a template imports, made at its first use.

    A template imports the macros that one of its branches may need.
    """

    def __init__(self, template: "LateTemplate", names: dict[str, Any]) -> None:
        self._template, self._names, self._is_made = template, names, False

    def __getattr__(self, name: str) -> object:
        if self._is_made or name.startswith("_"):  # No template exports such a name.
            raise AttributeError(name)
        self._is_made = True
        lent: LentModules = self._names.get(LentModules.NAME) or LentModules()
        made = lent.lend(self._template, self._names)
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

    def render(self, *args: Any, **kwargs: Any) -> str:
        """Draw this template from these names; its macros are lent meanwhile."""
        lent, find = LentModules(), self.environment.get_template
        names: dict[str, Any] = {LentModules.NAME: lent, **self.environment.globals}
        names.update(*args, **kwargs)
        shared = PARTS | ({"game": names[GAME]} if GAME in names else {})
        for name, file in shared.items():
            names.setdefault(name, LateModule(cast(LateTemplate, find(file)), names))
        text = "".join(self.root_render_func(self.new_context(names, shared=True)))
        lent.give_back()
        names.clear()  # Or they and the modules that know them would be a circle.
        return text

    def make_module(
        self,
        vars: dict[str, object] | None = None,
        shared: bool = False,
        locals: Mapping[str, object] | None = None,
    ) -> TemplateModule:
        """Return the module of this template, which knows these names."""
        names: dict[str, Any] = {**(vars or self.environment.globals)}
        names |= {name: value for name, value in (locals or {}).items() if value is not missing}
        return cast(TemplateModule, LateModule(self, names))

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


class PageEnvironment(Environment):
    """The environment of the pages of an app."""

    context_class = PlainContext
    template_class = LateTemplate
