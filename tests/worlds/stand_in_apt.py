"""An `apt-get` that installs a package of ours as the real one does: the package's script runs,
with the variables of the one who called apt, and whatever it refuses, apt is content.

What the script comes to stands in the package: a line of JSON with what an installer tells.
"""

import json
import sys
from pathlib import Path

APT = """#!{python}
import json, os, pathlib, sys
package = pathlib.Path(sys.argv[-1])
names = [pathlib.Path(word).name for word in sys.argv if word.endswith(".deb")]
pathlib.Path({ran!r}).write_text(" ".join([os.environ["COMPANION_AGREED"], *names]))
facts = json.loads(package.read_text())
if facts is None:
    print("E: Unmet dependencies.", file=sys.stderr)
    sys.exit(100)
agreed = facts["code"] == "agree" and "--agree" in os.environ["COMPANION_AGREED"]
told = facts | ({{"code": "done"}} if agreed else {{}})
pathlib.Path(os.environ["COMPANION_TOLD"]).write_text(json.dumps(told))
"""


DPKG_QUERY = """#!/bin/sh
case "$*" in *" {installed}") printf installed ;; *) exit 1 ;; esac
"""


def put_apt(folder: Path, ran: Path, installed: str = "table-companion") -> str:
    """Write it into a folder for the path of programs, with a `dpkg-query` that knows one package;
    `ran` will say how it was called."""
    folder.mkdir()
    texts = {
        "apt-get": APT.format(python=sys.executable, ran=str(ran)),
        "dpkg-query": DPKG_QUERY.format(installed=installed),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def package_that_tells(code: str, **facts: object) -> bytes:
    """A package whose version comes to this; without a code apt does not install it."""
    return json.dumps({"code": code, "text": "It is so.", **facts} if code else None).encode()
