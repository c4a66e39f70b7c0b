"""`systemd/install --profile`: one line of somebody's config changes, and nothing else in it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.app.wires import load_unlearnt_wiring, save_wiring
from installer.config import absolute_profile, with_profile
from installer.machine import InstallFailed
from installer.pi import CONFIG_TXT as BOOT
from installer.service import check_profile_visible
from installer.system import CONFIG, DATA, EXAMPLE
from tests.worlds.pi_folder import CONFIG_TXT, Workbench, install, tree

Said = pytest.CaptureFixture[str]
TEXT = EXAMPLE.read_text("utf-8")
"""As it is installed, with or without the line asleep."""
FIVE = "dtparam=spi=on\ndtoverlay=spi1-3cs"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'profile = "five-readers"\n'),
        ("demo = true", 'demo = true\nprofile = "five-readers"\n'),
        ('#profile = "eight-readers"\nport = 80\n', 'profile = "five-readers"\nport = 80\n'),
        ("profile='mine.toml' # mine\r\nport=80", 'profile = "five-readers" # mine\r\nport=80'),
        ('#profile = "a"\nprofile = "b"\n', '#profile = "a"\nprofile = "five-readers"\n'),
    ],
)
def test_the_line_is_written_where_it_belongs(before: str, after: str) -> None:
    assert with_profile(before, "five-readers") == after


LINES = ("# Words.", "port = 80", 'lang = "de"', "demo = true", "", '#profile = "x"', " ")


@given(st.lists(st.sampled_from(LINES), unique=True), st.text(max_size=9), st.booleans())
def test_all_other_lines_of_the_config_stay(lines: list[str], profile: str, named: bool) -> None:
    assume(profile.isprintable())
    before = "\n".join([*lines, *(['profile = "old"'] if named else [])])
    after = with_profile(before, profile)
    assert tomllib.loads(after) == {**tomllib.loads(before), "profile": profile}
    others = [line for line in after.split("\n") if not line.startswith("profile = ")]
    assert set(others) >= {line for line in lines if not line.startswith("#profile")}
    assert with_profile(after, profile) == after


@pytest.mark.parametrize("text", ['"profile" = "a"\n', "port = \n", "[table]\n", "profile = 3\n"])
def test_a_config_that_cannot_be_changed_safely_is_left_alone(text: str) -> None:
    with pytest.raises(InstallFailed, match="write it there by hand"):
        with_profile(text, "five-readers")


def test_the_profile_comes_into_both_files_once(bench: Workbench, source: Path) -> None:
    install(bench, source)
    bench.write_file(CONFIG, f"{TEXT}# Ana was here.\n")
    install(bench, source, "--profile", "five-readers")
    after, before = bench.read_text(CONFIG).splitlines(), [*TEXT.splitlines(), "# Ana was here."]
    assert [line for line in after if line not in before] == ['profile = "five-readers"']
    assert len(after) == len(before)
    assert FIVE in bench.read_text(BOOT)
    was = tree(bench.root)
    install(bench, source, "--profile", "five-readers")
    assert tree(bench.root) == was


def test_a_fresh_pi_takes_it_at_once_and_gives_it_back(bench: Workbench, source: Path) -> None:
    before = tree(bench.root)
    install(bench, source, "--profile", "phones-only")
    assert tomllib.loads(bench.read_text(CONFIG))["profile"] == "phones-only"
    assert bench.read_text(BOOT) == CONFIG_TXT
    install(bench, source, "--uninstall")
    assert tree(bench.root) == before, "nobody but us has written into the config"


def test_a_profile_that_does_not_exist_is_written_nowhere(
    bench: Workbench, source: Path, capsys: Said
) -> None:
    install(bench, source)
    was = tree(bench.root)
    assert install(bench, source, "--profile", "ten-readers") == 1
    said = capsys.readouterr().err
    assert said.startswith("There is no wiring profile 'ten-readers'; type one of")
    assert said.count("\n") == 1
    assert tree(bench.root) == was


def test_what_the_service_cannot_see_is_no_profile() -> None:
    check_profile_visible("eight-readers")
    check_profile_visible("/etc/companion/mine.toml")
    assert absolute_profile("five-readers") == "five-readers"
    with pytest.raises(InstallFailed, match="copy the profile to /etc/companion/mine"):
        check_profile_visible(absolute_profile("/home/ana/mine.toml"))


def test_without_a_line_it_is_what_was_learnt_in_the_browser(
    bench: Workbench, source: Path
) -> None:
    install(bench, source)
    bench.write_file(CONFIG, 'lang = "en"\n')
    save_wiring(bench.path_of(DATA), load_unlearnt_wiring("five-readers"))
    install(bench, source)
    assert FIVE in bench.read_text(BOOT)
