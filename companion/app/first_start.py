"""Take what the owner has written on the card, and write there how one gets in: what
`companion-first.service` runs before the table, as root.

Laws: it acts only where the owner's file lies on the card. Until the set-up is done, a file beside
it says Wi-Fi, password and PIN; afterwards it is deleted. A PIN that exists is replaced only by one
that the owner has written. The digits are on the card before they are the PIN, so no power cut
leaves a PIN that no one can know.
"""

import logging
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from companion.app import state_files
from companion.app.settings import read_port
from companion.backup.privileges import as_owner
from companion.caretaker.network import plan_known_wifi
from companion.core.durable_files import remove_file, write_file
from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import LANGUAGES, N_, Message
from companion.core.log_lines import log_line
from companion.floor.table_on_floor import check_place
from companion.host.pin import draw_digits
from companion.hotspot import plan, radio
from companion.hotspot.apply import take_steps
from companion.hotspot.wifi import Wifi
from companion.setup import SavedSetup
from companion.setup.card_file import (
    ACCESS_FILE,
    CARD_FILE,
    MOST,
    Access,
    parse_card,
    read_access_pin,
    write_access,
    write_card,
)

LOG = logging.getLogger("companion.app")
CARD = Path("/boot/firmware")
DATA = Path("/var/lib/companion")
BAD_PASSWORD = N_("The password of the table’s own Wi-Fi has 8 to 63 plain characters.")
BAD_LANGUAGE = N_("The table speaks en, fr and de.")
BAD_COUNTRY = N_("A country has two letters, such as DE.")
COUNTRY_NOT_SET = N_("The country of the Wi-Fi could not be set here.")


class FirstStart:
    """One start of a table whose card has the owner's file."""

    def __init__(self, card: Path = CARD, data: Path = DATA, root: Path = Path("/")) -> None:
        self._card, self._data, self._root = card, data, root
        self._file, self._access = card / CARD_FILE, card / ACCESS_FILE

    def take(self) -> None:
        """Take what is written, then write how one gets in, or delete that once it is needless."""
        read = self._read(self._file)
        faults: dict[str, Message] = {}
        try:
            written = parse_card(read)
        except Malformed as wrong:
            written, faults = {}, {"name": wrong.say}
        for keys, take in self._takers():
            if any(written.get(key) for key in keys):
                try:
                    take(written)
                except ExplainedError as wrong:
                    faults[keys[0]] = wrong.say
        left = {
            key: written[key]
            for keys, _ in self._takers()
            if keys[0] in faults
            for key in keys
            if key in written
        }
        saved = self._load()
        languages = [saved.language] if saved.language in LANGUAGES else LANGUAGES
        self._tell_access(saved, languages)
        told = write_card(languages, left, faults)
        if (written or faults) and told != read:
            write_file(self._file, told)
        LOG.info(log_line("card_read", taken=len(written) - len(left), faults=len(faults)))

    def _takers(self) -> Sequence[tuple[tuple[str, ...], Callable[[Mapping[str, str]], None]]]:
        """Return what is taken together, in this order, and by what."""
        return (
            (("name",), self._take_name),
            (("language",), self._take_language),
            (("country",), self._take_country),
            (("pin",), self._take_pin),
            (("own-password",), self._take_own_password),
            (("wifi", "wifi-password"), self._take_wifi),
        )

    def _take_name(self, written: Mapping[str, str]) -> None:
        saved = self._load()
        name = check_place(written["name"], saved.place).name
        self._save(replace(saved, name=name))
        kept = plan.load_kept_wifi(self._root)
        if kept is not None:
            self._keep(replace(kept, name=plan.name_after(name)))

    def _take_language(self, written: Mapping[str, str]) -> None:
        language = written["language"].lower()
        if language not in LANGUAGES:
            raise Malformed("language", BAD_LANGUAGE)
        self._save(replace(self._load(), language=language))

    def _take_country(self, written: Mapping[str, str]) -> None:
        country = written["country"].upper()
        if not (country.isascii() and country.isalpha() and len(country) == 2):
            raise Malformed("country", BAD_COUNTRY)
        program = shutil.which("raspi-config")
        words = (program or "", "nonint", "do_wifi_country", country)
        if program is None or subprocess.run(words, capture_output=True, check=False).returncode:
            raise Malformed("country", COUNTRY_NOT_SET)

    def _take_pin(self, written: Mapping[str, str]) -> None:
        state_files.choose_pin(self._data, written["pin"])

    def _take_own_password(self, written: Mapping[str, str]) -> None:
        password = written["own-password"]
        if not plan.is_valid_password(password):
            raise Malformed("own-password", BAD_PASSWORD)
        self._keep(Wifi(self._wifi_name(), password))

    def _take_wifi(self, written: Mapping[str, str]) -> None:
        device = radio.choose_radio(None, dry_run=False)
        name, password = written.get("wifi", ""), written.get("wifi-password", "")
        take_steps(plan_known_wifi(name, password, device), self._root)

    def _tell_access(self, saved: SavedSetup, languages: Sequence[str]) -> None:
        """Write how one gets in until the table is set up; delete it from then on."""
        if saved.set_up:
            with suppress(FileNotFoundError):
                remove_file(self._access)
            return
        wifi = plan.load_kept_wifi(self._root)
        if wifi is None:
            wifi = Wifi(self._wifi_name(), plan.new_password())
            self._keep(wifi)
        before = self._read(self._access)
        made = "" if state_files.has_pin(self._data) else draw_digits()
        told_before = read_access_pin(before)
        still = bool(told_before) and not made and state_files.is_pin(self._data, told_before)
        pin = made or (told_before if still else "")
        port = read_port(None, self._root)
        elsewhere = f"http://{socket.gethostname()}.local:{port}/first"
        page = f"{plan.page_address(port)}first"
        told = write_access(Access(wifi.name, wifi.password, page, elsewhere, pin), languages)
        if told != before:
            write_file(self._access, told)
        if made:
            state_files.choose_pin(self._data, made)

    def _wifi_name(self) -> str:
        return plan.name_after(self._load().name)

    def _keep(self, wifi: Wifi) -> None:
        take_steps((plan.keep_step(wifi),), self._root)

    def _load(self) -> SavedSetup:
        with as_owner(self._data):
            return state_files.load_choices(self._data)

    def _save(self, saved: SavedSetup) -> None:
        with as_owner(self._data):
            state_files.save_choices(self._data, saved)

    @staticmethod
    def _read(path: Path) -> bytes:
        with suppress(FileNotFoundError), path.open("rb") as file:
            return file.read(MOST)
        return b""


if __name__ == "__main__":
    if sys.argv[1:] == ["empty"]:  # What an image is made with.
        sys.stdout.buffer.write(write_card())
    else:
        logging.basicConfig(level=logging.INFO, format="%(message)s")
        FirstStart().take()
