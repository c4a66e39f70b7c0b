"""Commands and paths quoted in advice to the user: the same in every language.

Law: where the installer set everything up, the advice is to run the installer again, never pip.
"""

import sys
from pathlib import Path

INSTALLER = "sudo systemd/install"
HOME = Path("/opt/companion")
"""Where it keeps its versions, and a link to the one that is to run."""
INSTALL = "pip install RPi.GPIO spidev"
BUILD_LIBRARIES = "pip install ezdxf manifold3d trimesh"
INSTALL_USB = "sudo apt install pcscd libpcsclite-dev swig && pip install pyscard"
START_SERVICE = "sudo apt install pcscd && sudo systemctl start pcscd"
UNLOAD_RIVAL = "sudo modprobe -r pn533_usb"
DRIVER = "pip install --no-deps mfrc522==0.0.7"
NEW_GPIO = "pip uninstall -y RPi.GPIO && pip install rpi-lgpio"
ONLY_NEW_GPIO = "pip uninstall -y RPi.GPIO && pip install --force-reinstall --no-deps rpi-lgpio"
PIN_LIBRARY = "sudo apt install python3-lgpio"
CONFIG_FILE = "/boot/firmware/config.txt"
GROUPS = ("spi", "gpio")


def is_installed() -> bool:
    """Return whether this program runs from where the installer puts it."""
    return Path(sys.prefix).is_relative_to(HOME)


def command_to_type(manual: str, by_installer: bool | None = None) -> str:
    """Return the command to type: the manual one, or the installer where it set this up."""
    return INSTALLER if (is_installed() if by_installer is None else by_installer) else manual


def join_groups_command(groups: tuple[str, ...] = GROUPS) -> str:
    """Return the command that adds the user to these groups."""
    return f"sudo usermod -aG {','.join(groups)} $USER"
