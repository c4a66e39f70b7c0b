"""The Debian package of the screen at the Pi itself: its unit, its user, what its browser may do.

Laws: it is a package of its own, so that a table without a screen gets no browser; it is the same
for every machine, as no program is in it.
"""

from __future__ import annotations

from pathlib import Path

from .package_files import MAKER, count_size, write_changelog, write_control_files, write_files
from .package_files import write_package as pack
from .source import ReleaseFailed

NAME = "table-companion-kiosk"
UNIT = "companion-kiosk.service"
POLICY = f"usr/lib/{NAME}/policy.json"
SCRIPTS = "systemd/packaging/debian/kiosk"
SYSUSERS = """u companion-kiosk - "Table screen" /var/lib/companion-kiosk
m companion-kiosk video
m companion-kiosk render
m companion-kiosk input
"""
CONTROL = """Package: {name}
Version: {version}
Architecture: all
Maintainer: {maker}
Installed-Size: {size}
Depends: table-companion (= {version}), cage, chromium, systemd
Section: misc
Priority: optional
Description: table screen of the table companion, on a monitor at the Pi
 It shows the table in a browser that fills the screen and opens nothing else,
 from the start of the machine on: how phones join, and, at a new table, the code
 with which its owner sets it up.
"""
WAITS = "until (: <>/dev/tcp/localhost/8000)"
STARTS = "ExecStart=/usr/bin/env "
PAGE = "http://localhost:8000/table?kiosk"
READ = "read -r port _ </opt/companion/served"


def make_kiosk_package(
    tree: Path, root: Path, system: str, version: str, moment: int, out: Path
) -> Path:
    """Make the package for a system; return its path."""
    write_files(
        root,
        {
            f"usr/lib/systemd/system/{UNIT}": read_kiosk_unit(tree),
            POLICY: (tree / "systemd/companion-kiosk.json").read_text("utf-8"),
            f"usr/lib/sysusers.d/{NAME}.conf": SYSUSERS,
            f"usr/share/doc/{NAME}/copyright": (tree / "LICENSE").read_text("utf-8"),
        },
    )
    write_changelog(root, NAME, system, version, moment)
    fields = {"name": NAME, "version": version, "maker": MAKER, "size": count_size(root)}
    write_control_files(root, CONTROL.format(**fields), tree / SCRIPTS)
    return pack(root, out / f"{NAME}_{version}_all.deb", (), moment)


def read_kiosk_unit(tree: Path) -> str:
    """Return the unit as it is in the package: it reads at each start where the pages answer."""
    text = (tree / "systemd" / UNIT).read_text("utf-8")
    (start,) = (line for line in text.splitlines() if line.startswith(STARTS))
    if WAITS not in text or PAGE not in start:
        raise ReleaseFailed(f"systemd/{UNIT} does not start as its package expects.")
    command = start.removeprefix("ExecStart=").replace(
        PAGE, '"http://localhost:$$port/table?kiosk"'
    )
    return text.replace(start, f"ExecStart=/bin/bash -c '{READ}; exec {command}'").replace(
        WAITS, f"{READ}; until (: <>/dev/tcp/localhost/$$port)"
    )
