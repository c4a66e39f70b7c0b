"""Memory of the process: have large blocks returned to the system as soon as they are freed.

Without this, the C library keeps such a block for the next one, in each thread that ever had one.
"""

import ctypes

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
LARGE_BLOCK = 1024 * 1024
"""Bytes from which a block is mapped by itself."""
ARENAS = 2
"""Pools that the threads share: what a flood leaves in a pool of its own stays there."""


def return_large_blocks() -> None:
    """Fix these settings, where the C library has them."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)
