"""The fingerprint of a game: 64 bits of the chain, as digits, as words to read out, as a picture.

Laws: digits, words and picture say the same 64 bits, each of them all. The words are made of
consonants and vowels in turn, five letters for sixteen bits, which every language can speak
(proquints); the picture shows each bit as a square, and its mirror image beside it.
"""

import re
from collections.abc import Iterator

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.safe_text import show_safely

DIGITS = 16
CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"
ROWS, HALF = 8, 8
_LETTERS = (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS)
_BITS = (4, 2, 4, 2, 4)


def group_digits(chain: str) -> str:
    """Return the digits that two people compare, in groups of four."""
    digits = chain[:DIGITS]
    return " ".join(digits[at : at + 4] for at in range(0, DIGITS, 4))


def fingerprint_words(chain: str) -> str:
    """Return the same bits as four words: lusab babad gutih tugad."""
    return " ".join(_word(int(group, 16)) for group in group_digits(chain).split())


def _word(number: int) -> str:
    letters, left = [], 16
    for alphabet, bits in zip(_LETTERS, _BITS, strict=True):
        left -= bits
        letters.append(alphabet[number >> left & (1 << bits) - 1])
    return "".join(letters)


def read_fingerprint(told: str) -> str:
    """Return the digits of a fingerprint typed as digits or as words; "" if it is neither."""
    plain = re.sub(r"[\s.,;:_-]+", "", told).lower()
    if re.fullmatch(r"[0-9a-f]{16}", plain):
        return plain
    if not re.fullmatch(rf"([{CONSONANTS}][{VOWELS}][{CONSONANTS}][{VOWELS}][{CONSONANTS}]){{4}}",
                        plain):  # fmt: skip
        return ""
    return "".join(f"{_number(plain[at : at + 5]):04x}" for at in range(0, 20, 5))


def parse_fingerprint(field: str, told: str) -> str:
    """Return the digits of what was given in this field; raise Malformed if it is no
    fingerprint."""
    digits = read_fingerprint(told)
    if not digits:
        text = N_("{field}: {given} is no fingerprint; it has sixteen digits, or four words.")
        raise Malformed(field, text, given=show_safely(told))
    return digits


def _number(word: str) -> int:
    number = 0
    for letter, alphabet, bits in zip(word, _LETTERS, _BITS, strict=True):
        number = number << bits | alphabet.index(letter)
    return number


def fingerprint_path(chain: str) -> str:
    """Return the picture as the path of an SVG, 16 wide and 8 high."""
    return "".join(f"M{x} {y}h1v1h-1z" for x, y in sorted(_squares(int(chain[:DIGITS], 16))))


def _squares(bits: int) -> Iterator[tuple[int, int]]:
    for n in range(ROWS * HALF):
        if bits >> (ROWS * HALF - 1 - n) & 1:
            y, x = divmod(n, HALF)
            yield x, y
            yield 2 * HALF - 1 - x, y


def fingerprint_hue(chain: str) -> int:
    """Return a hue between 0 and 359 that goes with the picture."""
    return int(chain[:DIGITS], 16) % 360
