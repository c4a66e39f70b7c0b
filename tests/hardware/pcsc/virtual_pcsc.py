"""A real `pcscd` of our own with virtual readers, and hands that lay cards on them.

The service listens at a socket in a folder of the test; its readers are those of the package
`vsmartcard-vpcd`, which wait on a port for a card: a client that connects is a card that is laid
down, and one that hangs up is a card that is lifted. Messages both ways begin with their length.
"""

import os
import secrets
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

DAEMON = "/usr/sbin/pcscd"
DRIVER = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
NAME = "ACS ACR122U PICC Interface"
"""As the real one is called; the service adds the number of the reader and its slot."""
SLOTS = 2
FIRST_PORT, LAST_PORT = 20_000, 32_000
ATR = bytes.fromhex("3b8f8001804f0ca0000003060300030000000068")
POWER_OFF, POWER_ON, RESET, GET_ATR = b"\x00", b"\x01", b"\x02", b"\x04"
GET_UID, BEEPER_OFF = bytes.fromhex("ffca000000"), bytes.fromhex("ff00520000")
DONE, UNKNOWN = b"\x90\x00", b"\x6d\x00"
STARTING = 60
"""Seconds that the service may take to listen."""

LAUNCH = """
import os, sys
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Hands a socket over as systemd does, because the service makes its own at one place only."""


def missing_parts() -> str:
    """Return the missing part without which the service cannot run, or ""."""
    if not Path(DAEMON).exists() or not DRIVER.exists():
        return "pcscd and vsmartcard-vpcd are not installed"
    if not Path("/run/pcscd").is_dir() and os.geteuid() != 0:
        return "/run/pcscd cannot be made by this user"
    try:
        import smartcard.scard  # noqa: F401
    except ImportError:
        return "pyscard is not installed"
    return ""


def _without_polkit() -> list[str]:
    """Return the option by which everyone may use the service, where it knows one."""
    told = subprocess.run([DAEMON, "--help"], capture_output=True, text=True, check=False)
    return ["--disable-polkit"] if "--disable-polkit" in told.stdout + told.stderr else []


class VirtualCard:
    """A card on a virtual reader, from when it is laid there until it is lifted."""

    def __init__(self, port: int, uid: bytes) -> None:
        self._uid = uid
        self.commands: list[bytes] = []
        """What it was asked, but for power and reset."""
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=STARTING)
        self._socket.settimeout(None)
        self._thread = threading.Thread(target=self._answer, daemon=True)
        self._thread.start()

    def lift(self) -> None:
        """Take the card off the reader."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _answer(self) -> None:
        with suppress(OSError):
            while command := self._receive():
                if command == GET_ATR:
                    self._send(ATR)
                elif command not in (POWER_OFF, POWER_ON, RESET):
                    self.commands.append(command)
                    self._send(self._reply(command))

    def _reply(self, command: bytes) -> bytes:
        if command == GET_UID:
            return self._uid + DONE
        return DONE if command == BEEPER_OFF else UNKNOWN

    def _receive(self) -> bytes:
        """Return the next message; empty when the reader hung up."""
        size = self._socket.recv(2, socket.MSG_WAITALL)
        return self._socket.recv(*struct.unpack(">H", size), socket.MSG_WAITALL) if size else b""

    def _send(self, answer: bytes) -> None:
        self._socket.sendall(struct.pack(">H", len(answer)) + answer)


class VirtualService:
    """A service with two virtual readers at neighbouring ports."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.socket_path = folder / "pcscd.comm"
        self._config = folder / "readers"
        self._config.mkdir(parents=True, exist_ok=True)
        self._name, self.port = name, 0
        self._daemon: subprocess.Popen[bytes] | None = None

    @property
    def names(self) -> list[str]:
        """The names under which the service lists its readers."""
        return [f"{self._name} 00 0{slot}" for slot in range(SLOTS)]

    def start(self, readers: bool = True) -> None:
        """Start the service at ports of its own, with its readers plugged in or without any."""
        self.port = _free_ports(SLOTS)
        text = (
            f'FRIENDLYNAME "{self._name}"\nDEVICENAME /dev/null:0x{self.port:04X}\n'
            f"LIBPATH {DRIVER}\nCHANNELID 0x{self.port:04X}\n"
        )
        (self._config / "vpcd").write_text(text if readers else "")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(self.socket_path))
            listening.listen()
            handed = listening.fileno()
            command = [sys.executable, "-c", LAUNCH, str(handed), DAEMON, "--foreground"]
            self._daemon = subprocess.Popen(
                [*command, *_without_polkit(), "--config", str(self._config)],
                pass_fds=[handed],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        if readers:
            self._await_readers()

    def stop(self) -> None:
        """Stop the service; who asks it then is refused."""
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait()
            self._daemon = None
        self.socket_path.unlink(missing_ok=True)

    def lay(self, uid: str, slot: int = 0) -> VirtualCard:
        """Lay a card on the reader of a slot."""
        return VirtualCard(self.port + slot, bytes.fromhex(uid))

    def _await_readers(self) -> None:
        """Wait until every slot's port can be connected to."""
        end = time.monotonic() + STARTING
        for slot in range(SLOTS):
            while True:
                try:
                    socket.create_connection(("127.0.0.1", self.port + slot)).close()
                    break
                except OSError:
                    assert time.monotonic() < end, "pcscd does not start"
                    time.sleep(0.02)


def _free_ports(count: int) -> int:
    """Return the first of so many neighbouring ports that are free just now, below those that the
    kernel gives to others."""
    while True:
        first = FIRST_PORT + secrets.randbelow(LAST_PORT - FIRST_PORT - count)
        with ExitStack() as probes, suppress(OSError):
            for port in range(first, first + count):
                probes.enter_context(socket.create_server(("127.0.0.1", port)))
            return first
