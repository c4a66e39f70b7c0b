"""The code of a sheet as eight words, to read out and to type, like a fingerprint twice as long."""

from companion.records.fingerprint import fingerprint_words, read_fingerprint


def sheet_words(code: str) -> str:
    """Return the words of a code."""
    return f"{fingerprint_words(code[:16])} {fingerprint_words(code[16:])}"


def read_sheet_code(told: str) -> str:
    """Return the code that was typed as words or digits; what is neither is returned as it is."""
    plain = "".join(told.split()).lower()
    middle = len(plain) // 2
    halves = read_fingerprint(plain[:middle]), read_fingerprint(plain[middle:])
    return "".join(halves) if all(halves) else told.strip()
