"""What people are told to type, and where to write: the same in every language."""

INSTALL = "pip install 'table-companion[pi]'"
DRIVER = "pip install --no-deps mfrc522==0.0.7"
NEW_GPIO = "pip uninstall -y RPi.GPIO && pip install rpi-lgpio"
ONLY_NEW_GPIO = "pip uninstall -y RPi.GPIO && pip install --force-reinstall --no-deps rpi-lgpio"
PIN_LIBRARY = "sudo apt install python3-lgpio"
CONFIG_FILE = "/boot/firmware/config.txt"
GROUPS = ("spi", "gpio")


def join(groups: tuple[str, ...] = GROUPS) -> str:
    """How to become a member of groups."""
    return f"sudo usermod -aG {','.join(groups)} $USER"
