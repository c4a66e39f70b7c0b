"""`companion texts` on the command line, for a game of another package."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.core.i18n import get_language, message
from tests.worlds.installed_games import installed, write_game

MORE = """
WHARF = N_("Ships lie at {n} wharves.")
SHARED = N_("no one")
MORE = {}
"""
WHARF = 'msgid "Ships lie at {n} wharves."\nmsgstr '


def test_the_texts_of_a_game_are_collected_translated_and_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = write_game(tmp_path, "harbour", more=MORE)
    (package / "templates").mkdir()
    (package / "templates" / "quay.html").write_text('<p>{{ _("The quay of {name}", name=n) }}')
    po = package / "locale" / "de" / "LC_MESSAGES" / "harbour.po"
    with installed("harbour-games", {"harbour": "harbour_game:GAME"}, tmp_path):
        assert main(["texts", "harbour"]) == 0
        assert f"{po}: 2 texts, 2 to translate\n" in capsys.readouterr().out
        mo = po.with_suffix(".mo")
        mo.unlink()
        mo.mkdir()  # A file that cannot be written, for root too.
        assert main(["texts", "harbour"]) == 2
        assert "companion texts: harbour.po cannot be written: " in capsys.readouterr().err
        mo.rmdir()
        told = po.read_text("utf-8")
        assert "#: templates/quay.html" in told
        assert "no one" not in told  # The companion says it as well.
        po.write_text(told.replace(f'{WHARF}""', f'{WHARF}"Schiffe an {{n}} Kais."'), "utf-8")
        assert main(["texts", "harbour"]) == 0
        assert f"{po}: 2 texts, 1 to translate\n" in capsys.readouterr().out
    with installed("harbour-games", {"harbour": "harbour_game:GAME"}, tmp_path):
        words = get_language("de")
        assert words(message("Ships lie at {n} wharves.", n=2)) == "Schiffe an 2 Kais."
        assert words(message("The quay of {name}", name="Ana")) == "The quay of Ana"
