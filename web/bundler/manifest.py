"""What the table has to know of the bundles that were made; it imports nothing of the bundler."""

import hashlib

BUNDLES = "bundles"
"""Their folder, beside the sources."""
MANIFEST = "manifest.json"
FAMILIES = "families.toml"


def content_hash(content: bytes) -> str:
    """Return what a file is known by: sixteen digits of its SHA-256."""
    return hashlib.sha256(content).hexdigest()[:16]
