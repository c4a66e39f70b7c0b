"""Compiles the catalogues of texts while the package is built; all else is in pyproject.toml."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildTexts(build_py):
    """Turns each companion/locale/*/LC_MESSAGES/*.po into the .mo that gettext reads."""

    def run(self) -> None:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for source in Path("companion/locale").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(text))
        super().run()


setup(cmdclass={"build_py": BuildTexts})
