"""A disk that fails at the n-th write, sync, truncation, rename or removal of what one thread does.

The kernel itself refuses: a filter on the system calls of a thread (seccomp) asks this module about
each of them, which lets it pass or answers with an error number. Python, SQLite and the product are
as they are, and nothing below a folder that is not named is touched.
"""

import ctypes
import os
import platform
import queue
import select
import struct
import threading
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from typing import NamedTuple

import pytest

CALLS = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "fsync": 74, "fdatasync": 75, "ftruncate": 77,
        "rename": 82, "mkdir": 83, "unlink": 87, "mkdirat": 258, "unlinkat": 263, "renameat": 264,
        "renameat2": 316, "seccomp": 317,
    },
    "aarch64": {
        "mkdirat": 34, "unlinkat": 35, "renameat": 38, "ftruncate": 46, "write": 64, "writev": 66,
        "pwrite64": 68, "fsync": 82, "fdatasync": 83, "renameat2": 276, "seccomp": 277,
    },
}  # fmt: skip
ON_FILE = ("write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate")
"""Calls whose first argument is an open file."""
RECEIVE, SEND = 0xC050_2100, 0xC018_2101
NOTICE, REPLY = struct.Struct("QIIiIQ6Q"), struct.Struct("QqiI")
ALLOW, ASK = 0x7FFF_0000, 0x7FC0_0000
GO_ON = 1
HERE = -100
"""Stands for the working folder where a call takes an open folder."""
LOOK_EVERY = 10
"""Milliseconds after which it is seen that a thread is done that has started another one."""
SET_FILTER, ACTION_AVAILABLE, NEW_LISTENER, NO_NEW_PRIVILEGES = 1, 2, 8, 38
libc = ctypes.CDLL(None, use_errno=True)


class Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("if_so", ctypes.c_uint8),
        ("if_not", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("code", ctypes.POINTER(Instruction))]


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
        numbers = CALLS.get(platform.machine(), {})
        self._names = {number: name for name, number in numbers.items() if name != "seccomp"}
        self._seccomp = numbers.get("seccomp", -1)

    def require(self) -> None:
        """Skip the test where the kernel cannot do this; on the servers that test, never."""
        ask = ctypes.c_uint32(ASK)
        if libc.syscall(self._seccomp, ACTION_AVAILABLE, 0, ctypes.byref(ask)) != 0:
            assert os.environ.get("CI") != "true"
            pytest.skip("this kernel tells no program about system calls")

    def run(self, act: Callable[[], object], fault: Fault) -> int:
        """Run this in a thread whose disk fails so; return how many calls it made."""
        listener: queue.SimpleQueue[int] = queue.SimpleQueue()
        done = threading.Event()

        def work() -> None:
            listener.put(self._install())
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

    def _install(self) -> int:
        """Filter the calling thread; return the descriptor on which it asks."""
        code = [Instruction(0x20, 0, 0, 0)]  # Load the number of the call.
        for left, number in zip(range(len(self._names) - 1, -1, -1), self._names, strict=True):
            code.append(Instruction(0x15, left + 1, 0, number))
        code += [Instruction(0x06, 0, 0, ALLOW), Instruction(0x06, 0, 0, ASK)]
        program = Program(len(code), (Instruction * len(code))(*code))
        assert libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        made = libc.syscall(self._seccomp, SET_FILTER, NEW_LISTENER, ctypes.byref(program))
        assert made >= 0, os.strerror(ctypes.get_errno())
        return int(made)

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
            notice = bytearray(NOTICE.size)
            ioctl(asked, RECEIVE, notice)
            number, _, _, call, _, _, *values = NOTICE.unpack(notice)
            is_ours = self._is_below(self._names[call], values)
            n += is_ours
            failing = is_ours and fault.hits(n)
            reply = REPLY.pack(number, 0, -fault.error if failing else 0, 0 if failing else GO_ON)
            ioctl(asked, SEND, bytearray(reply))

    def _is_below(self, call: str, values: list[int]) -> bool:
        """Whether a call is about the folder; it is one of this process."""
        try:
            if call in ON_FILE:
                path = os.readlink(f"/proc/self/fd/{values[0]}")
            elif "at" in call:
                path = _path_from(values[0], values[1])
            else:
                path = _path_from(HERE, values[0])
        except OSError:
            return False
        return path.startswith(self._folder)


def _path_from(folder: int, address: int) -> str:
    """Return the path that stands at this address, which may begin at an open folder."""
    path = os.fsdecode(ctypes.string_at(address))
    is_here = ctypes.c_int32(folder & 0xFFFF_FFFF).value == HERE
    return str(Path("." if is_here else os.readlink(f"/proc/self/fd/{folder}"), path).absolute())
