"""Installation of the packages for the pins, in the order that does not break, and its check.

Law: RPi.GPIO and rpi-lgpio own the same files, and the one installed last wins. So the wrong
one never gets in, the right one comes last, and then the files themselves are checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from .libraries import UNISOLATED, Libraries
from .machine import InstallFailed, TargetMachine
from .pi import Pi

DRIVER = "hardware/vendor/mfrc522-0.0.7-py3-none-any.whl"
"""As it was published; it wants RPi.GPIO, which is why nothing that it wants comes with it."""

ASK = """
import base64, hashlib, os, sys, tempfile
from importlib.metadata import distributions
from pathlib import Path

wanted, live = sys.argv[1], sys.argv[2] == "live"
own = [d for d in distributions() if Path(str(d.locate_file(""))).is_relative_to(sys.prefix)]
found = {d.metadata["Name"].lower(): d for d in own}
both = {"rpi.gpio", "rpi-lgpio"} & found.keys()
if both != {wanted.lower()}:
    sys.exit(f"{wanted} should be there alone, and there is: {', '.join(sorted(both)) or 'none'}.")
for file in found[wanted.lower()].files or ():
    if file.hash is None:
        continue
    path = Path(str(file.locate()))
    data = path.read_bytes() if path.is_file() else b""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    if digest != file.hash.value:
        sys.exit(f"{file} of {wanted} was overwritten or is missing.")
with tempfile.TemporaryDirectory() as os.environ["LG_WD"]:  # lgpio leaves a file somewhere.
    for name in ("spidev", "lgpio", "RPi.GPIO", "mfrc522"):
        try:
            __import__(name)
        except (RuntimeError, NotImplementedError) as elsewhere:
            if live:
                sys.exit(f"{name} does not work on this Pi: {elsewhere}.")
        except ImportError as missing:
            sys.exit(f"{name} cannot be imported: {missing}.")
"""
"""Run by the new version's own Python; it says in one sentence what is wrong."""


def install_packages(libraries: Libraries, pi: Pi) -> None:
    """Install the driver, the bus and the pins; the package for this board last of all."""
    libraries.install_folder(f"{libraries.folder}/source/{DRIVER}")
    libraries.install("pi", *UNISOLATED, only="spidev")
    if pi.system == "bookworm":  # Later ones have no wheel of it; there it is Debian's.
        libraries.install("pi", "--only-binary", ":all:", only="lgpio")
    libraries.install("pi", *UNISOLATED, only=pi.gpio_package, anew=True)


def check_packages(machine: TargetMachine, pi: Pi, python: Sequence[str]) -> None:
    """Raise InstallFailed unless the right package is there alone, whole and importable."""
    done = machine.run(
        *python, "-IB", "-c", ASK, pi.gpio_package, "live" if machine.live else "folder"
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["no word"]
        raise InstallFailed(f"The package for the pins is not right: {said[-1]}")
