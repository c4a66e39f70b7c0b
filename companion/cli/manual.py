"""The man page of all commands, in each language, made from their parsers when a package is built.

Law: it needs argparse-manpage, a tool of developers; the program reads none of it. The same parsers
make the same bytes.
"""

import os
import re
from gettext import gettext
from pathlib import Path

from companion import __version__
from companion.cli import COMMANDS, exit_codes, make_parser
from companion.cli.completion import complete
from companion.cli.language import spoken_by_argparse
from companion.core.i18n import LANGUAGES, N_

HEADINGS = {
    "NAME": N_("NAME"),
    "SYNOPSIS": N_("SYNOPSIS"),
    "DESCRIPTION": N_("DESCRIPTION"),
    "OPTIONS": N_("OPTIONS"),
    "COMMANDS": N_("COMMANDS"),
}
STATUS, SEE = N_("EXIT STATUS"), N_("ENVIRONMENT")
ENVIRONMENT = {
    "COMPANION_DATA": N_("The data folder, where --data names none."),
    "LANGUAGE, LC_ALL, LC_MESSAGES, LANG": N_("The language of the output."),
    "NO_COLOR": N_("If set, no colours are used."),
}
COMPLETIONS = {
    "bash": "bash-completion/completions/companion",
    "zsh": "zsh/vendor-completions/_companion",
}
"""The file for each shell, below /usr/share."""
HEADING = re.compile(r"^\.SH ([A-Z]+)$", re.MULTILINE)

UNNAMED = re.compile(r"^\.SH\n.+$", re.MULTILINE)
"""The heading of the commands, to argparse so many positional arguments."""


def make_manual(language: str) -> str:
    """Return the man page in this language, in roff."""
    from argparse_manpage.manpage import Manpage

    os.environ["COLUMNS"] = "80"
    with spoken_by_argparse(language):
        parser = make_parser(*COMMANDS)
        parser.epilog = None
        told = {"version": __version__, "manual_title": gettext("Table companion"), "date": ""}
        told["description"] = gettext("A referee for card games with secret bids.").rstrip(".")
        page = str(Manpage(parser, told, format="single-commands-section"))
        page = HEADING.sub(lambda found: f".SH {gettext(HEADINGS.get(found[1], found[1]))}", page)
        page = UNNAMED.sub(f".SH {gettext(HEADINGS['COMMANDS'])}", page)
        statuses = {str(status): text for status, text in exit_codes.MEANINGS.items()}
        return page.rstrip() + _list(STATUS, statuses) + _list(SEE, ENVIRONMENT) + "\n"


def _list(heading: str, rows: dict[str, str]) -> str:
    lines = [f"\n.SH {gettext(heading)}"]
    for name, text in rows.items():
        lines += [".TP", f".B {name}", gettext(text).replace("-", "\\-")]
    return "\n".join(lines)


def write_manuals(folder: Path) -> None:
    """Write the man pages below this folder, as /usr/share/man has them."""
    for language in LANGUAGES:
        section = folder / ("" if language == LANGUAGES[0] else language) / "man1"
        section.mkdir(parents=True)
        (section / "companion.1").write_text(make_manual(language), "utf-8")


def write_completions(folder: Path) -> None:
    """Write what shells need to complete the commands, where they look below /usr/share."""
    for shell, name in COMPLETIONS.items():
        path = folder / name
        path.parent.mkdir(parents=True)
        with spoken_by_argparse(LANGUAGES[0]):
            path.write_text(complete(shell), "utf-8")
