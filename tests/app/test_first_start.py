"""The first evening without a keyboard: what the owner writes on the card is taken, and it says how
one gets in, until the table is set up."""

import os
import re
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.app import state_files
from companion.app.first_start import CARD, FirstStart
from companion.caretaker.network import PROFILE_FILE, join_wifi, open_hotspot
from companion.core.errors import Malformed, Refusal
from companion.host.pin import Pin
from companion.hotspot.plan import CONNECTION_FILE, DEFAULT_NAME, KEPT_FILE, load_wifi, parse_wifi
from companion.identity import IdentityStore
from companion.identity.schema import FILE
from companion.setup import SavedSetup
from companion.setup.card_file import ACCESS_FILE, CARD_FILE, parse_card, write_card
from tests.worlds.paths import ROOT

NMCLI = """#!/bin/sh
echo "nmcli $*" >> {log}
case "$*" in
*DEVICE,TYPE,STATE*) echo wlan0:wifi:disconnected ;;
*--active*) echo companion-hotspot ;;
*"up companion-wifi") exit 4 ;;
esac
"""
RAISES = '#!/bin/sh\necho "raspi-config $*" >> {log}\n'


class Flashed:
    """A Pi with a card that was just flashed."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.card, self.data, self.root = (folder / name for name in ("card", "data", "root"))
        self.log = folder / "log"
        programs = folder / "bin"
        for made in (self.card, self.data, self.root, programs):
            made.mkdir()
        for name, text in {"nmcli": NMCLI, "nft": RAISES, "raspi-config": RAISES}.items():
            (programs / name).write_text(text.format(log=self.log))
            (programs / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
        self.write(write_card())

    def write(self, text: bytes | str) -> None:
        (self.card / CARD_FILE).write_bytes(text.encode() if isinstance(text, str) else text)

    def fill_in(self, **values: str) -> None:
        """Write behind the equals signs, as one does in an editor."""
        text = (self.card / CARD_FILE).read_text("utf-8")
        for name, value in values.items():
            key = name.replace("_", "-")
            assert f"{key} =\n" in text
            text = text.replace(f"{key} =\n", f"{key} = {value}\n")
        self.write(text)

    def starts(self) -> str:
        """Start it; return how one gets in, as the card says."""
        FirstStart(self.card, self.data, self.root).take()
        access = self.card / ACCESS_FILE
        return access.read_text("utf-8") if access.exists() else ""

    def told(self, label: str) -> str:
        """What the card says under a label."""
        rows = (self.card / ACCESS_FILE).read_text("utf-8").splitlines()
        return next(row.partition(": ")[2] for row in rows if row.startswith(f"{label}: "))

    def lets_in(self, digits: str) -> bool:
        with closing(IdentityStore(self.data / FILE)) as store:
            return not isinstance(Pin(store).check_pin(digits, 0.0), Refusal)

    @property
    def owners_file(self) -> str:
        return (self.card / CARD_FILE).read_text("utf-8")

    @property
    def saved(self) -> SavedSetup:
        return state_files.load_choices(self.data)

    def is_set_up(self) -> None:
        saved = msgspec.structs.replace(self.saved, set_up=True)
        state_files.save_choices(self.data, saved)


@pytest.fixture
def flashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flashed:
    return Flashed(tmp_path, monkeypatch)


def test_with_nothing_written_the_card_says_wifi_password_and_pin(flashed: Flashed) -> None:
    before = flashed.owners_file
    flashed.starts()
    assert flashed.told("Wi-Fi") == DEFAULT_NAME
    assert flashed.told("Page") == "http://10.71.0.1:8000/first"
    assert flashed.lets_in(flashed.told("PIN"))
    open_hotspot(8000, (), flashed.root)
    made = parse_wifi((flashed.root / str(CONNECTION_FILE)[1:]).read_text())
    assert (made.name, made.password) == (DEFAULT_NAME, flashed.told("Password"))
    assert load_wifi(flashed.root) == made, "the screen shows the same"
    assert flashed.owners_file == before
    assert made.password not in flashed.log.read_text()


def test_a_wifi_that_cannot_be_joined_leaves_a_way_in_that_one_knows(flashed: Flashed) -> None:
    flashed.starts()
    open_hotspot(8000, (), flashed.root, table="Küche")
    with pytest.raises(Malformed, match="Zu Hause was not joined"):
        join_wifi("Zu Hause", "wrong horse", 8000, (), flashed.root)
    again = parse_wifi((flashed.root / str(CONNECTION_FILE)[1:]).read_text())
    assert (again.name, again.password) == ("Küche", flashed.told("Password"))
    assert not (flashed.root / str(PROFILE_FILE)[1:]).exists()


def test_it_stays_the_same_until_the_table_is_set_up_and_is_deleted_then(flashed: Flashed) -> None:
    first = flashed.starts()
    assert flashed.starts() == first
    assert flashed.lets_in(flashed.told("PIN"))
    flashed.is_set_up()
    assert flashed.starts() == ""
    assert flashed.starts() == ""
    kept = flashed.root / str(KEPT_FILE)[1:]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_what_the_owner_wrote_is_taken_and_no_secret_of_theirs_stays(flashed: Flashed) -> None:
    flashed.fill_in(
        name="Runder Tisch", language="de", pin="271828", country="de", wifi="Zu Hause",
        wifi_password="correct horse", own_password="aces and eights",
    )  # fmt: skip
    access = flashed.starts()
    assert (flashed.saved.name, flashed.saved.language) == ("Runder Tisch", "de")
    assert flashed.lets_in("271828")
    assert flashed.told("Wi-Fi") == "Runder Tisch"
    assert flashed.told("Password") == "aces and eights"
    assert "PIN: " not in access, "its owner knows it"
    assert "So kommst du hinein" in access
    assert parse_card(flashed.owners_file.encode()) == {}
    assert "271828" not in flashed.owners_file + access
    assert "correct horse" not in flashed.owners_file + access + flashed.log.read_text()
    profile = (flashed.root / str(PROFILE_FILE)[1:]).read_text()
    assert "ssid=Zu Hause\n" in profile
    assert "psk=correct horse\n" in profile
    assert "raspi-config nonint do_wifi_country DE" in flashed.log.read_text()
    open_hotspot(8000, (), flashed.root, table="Runder Tisch")
    made = parse_wifi((flashed.root / str(CONNECTION_FILE)[1:]).read_text())
    assert (made.name, made.password) == ("Runder Tisch", "aces and eights")


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("pin", "123456", "among the first that people try"),
        ("pin", "12345", "A PIN has six digits"),
        ("language", "tlh", "The table speaks en, fr and de"),
        ("country", "Germany", "A country has two letters"),
        ("own_password", "short", "has 8 to 63 plain characters"),
        ("wifi", "a;b", "a Wi-Fi has 1 to 32 plain characters"),
        ("name", "x" * 31, "at most 30 letters"),
    ],
)
def test_what_cannot_be_used_stays_with_a_sentence_and_the_rest_is_taken(
    key: str, value: str, says: str, flashed: Flashed
) -> None:
    other = {"name": "Table 7"} if key != "name" else {"language": "en"}
    flashed.fill_in(**{key: value}, **other)
    flashed.starts()
    written = flashed.owners_file
    assert says in written
    assert parse_card(written.encode()) == {key.replace("_", "-"): value}
    assert {"name": flashed.saved.name, "language": flashed.saved.language}.items() >= other.items()
    assert flashed.lets_in(flashed.told("PIN")), "there is a way in all the same"
    again = flashed.owners_file
    flashed.starts()
    assert flashed.owners_file == again


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_editor_will_do(coding: str, end: str, flashed: Flashed) -> None:
    flashed.write(f"Name = Küche{end}# pin = 111111{end}pin: 314159{end}".encode(coding))
    flashed.starts()
    assert flashed.saved.name == "Küche"
    assert flashed.lets_in("314159")


def test_a_file_that_is_no_text_is_written_anew_and_says_so(flashed: Flashed) -> None:
    flashed.write(os.urandom(200) + b"\xff\xff")
    flashed.starts()
    assert "is no plain text in UTF-8." in flashed.owners_file
    assert flashed.lets_in(flashed.told("PIN"))


def test_a_pin_of_which_the_card_spoke_before_the_power_went_is_replaced(flashed: Flashed) -> None:
    flashed.starts()
    first = flashed.told("PIN")
    for path in flashed.data.glob(f"{FILE}*"):  # It was not yet on the disk.
        path.unlink()
    flashed.starts()
    assert flashed.told("PIN") != first
    assert flashed.lets_in(flashed.told("PIN"))


def test_a_pin_that_the_table_has_is_not_replaced_unless_its_owner_writes_one(
    flashed: Flashed,
) -> None:
    state_files.choose_pin(flashed.data, "161803")
    assert "PIN: " not in flashed.starts()
    assert flashed.lets_in("161803")
    flashed.is_set_up()
    flashed.fill_in(pin="271828")
    assert flashed.starts() == ""
    assert flashed.lets_in("271828"), "who holds the card has forgotten the PIN"


def test_a_pin_that_is_replaced_is_no_longer_on_the_card(flashed: Flashed) -> None:
    flashed.starts()
    assert flashed.told("PIN")
    state_files.choose_pin(flashed.data, "161803")
    access = flashed.starts()
    assert "PIN: " not in access
    assert flashed.told("Password")
    assert "161803" not in access


def test_the_file_that_the_image_lays_on_the_card_is_the_one_that_is_read() -> None:
    script = (
        ROOT / "systemd/packaging/image/stage-companion/00-companion/02-run-chroot.sh"
    ).read_text()
    (module,) = re.findall(r"/opt/companion/current/bin/python -I -m (\S+) empty >(\S+)", script)
    assert module == ("companion.app.first_start", f"{CARD}/{CARD_FILE}")
    said = subprocess.run(
        [sys.executable, "-m", module[0], "empty"], check=True, capture_output=True, cwd=ROOT
    )
    assert said.stdout == write_card()
