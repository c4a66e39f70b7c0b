"""Template files: where those of pages and games lie, and their code, compiled when the package is
built, so that no first page waits for a compiler.

Laws: compiled code is used only if it was made from the very source that is there, by this version
of Python and Jinja; another template, and that of a game from outside, is compiled when it is first
shown. A running table writes nothing. The templates of a game are called “games/NAME/file”, so
those of two packages never meet.
"""

import hashlib
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
)
from jinja2.bccache import Bucket

WEB = Path(__file__).parents[1]
TEMPLATES = WEB / "templates"
COMPILED = WEB / "compiled_templates"
GAME_FOLDERS = WEB.parent / "companion" / "games"
"""The folders of the companion's own games, each with its name."""
GAMES = "games"
"""Prefix of the names of templates of games."""
OPTIONS: Mapping[str, Any] = {
    "autoescape": True, "cache_size": -1, "trim_blocks": True, "lstrip_blocks": True,
}  # fmt: skip
"""The options that decide the code of a template; and every one that was loaded is kept."""


def load_folders(templates: Path, games: Mapping[str, Path]) -> BaseLoader:
    """Return the loader of the templates in a folder, and of games in a folder each."""
    own = {name: FileSystemLoader(folder) for name, folder in games.items()}
    return ChoiceLoader([FileSystemLoader(templates), PrefixLoader({GAMES: PrefixLoader(own)})])


class CompiledTemplates(BytecodeCache):
    """The templates that were compiled into a folder."""

    def __init__(self, folder: Path = COMPILED) -> None:
        self._folder = folder

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the same key wherever the package lies."""
        own = "/".join(Path(filename or name).parts[-3:])
        return hashlib.sha256(own.encode()).hexdigest()[:16]

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the code; Jinja ignores it if the source, or Python, has changed since."""
        with suppress(OSError), (self._folder / bucket.key).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep nothing: only the build writes."""


def compile_templates(
    templates: Path = TEMPLATES, folder: Path = COMPILED, games: Path = GAME_FOLDERS
) -> int:
    """Compile every template of a folder, and of our own games, into another folder; return how
    many there are. No path of the machine that builds is in the code."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own_games = {own.parent.name: own for own in sorted(games.glob("*/templates"))}
    loader = load_folders(templates, own_games)
    env, cache = Environment(**OPTIONS), CompiledTemplates(folder)
    env.filters["json"] = str  # The app's own, known here by its name alone.
    names = [name for name in loader.list_templates() if name.endswith(".html")]
    for name in names:
        source, file, _ = loader.get_source(env, name)
        bucket = Bucket(env, cache.get_cache_key(name, file), cache.get_source_checksum(source))
        bucket.code = env.compile(source, name, name)
        with (folder / bucket.key).open("wb") as compiled:
            bucket.write_bytecode(compiled)
    return len(names)


if __name__ == "__main__":
    compile_templates()
