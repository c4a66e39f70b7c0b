"""Finds declarations that may be left out of a script where nothing mentions what they declare.

Law: leaving one out changes nothing but its name: it is a function, a class without anything
static, or a constant that is a function, a single literal, or one call that is marked as pure.
Where that cannot be told for sure it stays.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from .tokens import COMMENT, MARK, NAME, NUMBER, STRING, Token, code_of

_PURE = re.compile(r"/\*\s*[@#]__PURE__\s*\*/")
_ONE_CALL = re.compile(r"n(\.n)*\(\)|\(\)\(\)")


def declared_name(tokens: Sequence[Token]) -> str:
    """Return the plain name that a declaration at the start of these tokens declares, or ''."""
    words = {"async", "function", "class", "const", "*"}
    for token in code_of(tokens):
        if token.text not in words:
            return token.text if token.kind == NAME else ""
    return ""


def declaration_end(tokens: Sequence[Token], start: int) -> int:
    """Return where the declaration ends that begins here and may be left out; 0 if none does."""
    token = tokens[start]
    if token.depth or token.kind != NAME:
        return 0
    if token.text in ("async", "function", "class"):
        return _body_end(tokens, start)
    return _constant_end(tokens, start) if token.text == "const" else 0


def _body_end(tokens: Sequence[Token], start: int) -> int:
    """Return the end of a function, or of a class that does nothing while it is declared."""
    words = [token.text for token in code_of(tokens[start : start + 8])]
    is_class = words[0] == "class"
    if not is_class and "function" not in (words[0], *words[1:2]):
        return 0
    body = 0
    for at in range(start, len(tokens)):
        token = tokens[at]
        if token.depth == 0 and token.text == "{" and not body:
            body = at
        elif token.depth == 0 and token.text == "}" and body:
            acts = is_class and _has_effect(tokens[start:body], tokens[body + 1 : at])
            return 0 if acts else at + 1
    return 0


def _constant_end(tokens: Sequence[Token], start: int) -> int:
    """Return the end of a constant whose value does nothing while it is made; 0 if none."""
    if not declared_name(tokens[start : start + 8]):
        return 0
    for at in range(start, len(tokens)):
        if tokens[at].depth == 0 and tokens[at].text == ";":
            return at + 1 if _is_inert(tokens[start : at + 1]) else 0
    return 0


def _has_effect(head: Sequence[Token], inside: Sequence[Token]) -> bool:
    """Return whether declaring this class might do more than declare it."""
    plain = all(token.kind == NAME or token.text == "." for token in code_of(head))
    computed = any(t.text in ("static", "[") and t.depth == 1 for t in code_of(inside))
    return computed or not plain


def _is_inert(tokens: Sequence[Token]) -> bool:
    """Return whether this constant is a function, one literal, or marked as pure."""
    code = [token for token in tokens if token.is_code]
    value = code[3:-1]
    if code[2].text != "=" or not value or _breaks_line(tokens):
        return False
    outside = [token for token in value if token.depth == 0]
    if any(token.text == "," for token in outside):
        return False
    if len(value) == 1:
        return value[0].kind in (NUMBER, STRING)
    return _is_function(outside) or (_is_marked_pure(tokens) and _is_one_call(outside))


def _is_marked_pure(tokens: Sequence[Token]) -> bool:
    """Return whether the value of this constant begins with the mark."""
    begin = next(at for at, token in enumerate(tokens) if token.text == "=")
    comments = takewhile(lambda token: not token.is_code, tokens[begin + 1 :])
    return any(token.kind == COMMENT and _PURE.fullmatch(token.text) for token in comments)


def _is_function(outside: Sequence[Token]) -> bool:
    """Return whether these tokens, without what is in brackets, are an arrow function."""
    texts = [token.text for token in outside]
    if texts[0] == "async":
        texts = texts[1:]
    return texts[:3] == ["(", ")", "=>"] or texts[1:2] == ["=>"]


def _is_one_call(outside: Sequence[Token]) -> bool:
    """Return whether these tokens, without what is in brackets, are one call."""
    is_new = outside[0].text == "new"
    texts = "".join("n" if token.kind == NAME else token.text for token in outside[is_new:])
    return bool(_ONE_CALL.fullmatch(texts))


def _breaks_line(tokens: Sequence[Token]) -> bool:
    """Return whether a statement might end at a line break among these tokens."""
    before = None
    broken = False
    for token in tokens:
        if not token.is_code:
            broken = broken or "\n" in token.text
            continue
        if broken and token.depth == 0 and before is not None:
            joins = (before.kind == MARK and before.text not in (")", "]", "}")) or (
                token.kind == MARK and token.text in ("?", ":", ".", "?.", ")", "]", "}")
            )
            if not joins:
                return True
        before, broken = token, False
    return False
