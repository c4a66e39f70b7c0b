"""The code that a phone's camera reads: an address as a drawing in the page itself.

Law: pure, and without a style of its own, so that it passes the page's strict policy; colours come
from the style sheet, by the classes `qr` and `qr-line`. Only an address is drawn, never a secret.
"""

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=16)
def qr_svg(address: str) -> Markup:
    """The address as SVG, as large as its place; the page says in words what it is."""
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, svgclass="qr", lineclass="qr-line", border=4))
