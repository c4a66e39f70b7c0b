"""Splits a class that always stays into its methods and the rest, so that a method which nothing
mentions can be left out.

Law: only a method with a plain name is told apart, and none that the language calls by itself;
fields, names that are worked out, and whatever is not understood stay in the rest.
"""

from collections.abc import Iterator, Sequence

from .tokens import NAME, Token

_CALLED_BY_THE_LANGUAGE = frozenset({
    "constructor", "toString", "toJSON", "toLocaleString", "valueOf", "then", "next", "return",
    "throw",
})  # fmt: skip
_BEFORE_A_NAME = frozenset({"static", "async", "get", "set", "*"})


def find_methods(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and name of each method in the classes of these tokens, which stand outside
    of all brackets."""
    code = [at for at, token in enumerate(tokens) if token.is_code]
    in_class, free, n = False, False, 0
    while n < len(code):
        token = tokens[code[n]]
        if token.depth == 0:
            if token.text == "class":
                in_class = True
            elif token.text == "}":
                in_class = False
            free = in_class and token.text == "{"
        elif token.depth == 1 and free and in_class:
            last, name = _read_method(tokens, code, n)
            if name:
                yield code[n], code[last] + 1, name
                n = last
            free = bool(name)
        elif token.depth == 1 and token.text in (";", "}"):
            free = in_class
        n += 1


def _read_method(tokens: Sequence[Token], code: Sequence[int], n: int) -> tuple[int, str]:
    """Return the last token of the method that begins with this one, and its name; '' if none does
    or if it has to stay."""
    while tokens[code[n]].text in _BEFORE_A_NAME and tokens[code[n + 1]].text != "(":
        n += 1
    name = tokens[code[n]]
    if name.kind != NAME or tokens[code[n + 1]].text != "(":
        return n, ""
    outside = [m for m in range(n, len(code)) if tokens[code[m]].depth == 1]
    opened = next(m for m in outside if tokens[code[m]].text == "{")
    closed = next(m for m in outside if m > opened and tokens[code[m]].text == "}")
    return closed, "" if name.text in _CALLED_BY_THE_LANGUAGE else name.text
