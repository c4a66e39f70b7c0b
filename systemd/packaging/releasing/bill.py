"""The list of parts (SBOM): what others wrote of what is released, as CycloneDX JSON.

Laws: it names every library with its version, its licence and the hashes under which it may be
installed, those that only a Pi, a floor or an extra has as optional ones, and every file of others
that we pack. It depends on the commit alone, not on what is installed where it is made.
"""

from __future__ import annotations

import json
import re
import tomllib
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from .source import ReleaseFailed, read_version

NAME = "table-companion"
LOCKS = "systemd/packaging/locks"
LISTS = ("run", "mdns", "play", "pi", "usb")
"""The lists of what is installed anywhere; the first has what every table needs."""
PACKED = {
    "hardware/vendor/manifest.toml": "pypi",
    "web/static/vendor/manifest.toml": "npm",
    "systemd/packaging/fonts.toml": "github",
}
"""The manifests of what we pack, and where it was published."""
PIN = re.compile(r"^([\w.-]+)==([\w.]+)[^\n]*((?:\n[ \t]+[^\n]*)*)", re.MULTILINE)


def write_bill(tree: Path, moment: int) -> str:
    """Return the list of parts of the source in a folder, which was committed at this moment."""
    version, parts = read_version(tree), [*_list_libraries(tree), *_list_packed(tree)]
    root = {
        "type": "application", "bom-ref": NAME, "name": NAME, "version": version,
        "licenses": [{"expression": _own_licence(tree)}],
    }  # fmt: skip
    date = datetime.fromtimestamp(moment, UTC).isoformat()
    told: dict[str, object] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": date, "component": root},
        "components": parts,
        "dependencies": [{"ref": NAME, "dependsOn": [part["bom-ref"] for part in parts]}],
    }  # fmt: skip
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(told, sort_keys=True))
    return json.dumps({**told, "serialNumber": f"urn:uuid:{number}"}, indent=1) + "\n"


def _own_licence(tree: Path) -> str:
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["license"])


def _list_libraries(tree: Path) -> Iterator[dict[str, object]]:
    """Yield the libraries that are installed with the companion, each once."""
    licences = tomllib.loads((tree / LOCKS / "licences.toml").read_text("utf-8"))
    pinned = {
        pin[0]: (pin, scope)
        for scope, names in (("optional", LISTS[1:]), ("required", LISTS[:1]))
        for list_name in names
        for pin in PIN.findall((tree / LOCKS / f"{list_name}.txt").read_text("utf-8"))
    }
    for name in sorted(pinned):
        (_, version, rest), scope = pinned[name]
        if name not in licences:
            raise ReleaseFailed(f"{LOCKS}/licences.toml does not say the licence of {name}.")
        hashes = sorted(re.findall(r"sha256:([0-9a-f]{64})", rest))
        licence = {"expression": licences[name]}
        described = _describe_part("pypi", name, version, licence) | {"scope": scope}
        file = {
            "type": "distribution",
            "url": described["purl"],
            "hashes": _describe_hashes(hashes),
        }
        yield described | {"externalReferences": [file]}


def _list_packed(tree: Path) -> Iterator[dict[str, object]]:
    """Yield the code of others that is packed as it was published."""
    for manifest, kind in PACKED.items():
        for name, part in tomllib.loads((tree / manifest).read_text("utf-8")).items():
            licence = {"expression": part["licence"]}
            described = _describe_part(kind, part.get("package", name), part["version"], licence)
            packed = part.get("files") or {part["file"]: part["sha256"]}
            yield described | {
                "components": [
                    {"type": "file", "name": file, "hashes": _describe_hashes([digest])}
                    for file, digest in packed.items()
                ]
            }


def _describe_hashes(digests: Sequence[str]) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": digest} for digest in digests]


def _describe_part(
    kind: str, name: str, version: str, licence: dict[str, object]
) -> dict[str, object]:
    reference = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    return {
        "type": "library", "bom-ref": reference, "name": name, "version": version,
        "purl": reference, "licenses": [licence],
    }  # fmt: skip
