"""Templates that were compiled at build: used if they are of this very source."""

from pathlib import Path

import pytest
from jinja2 import Environment

from web.rendering.compiled_templates import (
    GAME_FOLDERS,
    OPTIONS,
    TEMPLATES,
    CompiledTemplates,
    compile_templates,
    load_folders,
)

NO_GAMES = Path("no games")


class Uncompiling(Environment):
    """An environment that compiles nothing itself."""

    def _generate(self, *_args: object, **_kwargs: object) -> str:
        raise AssertionError("compiled while the table runs")


def environment(templates: Path, folder: Path, games: Path = NO_GAMES) -> Environment:
    env = Uncompiling(
        loader=load_folders(templates, {own.parent.name: own for own in games.glob("*/templates")}),
        bytecode_cache=CompiledTemplates(folder),
        **OPTIONS,
    )
    env.filters["json"] = str
    return env


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, Path]:
    """Two templates, and the folder that they were compiled into."""
    templates, folder = tmp_path / "templates", tmp_path / "compiled"
    (templates / "page").mkdir(parents=True)
    (templates / "page" / "live.html").write_text("{% if name %}\n{{ name }}\n{% endif %}")
    (templates / "error.html").write_text("{{ name | json }}")
    assert compile_templates(templates, folder, NO_GAMES) == 2
    return templates, folder


def test_every_template_of_ours_is_compiled_at_build(tmp_path):
    count = compile_templates(TEMPLATES, tmp_path)
    env = environment(TEMPLATES, tmp_path, GAME_FOLDERS)
    names = env.list_templates(["html"])
    assert len(names) == count > 100
    assert {"games/robby_solo/game.html", "default/game.html"} <= {*names}
    for name in names:
        env.get_template(name)


def test_a_template_that_changed_since_is_compiled_anew(made):
    templates, folder = made
    (templates / "error.html").write_text("something else")
    env = environment(templates, folder)
    with pytest.raises(AssertionError, match="while the table runs"):
        env.get_template("error.html")
