"""Compiles the catalogues of texts and the templates while the package is built; all else is in
pyproject.toml."""

import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

NO_DATE = datetime(1980, 1, 1, tzinfo=UTC)
"""For the head of a catalogue, else the minute of the build: two builds have the same bytes."""


class BuildFiles(build_py):
    """Turns every .po of the companion and of its games into the .mo that gettext reads, and the
    templates of pages and games into web/compiled_templates."""

    def run(self) -> None:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for source in Path("companion").glob("**/LC_MESSAGES/*.po"):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                texts = read_po(text)
                texts.creation_date = texts.revision_date = NO_DATE
                write_mo(compiled, texts)
        sys.path.insert(0, str(Path(__file__).with_name("web")))
        # The package `web` itself would need Flask.
        import_module("rendering.compiled_templates").compile_templates()
        super().run()


setup(cmdclass={"build_py": BuildFiles})
