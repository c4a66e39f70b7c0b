"""Catalogues: the translations of a package, one file for each language.

The companion has one, and each game has one of its own in its folder. A text is looked up in the
companion's first. Only the compiled form (`.mo`) is read, which the build of a package makes from
the form that translators edit (`.po`); a text that no catalogue has stays English.
"""

from collections.abc import Iterable
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path
from typing import NamedTuple


class Catalogue(NamedTuple):
    """The files of one catalogue: `folder`/fr/LC_MESSAGES/`name`.po and .mo, and so on."""

    name: str
    folder: Path

    def find_file(self, code: str, suffix: str = ".po") -> Path:
        """Return the path of a language's catalogue; the file may be missing."""
        return self.folder / code / "LC_MESSAGES" / f"{self.name}{suffix}"

    def read(self, code: str) -> NullTranslations:
        """Read a compiled language, or an empty one if it is missing; pass on any error in the
        file."""
        return translation(self.name, self.folder, [code], fallback=True)


COMPANION = Catalogue("companion", Path(__file__).parents[1] / "locale")


def chain_catalogues(code: str, catalogues: Iterable[Catalogue]) -> NullTranslations:
    """Return the texts of a language from all catalogues that have it; the first that has a text
    decides."""
    read = (catalogue.read(code) for catalogue in catalogues)
    found: list[NullTranslations] = [one for one in read if isinstance(one, GNUTranslations)]
    first, *others = found or [NullTranslations()]
    for other in others:
        first.add_fallback(other)
    return first
