"""A disk that fails at the n-th write, sync, truncation, rename or removal of what one thread does.

Nothing below a folder that is not named is touched.
"""

import ctypes
import os
import platform
import queue
import select
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, getrlimit, setrlimit
from typing import NamedTuple

import pytest

NUMBERS = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "fsync": 74, "fdatasync": 75, "ftruncate": 77,
        "rename": 82, "mkdir": 83, "unlink": 87, "openat": 257, "mkdirat": 258, "unlinkat": 263,
        "renameat": 264, "renameat2": 316, "seccomp": 317,
    },
    "aarch64": {
        "mkdirat": 34, "unlinkat": 35, "renameat": 38, "ftruncate": 46, "openat": 56, "write": 64,
        "writev": 66, "pwrite64": 68, "fsync": 82, "fdatasync": 83, "renameat2": 276,
        "seccomp": 277,
    },
}.get(platform.machine(), {})  # fmt: skip
NAMES = {number: name for name, number in NUMBERS.items() if name != "seccomp"}
ON_FILE = ("write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate")
"""Calls whose first argument is an open file."""
HERE = -100
"""Stands for the working folder where a call takes an open folder."""
_RECEIVE, _SEND = 0xC050_2100, 0xC018_2101
_NOTICE, _REPLY = struct.Struct("QIIiIQ6Q"), struct.Struct("QqiI")
_ALLOW, _ASK, _GO_ON = 0x7FFF_0000, 0x7FC0_0000, 1
_SET_FILTER, _ACTION_AVAILABLE, _NEW_LISTENER, _NO_NEW_PRIVILEGES = 1, 2, 8, 38
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _FLAGS_AT = 0, 32
_libc = ctypes.CDLL(None, use_errno=True)


class _Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("if_so", ctypes.c_uint8),
        ("if_not", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("code", ctypes.POINTER(_Instruction))]


class DiskCall(NamedTuple):
    """A call that waits for an answer: its number, the thread that made it, and its arguments."""

    number: int
    thread: int
    name: str
    values: list[int]

    @property
    def path(self) -> str:
        """The path that it is about, or the one of its open file; OSError if there is none."""
        if self.name in ON_FILE:
            return os.readlink(f"/proc/{self.thread}/fd/{self.values[0]}")
        if self.name in ("rename", "mkdir", "unlink"):
            return self.path_at(HERE, self.values[0])
        return self.path_at(self.values[0], self.values[1])

    @property
    def new_path(self) -> str:
        """The path that something is renamed to."""
        if self.name == "rename":
            return self.path_at(HERE, self.values[1])
        return self.path_at(self.values[2], self.values[3])

    def path_at(self, folder: int, address: int) -> str:
        """Return the path that stands at this address, which may begin at an open folder."""
        path = os.fsdecode(self.read(address, 4096, ends=b"\0"))
        is_here = ctypes.c_int32(folder & 0xFFFF_FFFF).value == HERE
        base = f"/proc/{self.thread}/" + ("cwd" if is_here else f"fd/{folder}")
        return os.path.normpath(os.path.join(os.readlink(base), path))

    def read(self, address: int, length: int, ends: bytes = b"") -> bytes:
        """Return the memory of its process at this address."""
        memory = os.open(f"/proc/{self.thread}/mem", os.O_RDONLY)
        try:
            rest = length if not ends else 4096 - address % 4096  # The next page may be no memory.
            found = os.pread(memory, rest, address)
            if ends and ends not in found:
                found += os.pread(memory, length - rest, address + rest)
        finally:
            os.close(memory)
        return found.partition(ends)[0] if ends else found


def require_disk_calls() -> None:
    """Skip the test where the kernel cannot do this; on the servers that test, never."""
    ask = ctypes.c_uint32(_ASK)
    number = NUMBERS.get("seccomp", -1)
    if _libc.syscall(number, _ACTION_AVAILABLE, 0, ctypes.byref(ask)) != 0:
        assert os.environ.get("CI") != "true"
        pytest.skip("this kernel tells no program about system calls")


def watch_own_calls() -> int:
    """Stop the disk calls of this thread from now on; return the descriptor on which it asks."""
    numbers = [number for name, number in NUMBERS.items() if name not in ("seccomp", "openat")]
    code = [
        _Instruction(_LOAD, 0, 0, _NUMBER_AT),
        _Instruction(_IF_EQUAL, 0, 4, NUMBERS["openat"]),
        _Instruction(_LOAD, 0, 0, _FLAGS_AT),
        _Instruction(_IF_ANY_BIT, 0, 1, os.O_CREAT),
        _Instruction(_RETURN, 0, 0, _ASK),
        _Instruction(_RETURN, 0, 0, _ALLOW),
        *(_Instruction(_IF_EQUAL, left, 0, number)
          for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True)),
        _Instruction(_RETURN, 0, 0, _ALLOW),
        _Instruction(_RETURN, 0, 0, _ASK),
    ]  # fmt: skip
    program = _Program(len(code), (_Instruction * len(code))(*code))
    assert _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    made = _libc.syscall(NUMBERS["seccomp"], _SET_FILTER, _NEW_LISTENER, ctypes.byref(program))
    assert made >= 0, os.strerror(ctypes.get_errno())
    return int(made)


def receive_call(listener: int) -> DiskCall:
    """Return the call that waits; OSError if its process has died."""
    notice = bytearray(_NOTICE.size)
    ioctl(listener, _RECEIVE, notice)
    number, thread, _, call, _, _, *values = _NOTICE.unpack(notice)
    return DiskCall(number, thread, NAMES[call], values)


def answer_call(listener: int, call: DiskCall, error: int = 0) -> None:
    """Let a call pass, or fail with this error; OSError if its process has died."""
    reply = _REPLY.pack(call.number, 0, -error, 0 if error else _GO_ON)
    ioctl(listener, _SEND, bytearray(reply))


LOOK_EVERY = 10
"""Milliseconds after which it is seen that a thread is done that has started another one."""


class Fault(NamedTuple):
    """Which call fails, counted from 1, with which error number, and whether all later ones do."""

    at: int
    error: int
    lasting: bool = False

    def hits(self, n: int) -> bool:
        return n == self.at or (self.lasting and n > self.at)


class FailingDisk:
    """The disk below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder.resolve())

    def require(self) -> None:
        """Skip the test where the kernel cannot do this; on the servers that test, never."""
        require_disk_calls()

    def run(self, act: Callable[[], object], fault: Fault) -> int:
        """Run this in a thread whose disk fails so; return how many calls it made."""
        listener: queue.SimpleQueue[int] = queue.SimpleQueue()
        done = threading.Event()

        def work() -> None:
            listener.put(watch_own_calls())
            try:
                act()
            finally:
                done.set()

        worker = threading.Thread(target=work)
        worker.start()
        asked = listener.get()
        try:
            return self._answer(asked, fault, done)
        finally:
            worker.join()
            os.close(asked)

    def _answer(self, asked: int, fault: Fault, done: threading.Event) -> int:
        """Answer the thread, and those that it starts, until it is done."""
        poll, n = select.poll(), 0
        poll.register(asked, select.POLLIN)
        while True:
            if not poll.poll(LOOK_EVERY):
                if done.is_set():
                    return n
                continue
            if not poll.poll(0)[0][1] & select.POLLIN:
                return n
            call = receive_call(asked)
            is_ours = call.name != "openat" and self._is_below(call)
            n += is_ours
            answer_call(asked, call, fault.error if is_ours and fault.hits(n) else 0)

    def _is_below(self, call: DiskCall) -> bool:
        """Whether a call is about the folder."""
        try:
            return call.path.startswith(self._folder)
        except OSError:
            return False


# A disk that is full.


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes."""
    setrlimit(RLIMIT_FSIZE, (size, getrlimit(RLIMIT_FSIZE)[1]))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, (RLIM_INFINITY, getrlimit(RLIMIT_FSIZE)[1]))
