"""The list of parts (SBOM): what others wrote of what is released, as CycloneDX JSON.

Laws: it names every library with its version, its licence and the hashes under which it may be
installed, and every file of others that we pack; it is the same for the same commit.
"""

from __future__ import annotations

import json
import re
import tomllib
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, files, metadata
from pathlib import Path

from .source import read_version

NAME = "table-companion"
LOCK = "systemd/packaging/locks/run.txt"
PACKED = {"hardware/vendor/manifest.toml": "pypi", "web/static/vendor/manifest.toml": "npm"}
"""The manifests of what we pack, and where it was published."""
MIT = "Permission is hereby granted, free of charge, to any person obtaining a"
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
    """Yield the libraries that are installed with the companion."""
    for name, version, rest in PIN.findall((tree / LOCK).read_text("utf-8")):
        hashes = sorted(re.findall(r"sha256:([0-9a-f]{64})", rest))
        described = _describe_part("pypi", name, version, _read_licence(name))
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


def _read_licence(name: str) -> dict[str, object]:
    """Return the licence of an installed library, as its own papers say it."""
    try:
        papers = metadata(name)
    except PackageNotFoundError:
        return {"license": {"name": "not installed where this list was made"}}
    if "License-Expression" in papers:
        return {"expression": papers["License-Expression"]}
    kinds = [each for each in papers.get_all("Classifier") or () if each.startswith("License ::")]
    told = kinds[0].rpartition(" :: ")[2] if kinds else ""
    told = told or (papers["License"] if "License" in papers else _read_title(name))
    return {"license": {"name": told.strip().partition("\n")[0]}}


def _read_title(name: str) -> str:
    """Return how the licence file of an installed library begins, or that it is MIT."""
    for file in files(name) or ():
        if "licenses" in file.parts:
            text = file.read_text("utf-8").strip()
            return "MIT" if MIT in text else text
    return "unknown"
