"""What the new version says of the config: run by its own Python, it prints JSON, or one sentence.

Law: the program that will read the file is the one that checks it.
"""

import json
import sys
from pathlib import Path

from companion.cli.addresses import to_type
from companion.cli.config import read
from companion.errors import Malformed
from companion.texts import language
from hardware.errors import Said
from hardware.wiring import DEFAULT, load

try:
    config = read(Path(sys.argv[1]))
    wiring = load(config.get("profile", DEFAULT))
except (Malformed, Said) as error:
    sys.exit(language("en")(error.say))
port = config.get("port", 8000)
print(
    json.dumps(
        {
            "profile": config.get("profile", DEFAULT),
            "lines": wiring.config_lines(),
            "pins": [pin for pin, _use in wiring.uses()],
            "devices": [f"/dev/spidev{bus}.{device}" for bus, device in wiring.lines()],
            "lang": config.get("lang", "en"),
            "port": port,
            "addresses": to_type(config.get("address", "127.0.0.1"), port),
        }
    )
)
