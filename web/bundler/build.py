"""Writes the bundles of all pages, and the manifest that says what they were made of.

Laws: the name of a bundle holds a hash of its bytes, so that a browser may keep it for ever; the
manifest has the hash of every source, and is written last. Bundles are packed here, once.
"""

import json
import sys
import tomllib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import BundleError
from .manifest import BUNDLES, FAMILIES, MANIFEST, content_hash
from .modules import Module, read_module
from .scripts import join_modules
from .sheets import join_sheets

WEB = Path(__file__).parents[1]
COMPRESSION = 9
GZIP = 16 + zlib.MAX_WBITS
MEMORY_LEVELS = range(5, 10)
"""Less memory makes shorter blocks, which suit some texts better; all are read alike."""


def main() -> None:
    """Write the bundles; if that fails, end with the sentence why."""
    try:
        build_bundles()
    except BundleError as why:
        sys.exit(f"The scripts and sheets cannot be joined: {why}")


def build_bundles(static: Path = WEB / "static", families: Path = WEB / FAMILIES) -> None:
    """Write a script and a sheet for each family of pages into `static`/bundles; remove those that
    not even the manifest before names, which a running table may still serve."""
    sources = _Sources(static)
    made = dict(_make_families(sources, tomllib.loads(families.read_text("utf-8"))))
    folder = static / BUNDLES
    folder.mkdir(exist_ok=True)
    before = (folder / MANIFEST).read_text("utf-8") if (folder / MANIFEST).is_file() else ""
    for name, text in {pair for files in made.values() for pair in files.values()}:
        (folder / name).write_text(text, "utf-8")
        (folder / f"{name}.gz").write_bytes(pack_tightly(text.encode()))
    told = {
        "families": {
            family: {kind: f"{BUNDLES}/{name}" for kind, (name, _) in files.items()}
            for family, files in made.items()
        },
        "sources": {FAMILIES: content_hash(families.read_bytes())} | sources.hashes,
    }
    manifest = json.dumps(told, indent=1, sort_keys=True) + "\n"
    (folder / f"{MANIFEST}.new").write_text(manifest, "utf-8")
    (folder / f"{MANIFEST}.new").replace(folder / MANIFEST)
    for old in folder.iterdir():
        if old.name != MANIFEST and old.name.removesuffix(".gz") not in manifest + before:
            old.unlink()


def pack_tightly(content: bytes) -> bytes:
    """Return the shortest gzip file of this content that zlib finds; it has no date."""
    found = []
    for level in MEMORY_LEVELS:
        packer = zlib.compressobj(COMPRESSION, zlib.DEFLATED, GZIP, level)
        found.append(packer.compress(content) + packer.flush())
    return min(found, key=len)


class _Sources:
    """Reads sources, and remembers the hash of each."""

    def __init__(self, static: Path) -> None:
        self._static = static
        self.hashes: dict[str, str] = {}
        self._modules: dict[str, Module] = {}

    def read_source(self, name: str) -> str:
        """Return the text of a source."""
        return self._read_bytes(name).decode("utf-8")

    def _read_bytes(self, name: str) -> bytes:
        content = (self._static / name).read_bytes()
        self.hashes[name] = content_hash(content)
        return content

    def load_module(self, name: str) -> Module:
        """Return a module; each is read once."""
        if name not in self._modules:
            self._modules[name] = read_module(name, self.read_source(name))
        return self._modules[name]

    def name_file(self, name: str) -> str:
        """Return the address by which a browser may keep a file."""
        self._read_bytes(name)
        return f"/static/{name}?v={self.hashes[name]}"


def _make_families(
    sources: _Sources, families: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, tuple[str, str]]]]:
    """Yield each family with its files: their kind, name and text."""
    for family, wanted in families.items():
        files: dict[str, tuple[str, str]] = {}
        if wanted["scripts"]:
            scripts = [f"js/{name}.mjs" for name in wanted["scripts"]]
            script = join_modules(scripts, sources.load_module)
            files["script"] = (_name_bundle(wanted["scripts"][-1], "js", script), script)
        if wanted["sheets"]:
            sheets = [f"css/{name}.css" for name in wanted["sheets"]]
            sheet = join_sheets(sheets, sources.read_source, sources.name_file)
            files["sheet"] = (_name_bundle(wanted["sheets"][-1], "css", sheet), sheet)
        yield family, files


def _name_bundle(name: str, suffix: str, text: str) -> str:
    return f"{name}-{content_hash(text.encode())}.{suffix}"
