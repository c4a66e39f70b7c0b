"""Print the config as the new version reads it, as JSON; on an error exit with one sentence.

Laws: it is run by the new version's own Python, so the program that will read the files is the one
that checks them, and it reads them as the user who will. A typed profile is checked before it is
written down.
"""

import json
import sys
from contextlib import nullcontext
from pathlib import Path

from companion.app.addresses import page_addresses
from companion.app.settings import read_config
from companion.app.state_files import chosen_language, load_choices
from companion.app.wires import load_learnt_wiring, load_wiring, profile_of
from companion.backup.privileges import as_owner
from companion.core.errors import Malformed
from companion.core.i18n import get_language
from hardware.errors import HardwareError

file, folder, typed = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
try:
    with as_owner(folder) if folder.is_dir() else nullcontext():
        config = read_config(file)
        wiring = load_wiring(folder, typed or config.get("profile"))
        as_learnt = wiring == load_learnt_wiring(folder)
        lang, set_up = config.get("lang") or chosen_language(folder), load_choices(folder).set_up
except (Malformed, HardwareError) as error:
    sys.exit(get_language("en")(error.say))
address, port = config.get("address", "127.0.0.1"), config.get("port", 8000)
print(
    json.dumps(
        {
            "profile": profile_of(wiring),
            "doctor": [] if as_learnt else ["--profile", profile_of(wiring)],
            "lines": wiring.config_lines(),
            "pins": [pin for pin, _use in wiring.pin_uses()],
            "devices": [f"/dev/spidev{bus}.{device}" for bus, device in wiring.spi_devices()],
            "lang": lang,
            "address": address,
            "port": port,
            "addresses": page_addresses(address, port),
            "set_up": set_up,
        }
    )
)
