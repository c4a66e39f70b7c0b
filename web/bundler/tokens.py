"""Splits a script into tokens, and writes tokens without comments and needless blanks.

Laws: the texts of the tokens, joined, are the script. Whether a slash divides or begins a pattern
is decided by what stands before it; after a closing brace that cannot be told, and is an error. A
line break is only left out where no statement could end.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .errors import BundleError

BLANK, COMMENT, NAME, NUMBER, STRING, TEMPLATE, PATTERN, MARK = (
    "blank", "comment", "name", "number", "string", "template", "pattern", "mark",
)  # fmt: skip

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)
    |(?P<name>\#?[^\W\d][\w$]*|\#?\$[\w$]*)
    |(?P<number>0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?)
    |(?P<string>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')
    |(?P<mark>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?
      |\?\.(?!\d)|\+\+|--|[-+*%&|^]=|\*\*|<<|>>|[{}()\[\];,<>+\-*%&|^!~?:=.])""",
    re.VERBOSE,
)
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)")

WORDS_BEFORE_VALUES = frozenset({
    "await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw",
    "typeof", "void", "yield",
})  # fmt: skip
"""After these words a slash begins a pattern."""
WORDS_BEFORE_CONDITIONS = frozenset({"for", "if", "while", "with"})
"""After the parentheses of these words a statement begins."""
_PAIRS = {")": "(", "]": "[", "}": "{"}
_NO_END_AFTER = frozenset({"{", "(", "[", ",", ";"})
_NO_END_BEFORE = frozenset({"}", ")", "]", ",", ".", "?."})


class Token(NamedTuple):
    """A piece of a script; `depth` is the number of brackets around it."""

    kind: str
    text: str
    depth: int = 0

    @property
    def is_code(self) -> bool:
        return self.kind not in (BLANK, COMMENT)


SEMICOLON = Token(MARK, ";")


def split_tokens(script: str, name: str) -> Iterator[Token]:
    """Yield the tokens of a script; BundleError where it is not understood."""
    reader, at = _Reader(), 0
    while at < len(script):
        found = reader.read_token(script, at)
        if isinstance(found, str):
            line = script.count("\n", 0, at) + 1
            raise BundleError(f"{name}, line {line}: {found}")
        yield found
        at += len(found.text)
    if reader.open:
        raise BundleError(f"{name}: {reader.open[-1][0]} is never closed.")


def code_of(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens that are neither blanks nor comments."""
    return (token for token in tokens if token.is_code)


class _Reader:
    """What was read so far: the last token of code, and the open brackets."""

    def __init__(self) -> None:
        self.before = SEMICOLON
        self.open: list[tuple[str, bool]] = []
        """Each open bracket, and whether a condition is in it."""
        self._is_property = False
        self._ended_condition = False

    def read_token(self, script: str, at: int) -> Token | str:
        """Return the token that begins here, or the sentence why there is none."""
        character = script[at]
        if character == "`" or (character == "}" and self.open and self.open[-1][0] == "${"):
            return self._read_template(script, at)
        found = _TOKEN.match(script, at)
        if found is not None and found.lastgroup:
            token = Token(found.lastgroup, found.group(), len(self.open))
            return self._note_code(token) if token.is_code else token
        if character == "/":
            return self._read_slash(script, at)
        return f"{character!r} is not understood."

    def _read_template(self, script: str, at: int) -> Token | str:
        found = _TEMPLATE.match(script, at)
        if found is None:
            return "this template never ends."
        if script[at] == "}":
            self.open.pop()
        token = self._remember_token(Token(TEMPLATE, found.group(), len(self.open)))
        if token.text.endswith("${"):
            self.open.append(("${", False))
        return token

    def _read_slash(self, script: str, at: int) -> Token | str:
        if self.before.text == "}":
            return "put what is before this slash in parentheses."
        if not self._is_value_before():
            found = _PATTERN.match(script, at)
            if found is None:
                return "this pattern never ends."
            return self._remember_token(Token(PATTERN, found.group(), len(self.open)))
        text = "/=" if script.startswith("/=", at) else "/"
        return self._remember_token(Token(MARK, text, len(self.open)))

    def _is_value_before(self) -> bool:
        """Return whether a value ends before this point, so that a slash divides it."""
        kind, text, _ = self.before
        if kind == NAME:
            return self._is_property or text not in WORDS_BEFORE_VALUES
        if kind == TEMPLATE:
            return not text.endswith("${")
        if text == ")":
            return not self._ended_condition
        return kind != MARK or text in ("]", "++", "--")

    def _note_code(self, token: Token) -> Token | str:
        text, opens = token.text, len(self.open)
        if token.kind == MARK and text in _PAIRS:
            if not self.open or self.open[-1][0] != _PAIRS[text]:
                return f"{text} closes nothing."
            self._ended_condition = self.open.pop()[1]
            token = token._replace(depth=opens - 1)
        elif token.kind == MARK and text in _PAIRS.values():
            is_word = self.before.kind == NAME and not self._is_property
            self.open.append((text, is_word and self.before.text in WORDS_BEFORE_CONDITIONS))
        return self._remember_token(token)

    def _remember_token(self, token: Token) -> Token:
        self._is_property = self.before.kind == MARK and self.before.text in (".", "?.")
        self.before = token
        return token


def write_tokens(tokens: Iterable[Token]) -> str:
    """Return the script of these tokens, without comments (but for licences, which begin with an
    exclamation mark) and without blanks that part nothing."""
    written: list[str] = []
    before, blank = SEMICOLON, ""
    for token in tokens:
        if token.kind == COMMENT and token.text.startswith("/*!"):
            written.append(token.text)
        elif not token.is_code:
            blank = "\n" if blank == "\n" or "\n" in token.text else " "
        else:
            written.append(_separate_tokens(before, token, blank) + token.text)
            before, blank = token, ""
    return "".join(written)


def _separate_tokens(before: Token, after: Token, blank: str) -> str:
    """Return what has to stand between two tokens that were parted by this blank."""
    if blank == "\n" and not (_is_mark(before, _NO_END_AFTER) or _is_mark(after, _NO_END_BEFORE)):
        return "\n"
    last, first = before.text[-1], after.text[0]
    words = (_is_word(last) or before.kind == PATTERN) and (_is_word(first) or first in "#\\")
    same = (last == first and last in "+-/") or (last in "<!-/" and first in "!-*/")
    number = before.kind == NUMBER and first == "."
    return " " if blank and (words or same or number) else ""


def _is_mark(token: Token, marks: frozenset[str]) -> bool:
    return token.kind == MARK and token.text in marks


def _is_word(character: str) -> bool:
    return character.isalnum() or character in "_$"
