"""The floors that a table is paired with: the key of each, and the counter of its last act.

Laws: what is not signed with the key of a floor that stands here is refused. A counter is on disk
before its act is done, and no counter counts twice: if the power fails in between, the act is lost
and never repeated. Nothing here needs a clock, but for the minutes in which a code is waited for.
A floor that is revoked, also by another program, is refused from the next request on.
"""

import errno
import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.core.durable_files import disk_sentence, make_folder, remove_file, write_file
from companion.core.errors import NotWritten, Refusal, refusal
from companion.floor.broker import BrokerLogin
from companion.floor.floor_key import ActSignature, is_same_signature, sign_act_digest
from companion.floor.pairing import PairingAnswer, PairingOffer, answer_offer, code_of, read_code
from companion.floor.table_on_floor import LONGEST

FOLDER = "floors"
PATIENCE = 180.0
"""Seconds in which the floor has to come after its code was typed."""
MOST_FLOORS = 4
HEX = frozenset("0123456789abcdef")


class PairedFloor(msgspec.Struct, frozen=True):
    """A floor that may act at this table: id, name, key, the counter of its last act, and the login
    at its broker, if it has told one."""

    floor: str
    name: str
    key: str
    counter: int = 0
    broker: BrokerLogin | None = None


class ProvenAct(msgspec.Struct, frozen=True):
    """An act that a floor has signed; `next_counter` is set if its counter was used before."""

    floor: PairedFloor
    counter: int
    next_counter: int = 0


class PairedFloors:
    """The floors of the table of this data folder; without a folder there are none."""

    def __init__(
        self,
        folder: Path | None = None,
        table: Callable[[], str] = str,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._folder = None if folder is None else folder / FOLDER
        self._table, self._clock, self._lock = table, clock, threading.Lock()
        self._awaited, self._until = "", 0.0
        self._answered: tuple[PairingOffer, PairingAnswer] | None = None
        self.on_broker: Callable[[], object] = lambda: None
        """Called when a floor told its broker, or was revoked."""

    @property
    def awaited(self) -> str:
        """The code of the floor that is waited for; empty if none is."""
        return self._awaited if self._clock() < self._until else ""

    def list_floors(self) -> list[PairedFloor]:
        """Return the floors that may act here, by name."""
        if self._folder is None:
            return []
        found = (self._load_floor(path.stem) for path in sorted(self._folder.glob("*.json")))
        return sorted((one for one in found if one is not None), key=lambda one: one.name)

    # Pairing.

    def await_floor(self, typed: str) -> Refusal | None:
        """Wait for the floor of this code from now on; Refusal if it can be none."""
        code = read_code(typed)
        if not code or self._folder is None:
            text = "This is no code of a floor: it has sixteen letters and digits."
            return refusal("no_code", "T.host", text)
        if len(self.list_floors()) >= MOST_FLOORS:
            text = "This table is paired with {n} floors already: remove one first."
            return refusal("too_many_floors", "T.host", text, n=MOST_FLOORS)
        with self._lock:
            self._awaited, self._until, self._answered = code, self._clock() + PATIENCE, None
        return None

    def stop_waiting(self) -> None:
        """Wait for no floor any more."""
        with self._lock:
            self._awaited, self._answered = "", None

    def take_offer(self, offer: PairingOffer) -> PairingAnswer | Refusal:
        """Pair with the floor that is waited for; its offer may come again if the answer was lost.

        Raise NotWritten if the key cannot be kept.
        """
        with self._lock:
            if self._answered is not None and self._answered[0] == offer:
                return self._answered[1]
            if not self._is_awaited(offer):
                text = "This table waits for no such floor: its host types the code first."
                return refusal("not_awaited", "T.host", text)
            agreed = answer_offer(offer, self._table())
            if agreed is None:
                return refusal("not_awaited", "T.host", "The floor sent no key.")
            answer, key = agreed
            self._save_floor(PairedFloor(offer.floor, _clean_name(offer.name), key.hex()))
            self._awaited, self._answered = "", (offer, answer)
            return answer

    def _is_awaited(self, offer: PairingOffer) -> bool:
        return bool(self.awaited) and code_of(bytes.fromhex(offer.public_key)) == self.awaited

    def revoke_floor(self, floor: str) -> bool:
        """Forget a floor and its key; return whether there was one. NotWritten if that fails."""
        if self._folder is None or not set(floor) <= HEX:
            return False
        with self._lock_folder():
            try:
                remove_file(self._folder / f"{floor}.json")
            except FileNotFoundError:
                return False
            except OSError as error:
                raise NotWritten(floor, disk_sentence(error.errno or errno.EIO)) from None
        self.on_broker()
        return True

    def keep_broker(self, floor: str, login: BrokerLogin) -> None:
        """Keep the login at the broker of a floor; NotWritten if the disk does not take it."""
        with self._lock_folder():
            kept = self._load_floor(floor)
            if kept is not None:
                self._write_floor(msgspec.structs.replace(kept, broker=login))
        self.on_broker()

    def list_brokers(self) -> list[BrokerLogin]:
        """Return the logins that the floors told, one for each broker."""
        told = [floor.broker for floor in self.list_floors() if floor.broker is not None]
        return list({login.address: login for login in told}.values())

    # Acts.

    def check_act(self, signature: ActSignature, path: str, digest: str) -> ProvenAct | None:
        """Use up the counter of an act whose body has this SHA-256, in hexadecimal; None if no
        paired floor signed it.

        Raise NotWritten if the counter cannot be kept: then the act is not to be done.
        """
        if self._folder is None or not self._folder.is_dir():
            return None
        with self._lock_folder():
            floor = self._find_signer(signature, path, digest)
            if floor is None:
                return None
            if signature.counter <= floor.counter:
                return ProvenAct(floor, signature.counter, floor.counter + 1)
            self._write_floor(msgspec.structs.replace(floor, counter=signature.counter))
            return ProvenAct(floor, signature.counter)

    def is_next_act(self, signature: ActSignature, path: str, digest: str) -> bool:
        """Check that a paired floor signed this act, with a counter that stays unused here."""
        floor = None if self._folder is None else self._find_signer(signature, path, digest)
        return floor is not None and signature.counter > floor.counter

    def _find_signer(self, signature: ActSignature, path: str, digest: str) -> PairedFloor | None:
        floor = self._load_floor(signature.floor)
        if floor is None:
            return None
        signed = sign_act_digest(bytes.fromhex(floor.key), path, signature.counter, digest)
        return floor if is_same_signature(signed, signature.value) else None

    def _load_floor(self, floor: str) -> PairedFloor | None:
        assert self._folder is not None
        try:
            found = msgspec.json.decode(
                (self._folder / f"{floor}.json").read_bytes(), type=PairedFloor
            )
            return found if found.floor == floor and len(bytes.fromhex(found.key)) == 32 else None
        except (OSError, ValueError):
            return None

    def _save_floor(self, floor: PairedFloor) -> None:
        assert self._folder is not None
        make_folder(self._folder)
        with self._lock_folder():
            self._write_floor(floor)

    def _write_floor(self, floor: PairedFloor) -> None:
        assert self._folder is not None
        write_file(self._folder / f"{floor.floor}.json", msgspec.json.encode(floor), 0o600)

    @contextmanager
    def _lock_folder(self) -> Iterator[None]:
        """Keep other threads and programs out: what one revokes another must not write again."""
        assert self._folder is not None
        make_folder(self._folder)
        held = os.open(self._folder, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)


def _clean_name(name: str) -> str:
    return "".join(sign for sign in " ".join(name.split())[:LONGEST] if sign.isprintable())
