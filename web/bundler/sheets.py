"""Joins style sheets into one, without comments, needless blanks and noughts before a point.

Laws: a blank is only left out beside a brace, a semicolon or a comma, and after a colon, where it
means nothing; strings stay as they are. A sheet that imports another is refused.
"""

import re
from collections.abc import Callable, Iterable

from .errors import BundleError

_PIECE = re.compile(
    r"""(?P<comment>/\*[\s\S]*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')
    |(?P<address>url\(\s*(?P<where>[^"')\s]*)\s*\))
    |(?P<close>(?:\s*;)*\s*\}\s*)
    |(?P<mark>\s*[{;,]\s*|:\s+)
    |(?P<blank>\s+)
    |(?P<other>[^\s"'/{};,:u]+|.)""",
    re.VERBOSE,
)
_NOUGHT = re.compile(r"(?<![\w.#])0(?=\.\d)")


def join_sheets(
    names: Iterable[str], read: Callable[[str], str], name_file: Callable[[str], str]
) -> str:
    """Return one sheet; `read` returns the text of a sheet by its name, and `name_file` the address
    of a file that a sheet refers to."""
    return "".join(_pack_sheet(name, read(name), name_file) for name in names)


def _pack_sheet(name: str, sheet: str, name_file: Callable[[str], str]) -> str:
    without = re.sub(_PIECE, lambda found: " " if found["comment"] else found[0], sheet)

    def pack_piece(found: re.Match[str]) -> str:
        if found["address"]:
            if not found["where"].startswith("/static/"):
                raise BundleError(f"{name}: refer to files by /static/…, not {found['where']}.")
            return f"url({name_file(found['where'].removeprefix('/static/'))})"
        if found["close"]:
            return "}"
        if found["mark"]:
            return found["mark"].strip()
        if found["other"]:
            return _NOUGHT.sub("", found[0])
        return " " if found["blank"] else found[0]

    packed = re.sub(_PIECE, pack_piece, without).strip()
    if "@import" in packed or "@charset" in packed:
        raise BundleError(f"{name}: name the sheets of a page in families.toml.")
    return f"{packed}\n"
