"""The manifest of the web app: by it a phone puts the table on its home screen, under its own icon.

Laws: browsers install only what comes over https or from this machine; elsewhere a phone makes a
shortcut from the same icons. It is the same for everyone but for its language, and nothing of it is
loaded before someone installs.
"""

import msgspec
from flask import Blueprint, Response

from web.rendering import templates
from web.static_files import file_addresses

blueprint = Blueprint("manifest", __name__)
TYPE = "application/manifest+json"
COLOUR = "#2c1a0e"
"""That of the rail of every page, as in base.html."""


class Icon(msgspec.Struct, frozen=True):
    """An icon: its address, its size, and whether it may be cut to any shape."""

    src: str
    sizes: str
    purpose: str = "any"
    type: str = "image/png"


class WebManifest(msgspec.Struct, frozen=True):
    """A web app manifest, as the W3C has it."""

    name: str
    short_name: str
    lang: str
    icons: tuple[Icon, ...]
    id: str = "/"
    start_url: str = "/"
    scope: str = "/"
    display: str = "standalone"
    background_color: str = COLOUR
    theme_color: str = COLOUR


@blueprint.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Return the manifest in the language of the asking browser."""
    code, address = templates.session_language(), file_addresses()
    words = templates.template_words(code)["_"]
    icons = (
        Icon(address["icons/icon-192.png"], "192x192"),
        Icon(address["icons/icon-512.png"], "512x512"),
        Icon(address["icons/maskable-512.png"], "512x512", "maskable"),
    )
    manifest = WebManifest(words("Table companion"), words("Table"), code, icons)
    return Response(msgspec.json.encode(manifest), content_type=TYPE)
