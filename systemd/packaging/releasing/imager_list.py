"""The list for Raspberry Pi Imager: one image, with its sizes and hashes, as JSON.

Law: sizes and hashes are read from the image itself, packed and unpacked; nothing is typed.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

DEVICES = ("pi3-64bit", "pi4-64bit", "pi5-64bit")
CHUNK = 1 << 20


def describe_image(
    image: Path, address: str, version: str, moment: int
) -> dict[str, list[dict[str, object]]]:
    """Return the list with an image (.img.xz) that is offered at an address."""
    packed, plain = hashlib.sha256(), hashlib.sha256()
    size = 0
    with image.open("rb") as file:
        while chunk := file.read(CHUNK):
            packed.update(chunk)
    with lzma.open(image) as file:
        while chunk := file.read(CHUNK):
            plain.update(chunk)
            size += len(chunk)
    entry: dict[str, object] = {
        "name": f"Table companion {version}",
        "description": "A table of real cards: readers, sealed bids, explained pay-outs.",
        "url": address,
        "release_date": datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d"),
        "extract_size": size,
        "extract_sha256": plain.hexdigest(),
        "image_download_size": image.stat().st_size,
        "image_download_sha256": packed.hexdigest(),
        "init_format": "systemd",
        "devices": list(DEVICES),
    }
    return {"os_list": [entry]}


def main(words: Sequence[str]) -> int:
    """Print the list for IMAGE ADDRESS VERSION; return the exit status."""
    if len(words) != 3:
        print("usage: systemd/packaging/imager IMAGE.img.xz ADDRESS VERSION", file=sys.stderr)
        return 2
    image = Path(words[0])
    moment = int(image.stat().st_mtime)
    print(json.dumps(describe_image(image, words[1], words[2], moment), indent=1))
    return 0
