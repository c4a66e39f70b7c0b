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
pathlib.Path({ran!r}).write_text(" ".join([os.environ["COMPANION_AGREED"], package.name]))
facts = json.loads(package.read_text())
if facts is None:
    print("E: Unmet dependencies.", file=sys.stderr)
    sys.exit(100)
agreed = facts["code"] == "agree" and "--agree" in os.environ["COMPANION_AGREED"]
told = facts | ({{"code": "done"}} if agreed else {{}})
pathlib.Path(os.environ["COMPANION_TOLD"]).write_text(json.dumps(told))
"""


def put_apt(folder: Path, ran: Path) -> str:
    """Write it into a folder for the path of programs; `ran` will say how it was called."""
    folder.mkdir()
    program = folder / "apt-get"
    program.write_text(APT.format(python=sys.executable, ran=str(ran)))
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def package_that_tells(code: str, **facts: object) -> bytes:
    """A package whose version comes to this; without a code apt does not install it."""
    return json.dumps({"code": code, "text": "It is so.", **facts} if code else None).encode()
