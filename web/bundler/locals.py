"""Finds the names that functions declare for themselves, so that these can be shortened as well.

Law: none of them can mean a global. A name is left alone if any part of any module of the bundle
uses it as a variable without declaring it, at its top or inside.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .modules import Module
from .names import find_variables
from .tokens import MARK, NAME, SEMICOLON, Token

_DECLARING = ("const", "let")
_BEFORE = frozenset({"(", ",", "{", "[", ":", "..."})
_AFTER = frozenset({")", ",", "}", "]", "="})


def find_locals(
    modules: Iterable[Module], top_names: Mapping[str, frozenset[str]]
) -> dict[str, list[str]]:
    """Return for each module, by its name, the names that are declared inside of its functions and
    mean no global; `top_names` has those that it declares at its top or imports."""
    inside: dict[str, set[str]] = {}
    bare: set[str] = set()
    for module in modules:
        owners = [(n, token) for n, part in enumerate(module.parts) for token in part.tokens]
        tokens = [token for _, token in owners]
        declared = {(owners[at][0], tokens[at].text) for at in declared_inside(tokens)}
        used = {(owners[at][0], tokens[at].text) for at in find_variables(tokens)}
        inside[module.name] = {name for _, name in declared}
        bare |= {name for _, name in used - declared} - top_names[module.name]
    return {module: sorted(names - bare) for module, names in inside.items()}


def declared_inside(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield where a constant, a variable or a parameter gets its name."""
    places = [at for at, token in enumerate(tokens) if token.is_code]
    code = [tokens[at] for at in places]
    ends = dict(_find_brackets(code))
    begins = {end: begin for begin, end in ends.items()}
    for n in range(len(code) - 1):
        begin, end = _declared_range(code, n, ends, begins)
        if end == begin + 1 and code[begin].kind == NAME:
            yield places[begin]
        else:
            yield from (places[k] for k in _names_of_pattern(code, begin, end))


def _declared_range(
    code: Sequence[Token], n: int, ends: Mapping[int, int], begins: Mapping[int, int]
) -> tuple[int, int]:
    """Return where the name or pattern lies that this token declares; else an empty range."""
    token, before = code[n], code[n - 1] if n else SEMICOLON
    if token.kind == MARK and token.text == "=>":
        return (n - 1, n) if before.kind == NAME else (begins.get(n - 1, n - 2) + 1, n - 1)
    if token.kind != NAME or before.text in (".", "?."):
        return n, n
    if token.text in _DECLARING:
        after = code[n + 1]
        return (n + 1, n + 2) if after.kind == NAME else (n + 2, ends.get(n + 1, n + 2))
    if token.text == "function":
        begin = next(at for at in range(n, len(code)) if code[at].text == "(")
        return begin + 1, ends[begin]
    return n, n


def _names_of_pattern(code: Sequence[Token], begin: int, end: int) -> Iterator[int]:
    """Yield where a pattern, or the parameters of a function, have names that they declare: those
    that are no key and no part of a default value."""
    default_depth: int | None = None
    for n in range(begin, end):
        token = code[n]
        if default_depth is not None:
            if token.depth < default_depth or (token.text, token.depth) == (",", default_depth):
                default_depth = None
        elif token.text == "=":
            default_depth = token.depth
        elif token.kind == NAME and code[n - 1].text in _BEFORE and code[n + 1].text in _AFTER:
            yield n


def _find_brackets(code: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield where each bracket opens and closes."""
    open_: list[int] = []
    for at, token in enumerate(code):
        if token.kind == MARK and token.text in ("(", "[", "{"):
            open_.append(at)
        elif token.kind == MARK and token.text in (")", "]", "}"):
            yield open_.pop(), at
