"""Gives the names that a module declares shorter ones.

Laws: a name is renamed everywhere in its module, or nowhere. All places that mean a variable get
the same new name, which the module does not use yet, so what shadows what stays as it was; as the
module declares the name itself, none of them means a global. Where it cannot be told whether a
place means the variable or a property, the name stays.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from string import ascii_letters
from typing import NamedTuple

from .tokens import MARK, NAME, TEMPLATE, WORDS_BEFORE_VALUES, Token

_RESERVED = frozenset({"as", "do", "if", "in", "is", "of"})
_FIRST = ascii_letters + "_$"
_FOLLOWING = _FIRST + "0123456789"

OBJECT, BLOCK, CLASS, EITHER = "object", "block", "class", "either"
_WORDS_BEFORE_BLOCKS = frozenset({"catch", "do", "else", "finally", "static", "try"})
_WORDS_BEFORE_OBJECTS = WORDS_BEFORE_VALUES - _WORDS_BEFORE_BLOCKS | {"const", "let", "var"}
_MARKS_BEFORE_BLOCKS = frozenset({";", "{", "}", ")", "=>"})
_WORDS_BEFORE_METHODS = frozenset({"async", "get", "set", "static", "*"})
_START = Token(MARK, ";")


class _Place(NamedTuple):
    """A token of code between its neighbours, and in what it is."""

    at: int
    token: Token
    before: Token
    after: Token
    within: str


def shorten_names(
    tokens: Sequence[Token], declared: Iterable[str]
) -> tuple[list[Token], dict[str, str]]:
    """Return the tokens with shorter names for those of `declared`, and each new name."""
    places = [*_find_places(tokens)]
    uses: dict[str, list[tuple[int, str]]] = {name: [] for name in declared}
    unclear: set[str] = set()
    for place in places:
        name = place.token.text
        if place.token.kind == NAME and name in uses:
            use = _name_use(place)
            if use is None:
                unclear.add(name)
            elif use:
                uses[name].append((place.at, use))
    renamed = {name: found for name, found in uses.items() if found and name not in unclear}
    short = _choose_names(renamed, {place.token.text for place in places})
    written = list(tokens)
    for name, new in short.items():
        for at, use in renamed[name]:
            written[at] = written[at]._replace(text=use.replace("?", new))
    return written, short


def find_variables(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield where a name means a variable, or may mean one."""
    for place in _find_places(tokens):
        if place.token.kind == NAME and _name_use(place) != "":
            yield place.at


def _choose_names(
    renamed: Mapping[str, Sequence[tuple[int, str]]], taken: set[str]
) -> dict[str, str]:
    """Return a shorter name for each, the shortest for those that are used most."""
    often = Counter({name: len(found) for name, found in renamed.items()})
    free = (name for name in short_names() if name not in taken)
    pairs = zip((name for name, _ in often.most_common()), free, strict=False)
    return {name: new for name, new in pairs if len(new) < len(name)}


def short_names() -> Iterator[str]:
    """Yield names, the shortest first."""
    yield from _FIRST
    for n in count():
        head, tail = divmod(n, len(_FOLLOWING))
        if head >= len(_FIRST):
            return
        name = _FIRST[head] + _FOLLOWING[tail]
        if name not in _RESERVED:
            yield name


def _find_places(tokens: Sequence[Token]) -> Iterator[_Place]:
    """Yield the tokens of code, each with its neighbours and the kind of bracket it is in."""
    code = [(at, token) for at, token in enumerate(tokens) if token.is_code]
    open_: list[str] = [BLOCK]
    class_depths: list[int] = []
    for n, (at, token) in enumerate(code):
        before = code[n - 1][1] if n else _START
        after = code[n + 1][1] if n + 1 < len(code) else _START
        is_mark = token.kind == MARK
        if (is_mark and token.text in (")", "]", "}")) or _continues_template(token):
            open_.pop()
        yield _Place(at, token, before, after, open_[-1])
        if token.kind == NAME and token.text == "class" and before.text not in (".", "?."):
            class_depths.append(token.depth)
        elif is_mark and token.text == "{" and class_depths[-1:] == [token.depth]:
            class_depths.pop()
            open_.append(CLASS)
        elif is_mark and token.text == "{":
            is_property = n > 1 and code[n - 2][1].text in (".", "?.")
            open_.append(EITHER if is_property else _brace_kind(before, open_[-1]))
        elif (is_mark and token.text in ("(", "[")) or _opens_template(token):
            open_.append(token.text[-1])


def _opens_template(token: Token) -> bool:
    return token.kind == TEMPLATE and token.text.endswith("${")


def _continues_template(token: Token) -> bool:
    return token.kind == TEMPLATE and token.text.startswith("}")


def _brace_kind(before: Token, within: str) -> str:
    """Return what a brace after this token opens: an object (or a pattern), or a block."""
    text = before.text
    if before.kind == NAME:
        if text in _WORDS_BEFORE_BLOCKS:
            return BLOCK
        return OBJECT if text in _WORDS_BEFORE_OBJECTS else EITHER
    if before.kind != MARK:
        return OBJECT if _opens_template(before) else EITHER
    if text in _MARKS_BEFORE_BLOCKS:
        return EITHER if text == ";" and within == "(" else BLOCK
    if text == ":":
        return OBJECT if within in (OBJECT, "(", "[") else EITHER
    return EITHER if text in ("]", "++", "--") else OBJECT


def _name_use(place: _Place) -> str | None:
    """Return what a name is replaced by, with “?” for its new name: '' if it is that of a property;
    None if that cannot be told."""
    before, after, within = place.before.text, place.after.text, place.within
    if before in (".", "?."):
        return ""
    if within == CLASS or before in ("break", "continue"):
        return None
    if within in (OBJECT, EITHER):
        return _use_in_braces(place)
    is_label = after == ":" and before in ("{", ",", ";", "}")
    return None if is_label else "?"


def _use_in_braces(place: _Place) -> str | None:
    """Return the same for a place in an object, or in what may be one."""
    before, after = place.before.text, place.after.text
    if before in ("{", ","):
        if place.within == EITHER:
            return None
        return {":": "", "(": "", ",": f"{place.token.text}:?", "}": f"{place.token.text}:?",
                "=": f"{place.token.text}:?"}.get(after)  # fmt: skip
    is_method = before in _WORDS_BEFORE_METHODS and after == "("
    is_unclear = after == ":" and (place.within == EITHER or before in (";", "}"))
    return None if is_method or is_unclear else "?"
