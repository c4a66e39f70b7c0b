"""The man page, the completion of shells, and the list of exit statuses."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli import COMMANDS, exit_codes
from companion.cli.manual import make_manual, write_completions, write_manuals
from companion.core.i18n import LANGUAGES, get_language
from tests.worlds.paths import ROOT

ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)


def test_the_page_lists_the_exit_statuses_as_they_are() -> None:
    listed = ROW.findall((ROOT / "docs/commands.md").read_text("utf-8"))
    assert listed == [(str(status), text) for status, text in exit_codes.MEANINGS.items()]


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_man_page_has_every_command_and_no_fault(language: str, tmp_path: Path) -> None:
    page, words = make_manual(language), get_language(language)
    for name in COMMANDS:
        assert f"companion {name}" in page.replace("\\-", "-"), name
    for text in exit_codes.MEANINGS.values():
        assert words.render(text, {}).replace("-", "\\-") in page
    if shutil.which("groff") is None:
        pytest.skip("groff is missing")
    command = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z"]
    done = subprocess.run(command, input=page, capture_output=True, text=True, check=False)
    faults = [
        line for line in done.stderr.splitlines() if "break" not in line and "adjust" not in line
    ]
    assert (done.returncode, faults) == (0, [])


@pytest.mark.wide
def test_written_twice_they_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("one", "other"):
        write_manuals(tmp_path / name / "man")
        write_completions(tmp_path / name)
    files = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) == 5
    for path in files:
        assert (
            path.read_bytes()
            == (tmp_path / "other" / path.relative_to(tmp_path / "one")).read_bytes()
        )


@pytest.mark.wide
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_understands_its_completion(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is missing")
    write_completions(tmp_path)
    (file,) = tmp_path.rglob("companion" if shell == "bash" else "_companion")
    done = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    if shell == "bash":
        ask = (
            f"source {file}; COMP_WORDS=(companion sta); COMP_CWORD=1; COMP_LINE='companion sta'; "
            "COMP_POINT=13; COMP_TYPE=9; "
            "$(complete -p companion | sed 's/.*-F \\([^ ]*\\).*/\\1/') companion sta companion; "
            'echo "${COMPREPLY[@]}"'
        )
        told = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=False)
        assert told.stdout.split() == ["status"]
