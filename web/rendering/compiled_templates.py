"""Compiled templates: made when the package is built, so that no first page waits for a compiler.

Laws: a compiled template is used only if it was made from the very source that is there, by this
version of Python and Jinja; another one, and that of a game from outside, is compiled when it is
first shown, as Jinja does it.
Nothing is written while a table runs. Code depends on how an
environment treats whitespace, so the app and the build set that by one function.
"""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    TemplateNotFound,
)
from jinja2.bccache import Bucket

WEB = Path(__file__).parents[1]
TEMPLATES = WEB / "templates"
COMPILED = WEB / "compiled_templates"
GAME_FOLDERS = WEB.parent / "companion" / "games"
"""The folders of the companion's own games, each with its name."""
GAMES = "games"
"""How the names of the templates of games begin."""
OWN_FILTERS = ("json",)
"""Filters of the app, which a compiler has to know by name only."""


class CompiledTemplates(BytecodeCache):
    """The templates that were compiled into a folder, by their names."""

    def __init__(self, folder: Path = COMPILED) -> None:
        self._folder = folder

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the same key wherever the package lies."""
        return hashlib.sha256(name.encode()).hexdigest()[:16]

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the code; Jinja ignores it if the source, or Python, has changed since."""
        try:
            with (self._folder / bucket.key).open("rb") as file:
                bucket.load_bytecode(file)
        except OSError:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep nothing: only the build writes."""


class _WrittenTemplates(CompiledTemplates):
    """The same while they are made."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with (self._folder / bucket.key).open("wb") as file:
            bucket.write_bytecode(file)


def set_whitespace(env: Environment) -> None:
    """Set the whitespace options, which decide the spaces of a template and so its code."""
    env.trim_blocks = env.lstrip_blocks = True


def load_folders(templates: Path, games: Mapping[str, Path]) -> BaseLoader:
    """Return the loader of the templates in a folder, and of games in a folder each."""
    return ChoiceLoader([FileSystemLoader(templates), GameLoader(games)])


class GameLoader(BaseLoader):
    """Finds “games/NAME/file” in the folder of that game.

    A template keeps its whole name, so that those of two games are compiled apart; Jinja's own
    PrefixLoader would call both by that of the file.
    """

    def __init__(self, games: Mapping[str, Path]) -> None:
        self._loaders = {name: FileSystemLoader(folder) for name, folder in games.items()}

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return the source of a template, its file, and what tells if that is still the same."""
        group, _, rest = template.partition("/")
        game, _, file = rest.partition("/")
        if group != GAMES or game not in self._loaders:
            raise TemplateNotFound(template)
        return self._loaders[game].get_source(environment, file)

    def list_templates(self) -> list[str]:
        """Return the names of the templates of all games."""
        return [
            f"{GAMES}/{game}/{file}"
            for game, loader in self._loaders.items()
            for file in loader.list_templates()
        ]


class _NamelessLoader(BaseLoader):
    """Gives the code no path of the machine that builds, so that it is the same on any."""

    def __init__(self, loader: BaseLoader) -> None:
        self._loader = loader

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return the source with the name of the template for that of its file."""
        source, _file, is_same = self._loader.get_source(environment, template)
        return source, template, is_same

    def list_templates(self) -> list[str]:
        """Return the same names."""
        return self._loader.list_templates()


def compile_templates(
    templates: Path = TEMPLATES, folder: Path = COMPILED, games: Path = GAME_FOLDERS
) -> int:
    """Compile every template of a folder, and of our own games, into another folder; return how
    many there are."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own_games = {own.parent.name: own for own in sorted(games.glob("*/templates"))}
    env = Environment(
        loader=_NamelessLoader(load_folders(templates, own_games)),
        autoescape=True,
        bytecode_cache=_WrittenTemplates(folder),
    )
    set_whitespace(env)
    env.filters |= dict.fromkeys(OWN_FILTERS, str)
    names = env.list_templates(["html"])
    for name in names:
        env.get_template(name)
    return len(names)


if __name__ == "__main__":
    compile_templates()
