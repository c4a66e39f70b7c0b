"""The memory and the commands of an NTAG213 sticker.

Law: the data sheet's memory map, 45 pages of four bytes, and its answers: data with CRC_A, or
four bits without: ACK Ah, NAK 0h (argument), 1h (CRC). After a NAK the tag waits again.
Not here: password protection of pages (AUTH0), the counter, COMPATIBILITY_WRITE.
"""

from hardware.simulator.frame import Frame, answer_wait, has_valid_crc, with_crc
from hardware.simulator.tag import CASCADE_TAG, Tag, TagAnswer

PAGES = 45
USER = range(0x04, 0x28)
_ACK, _BAD_ARGUMENT, _BAD_CRC = 0xA, 0x0, 0x1
_VERSION = bytes.fromhex("0004040201000f03")
_STATIC_LOCKS, _CC, _DYNAMIC_LOCKS, _PWD, _PACK = 2, 3, 0x28, 0x2B, 0x2C


def factory_memory(uid: bytes) -> bytearray:
    """Return the memory as it leaves the factory."""
    memory = bytearray(4 * PAGES)
    first = CASCADE_TAG ^ uid[0] ^ uid[1] ^ uid[2]
    second = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
    memory[0:9] = uid[:3] + bytes([first]) + uid[3:] + bytes([second])
    memory[9] = 0x48
    memory[12:24] = bytes.fromhex("e1101200 0103a00c 340300fe")
    memory[160:176] = bytes.fromhex("000000bd 040000ff 00050000 ffffffff")
    return memory


class Ntag213(Tag):
    """A sticker with 144 bytes for its owner."""

    kind = "ntag213"

    def __init__(self, uid: bytes, *, boot_ns: int = 4_500_000, write_ns: int = 4_100_000) -> None:
        if len(uid) != 7:
            raise ValueError(f"An NTAG213 has a UID of 7 bytes, not {len(uid)}.")
        super().__init__(uid, sak=0x00, boot_ns=boot_ns)
        self.memory = factory_memory(uid)
        self._write_wait = answer_wait() + write_ns
        self._commands = {
            (0x60, 1): self._get_version,
            (0x30, 2): self._answer_read,
            (0x3A, 3): self._fast_read,
            (0xA2, 6): self._answer_write,
            (0x1B, 5): self._answer_password,
            (0x3C, 2): self._read_signature,
        }

    def read_page(self, number: int) -> bytes:
        """Return the bytes of a page, protected or not."""
        return bytes(self.memory[4 * number : 4 * number + 4])

    def obey_command(self, frame: Frame) -> TagAnswer | None:
        """Answer a command to the selected sticker."""
        data = frame.to_bytes()
        if not has_valid_crc(data):
            return self._answer_nak(_BAD_CRC)
        command = self._commands.get((data[0], len(data) - 2))
        return command(data[1:-2]) if command else self._answer_nak(_BAD_ARGUMENT)

    def _answer_nak(self, why: int) -> TagAnswer:
        self.drop_selection()
        return TagAnswer(Frame(why, 4))

    def _readable_pages(self, numbers: range) -> bytes:
        """Return pages as a reader may see them: no password, past the end from the start."""
        secret = (_PWD, _PACK)
        pages = (bytes(4) if n % PAGES in secret else self.read_page(n % PAGES) for n in numbers)
        return b"".join(pages)

    def _get_version(self, _: bytes) -> TagAnswer:
        return TagAnswer(Frame.of(with_crc(_VERSION)))

    def _answer_read(self, told: bytes) -> TagAnswer:
        start = told[0]
        if start >= PAGES:
            return self._answer_nak(_BAD_ARGUMENT)
        return TagAnswer(Frame.of(with_crc(self._readable_pages(range(start, start + 4)))))

    def _fast_read(self, told: bytes) -> TagAnswer:
        start, end = told
        if not start <= end < PAGES:
            return self._answer_nak(_BAD_ARGUMENT)
        return TagAnswer(Frame.of(with_crc(self._readable_pages(range(start, end + 1)))))

    def _read_signature(self, told: bytes) -> TagAnswer:
        if told[0] != 0:
            return self._answer_nak(_BAD_ARGUMENT)
        return TagAnswer(Frame.of(with_crc(bytes(32))))

    def _answer_password(self, told: bytes) -> TagAnswer:
        if told != self.read_page(_PWD):
            return self._answer_nak(_BAD_ARGUMENT)
        return TagAnswer(Frame.of(with_crc(self.read_page(_PACK)[:2])))

    def _answer_write(self, told: bytes) -> TagAnswer:
        page, data = told[0], told[1:]
        if not _STATIC_LOCKS <= page < PAGES or self._is_locked(page):
            return self._answer_nak(_BAD_ARGUMENT)
        self.memory[4 * page : 4 * page + 4] = self._merge_bits(page, data)
        return TagAnswer(Frame(_ACK, 4), self._write_wait)

    def _merge_bits(self, page: int, data: bytes) -> bytes:
        """Merge a write: lock and capability bytes can only gain bits, the rest is overwritten."""
        old = self.read_page(page)
        if page == _STATIC_LOCKS:
            return old[:2] + bytes(a | b for a, b in zip(old[2:], data[2:], strict=True))
        if page == _CC:
            return bytes(a | b for a, b in zip(old, data, strict=True))
        if page == _DYNAMIC_LOCKS:
            return bytes(a | b for a, b in zip(old[:3], data[:3], strict=True)) + old[3:]
        return data

    def _is_locked(self, page: int) -> bool:
        if 3 <= page < 16:
            return bool(int.from_bytes(self.read_page(_STATIC_LOCKS)[2:], "little") >> page & 1)
        if 16 <= page < 40:
            locks = int.from_bytes(self.read_page(_DYNAMIC_LOCKS)[:2], "little")
            return bool(locks >> (page - 16) // 2 & 1)
        return False
