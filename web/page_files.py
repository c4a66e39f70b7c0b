"""The scripts and sheets of a page: its bundles, or, while an edit is newer, its files one by one.

Laws: a bundle is used only if every source that it was made of is still the same, which is looked
at once, at the start; so there is nothing to switch. An address with the hash of the content in it
never means other bytes, and a browser may keep what it leads to for ever.
"""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from web.bundler.manifest import BUNDLES, FAMILIES, MANIFEST, content_hash

WEB = Path(__file__).parent
STATIC = WEB / "static"
BASE = "/static/"
FONTS = "fonts/*.woff2"
EARLY = "js/early_taps.js"
"""The script that runs before anything can be tapped."""
FLOOR_LOOK = "js/floor_look.js"
"""The script that makes a page of a floor dark or light before it is drawn."""


class PageFiles(NamedTuple):
    """The addresses of the scripts, the sheets and the fonts of a page, in their order."""

    scripts: tuple[str, ...]
    sheets: tuple[str, ...]
    fonts: tuple[str, ...]


@cache
def page_files(family: str) -> PageFiles:
    """Return the files of the pages of this family."""
    bundle = current_bundles().get(family)
    if bundle is not None:
        scripts, sheets = (
            (BASE + bundle[kind],) if kind in bundle else () for kind in ("script", "sheet")
        )
        return PageFiles(scripts, sheets, _list_fonts(True))
    wanted = _read_families()[family]
    return PageFiles(
        tuple(f"{BASE}js/{name}.mjs" for name in wanted["scripts"]),
        tuple(f"{BASE}css/{name}.css" for name in wanted["sheets"]),
        _list_fonts(False),
    )


def _list_fonts(are_bundled: bool) -> tuple[str, ...]:
    """Return the addresses of the fonts as the sheets write them, with a hash in a bundle."""
    return tuple(
        f"{BASE}{path.relative_to(STATIC).as_posix()}"
        + (f"?v={content_hash(path.read_bytes())}" if are_bundled else "")
        for path in sorted(STATIC.glob(FONTS))
    )


@cache
def current_bundles(web: Path = WEB) -> Mapping[str, Mapping[str, str]]:
    """Return script and sheet of each family; nothing if there are none made of today's sources."""
    try:
        manifest = json.loads((web / "static" / BUNDLES / MANIFEST).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    families: dict[str, dict[str, str]] = manifest["families"]
    made = (web / "static" / name for files in families.values() for name in files.values())
    is_current = all(map(Path.is_file, made)) and all(
        _is_same(web / name if name == FAMILIES else web / "static" / name, digits)
        for name, digits in manifest["sources"].items()
    )
    return families if is_current else {}


def _is_same(source: Path, digits: str) -> bool:
    return source.is_file() and content_hash(source.read_bytes()) == digits


@cache
def _read_families() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads((WEB / FAMILIES).read_text("utf-8"))
