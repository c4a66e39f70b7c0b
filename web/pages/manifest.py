"""The manifest of the web app: by it a phone puts the table on its home screen, under its own icon.

Laws: browsers install only pages over https or from this machine; elsewhere a phone makes a
shortcut from the same icons. It is the same for everyone but for its language, and nothing of it is
loaded before someone installs.
"""

import msgspec
from flask import Blueprint, Response

from web.rendering.game_words import template_words
from web.rendering.screens import session_language
from web.static_files import file_addresses

blueprint = Blueprint("manifest", __name__)
TYPE = "application/manifest+json"
COLOUR = "#2c1a0e"
"""Colour of the rail of every page, as in base.html."""


@blueprint.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Return the manifest in the language of the asking browser."""
    code, address = session_language(), file_addresses()
    words = template_words(code)["_"]
    icons = (("icon-192", "192x192", "any"), ("icon-512", "512x512", "any"),
             ("maskable-512", "512x512", "maskable"))  # fmt: skip
    manifest = {
        "name": words("Table companion"),
        "short_name": words("Table"),
        "lang": code,
        "icons": [
            {"src": address[f"icons/{name}.png"], "sizes": sizes, "purpose": purpose,
             "type": "image/png"}
            for name, sizes, purpose in icons
        ],
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
    }  # fmt: skip
    return Response(msgspec.json.encode(manifest), content_type=TYPE)
