"""The code of others that comes with us is as it was published, under the licence that it names."""

import hashlib
import tomllib
from zipfile import ZipFile

from tests.worlds.paths import ROOT

FOLDER = ROOT / "hardware/vendor"
MANIFEST = tomllib.loads((FOLDER / "manifest.toml").read_text("utf-8"))
TEXTS = {"GPL-3.0.txt", "LGPL-3.0.txt"}


def test_it_is_what_was_published() -> None:
    files = {part["file"]: part["sha256"] for part in MANIFEST.values()}
    assert {path.name for path in FOLDER.iterdir()} == {"manifest.toml", *TEXTS, *files}
    for name, digest in files.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest


def test_its_licence_is_that_of_its_own_header_and_lies_beside_it() -> None:
    with ZipFile(FOLDER / MANIFEST["mfrc522"]["file"]) as wheel:
        header = wheel.read("mfrc522/MFRC522.py").decode()[:1_200]
    assert "GNU Lesser General Public License" in header
    assert "version 3 of the License, or" in header
    assert MANIFEST["mfrc522"]["licence"] == "LGPL-3.0-or-later"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert MANIFEST["mfrc522"]["licence"] in project["license"].split(" AND ")
    listed = {path.name for glob in project["license-files"] for path in ROOT.glob(glob)}
    assert listed >= TEXTS | {"LICENSE"}
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (FOLDER / "LGPL-3.0.txt").read_text("utf-8")
