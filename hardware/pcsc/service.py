"""The PC/SC service of this machine through the `pyscard` package: the only place that imports it.

Law: every call of the service either succeeds or raises ServiceError with what it means for a
reader. A lost service is called again by the next `connect`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from companion.core.i18n import N_, message
from hardware.advice import usb_command
from hardware.errors import NotConnected

NO_PACKAGE = N_("The {package} package is missing; type: {command}")

Trouble = Literal["no service", "unplugged", "no card", "busy", "mute", "other"]
"""The service does not run; the reader is gone; the card is gone; another program has the card for
itself; the card does not answer; anything else."""

TROUBLES: Mapping[str, Trouble] = {
    "SCARD_E_NO_SERVICE": "no service",
    "SCARD_E_SERVICE_STOPPED": "no service",
    "SCARD_E_INVALID_HANDLE": "no service",
    "SCARD_E_SYSTEM_CANCELLED": "no service",
    "SCARD_F_COMM_ERROR": "no service",
    "SCARD_E_UNKNOWN_READER": "unplugged",
    "SCARD_E_READER_UNAVAILABLE": "unplugged",
    "SCARD_E_NO_READERS_AVAILABLE": "unplugged",
    "SCARD_E_NO_SMARTCARD": "no card",
    "SCARD_W_REMOVED_CARD": "no card",
    "SCARD_W_RESET_CARD": "no card",
    "SCARD_E_SHARING_VIOLATION": "busy",
    "SCARD_W_UNRESPONSIVE_CARD": "mute",
    "SCARD_W_UNPOWERED_CARD": "mute",
    "SCARD_E_NOT_TRANSACTED": "mute",
    "SCARD_E_PROTO_MISMATCH": "mute",
}
COUNTER = 16
"""From this bit on, a reader's state counts how often cards came and went."""


class ServiceError(OSError):
    """A call that the service refused, and its meaning for a reader."""

    def __init__(self, trouble: Trouble, reason: str) -> None:
        self.trouble = trouble
        super().__init__(reason)


class ReaderState(NamedTuple):
    """The state of a reader: whether a card is on it, and how often cards came and went so far."""

    has_card: bool
    is_mute: bool
    changes: int
    raw: int = 0
    """As the service said it, to be told of the next change."""


def import_pyscard() -> Any:
    """Return the package's module of plain PC/SC calls; raise NotConnected where it is missing."""
    try:
        from smartcard import scard  # noqa: PLC0415
    except ImportError as missing:
        facts = {"package": "pyscard", "command": usb_command()}
        raise NotConnected(message(NO_PACKAGE, **facts)) from missing
    return scard


class CardService:
    """One connection to the service; not to be shared between threads."""

    def __init__(self) -> None:
        self._pcsc = import_pyscard()
        self._context: object = None
        self._troubles = {
            getattr(self._pcsc, name): trouble
            for name, trouble in TROUBLES.items()
            if hasattr(self._pcsc, name)
        }

    def connect(self) -> None:
        """Connect to the service unless that is done."""
        if self._context is None:
            (self._context,) = self._call_service(
                self._pcsc.SCardEstablishContext, self._pcsc.SCARD_SCOPE_USER
            )

    def close(self) -> None:
        """End the connection; the next `connect` begins another."""
        context, self._context = self._context, None
        if context is not None:
            self._pcsc.SCardReleaseContext(context)

    def list_readers(self) -> list[str]:
        """Return the names of the readers that are plugged in."""
        try:
            (names,) = self._call_service(self._pcsc.SCardListReaders, self._context, [])
        except ServiceError as refused:
            if refused.trouble == "unplugged":
                return []
            raise
        return list(names)

    def await_change(self, reader: str, last: int, seconds: float) -> ReaderState:
        """Return the state of a reader once it differs from the last one, or after so long."""
        pcsc = self._pcsc
        code, states = pcsc.SCardGetStatusChange(
            self._context, round(seconds * 1000), [(reader, last)]
        )
        if code != pcsc.SCARD_E_TIMEOUT:
            self._check_status(code)
        state = states[0][1]
        if state & (pcsc.SCARD_STATE_UNKNOWN | pcsc.SCARD_STATE_UNAVAILABLE):
            raise ServiceError("unplugged", f"state {state:#x}")
        return ReaderState(
            bool(state & pcsc.SCARD_STATE_PRESENT),
            bool(state & pcsc.SCARD_STATE_MUTE),
            state >> COUNTER,
            state & ~pcsc.SCARD_STATE_CHANGED,
        )

    def ask_card(self, reader: str, *commands: bytes) -> list[bytes]:
        """Send commands to the card on a reader; return its answers."""
        pcsc = self._pcsc
        card, protocol = self._call_service(
            pcsc.SCardConnect,
            self._context,
            reader,
            pcsc.SCARD_SHARE_SHARED,
            pcsc.SCARD_PROTOCOL_T0 | pcsc.SCARD_PROTOCOL_T1,
        )
        frame = pcsc.SCARD_PCI_T1 if protocol == pcsc.SCARD_PROTOCOL_T1 else pcsc.SCARD_PCI_T0
        try:
            return [
                bytes(self._call_service(pcsc.SCardTransmit, card, frame, list(command))[0])
                for command in commands
            ]
        finally:
            pcsc.SCardDisconnect(card, pcsc.SCARD_LEAVE_CARD)

    def _call_service(self, function: Callable[..., Any], *arguments: object) -> list[Any]:
        answer: list[Any] = list(function(*arguments))
        self._check_status(answer[0])
        return answer[1:]

    def _check_status(self, code: int) -> None:
        """Raise ServiceError unless the code is success; end the connection to a lost service."""
        if code == self._pcsc.SCARD_S_SUCCESS:
            return
        trouble = self._troubles.get(code, "other")
        if trouble == "no service":
            self.close()
        raise ServiceError(trouble, self._pcsc.SCardGetErrorMessage(code))
