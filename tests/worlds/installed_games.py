"""Packages that bring games, as an installer leaves them: a folder on Python's path for each."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.games import GROUP, load_games


def write_package(folder: Path, package: str, games: Mapping[str, str]) -> None:
    """Write what an installer writes of a package: its name, and where its games are found."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {target}" for name, target in games.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines, ""]))


@contextmanager
def installed(package: str, games: Mapping[str, str], folder: Path | None = None) -> Iterator[Path]:
    """Install a package for a while; its modules may lie in its folder, too."""
    with TemporaryDirectory() as own:
        path = folder or Path(own)
        write_package(path, package, games)
        sys.path.append(str(path))
        _look_again()
        try:
            yield path
        finally:
            sys.path.remove(str(path))
            _forget_modules(path)
            _look_again()


def _forget_modules(folder: Path) -> None:
    """Forget what was imported from a folder, so that another package may use the same names."""
    for name, module in list(sys.modules.items()):
        if folder in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]


def _look_again() -> None:
    invalidate_caches()
    load_games.cache_clear()
    load_games()
