"""Reads an ES module: what it imports and exports, and the parts that it is made of.

Laws: only the forms of import and export that are read here may be used, and each ends with a
semicolon; what is exported is never assigned again, because a module that imports it has a copy.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .declarations import declaration_end, declared_name
from .errors import BundleError
from .methods import find_methods
from .tokens import BLANK, MARK, NAME, SEMICOLON, STRING, Token, code_of, split_tokens

_ASSIGNMENTS = re.compile(r"(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=|\+\+|--")


class Import(NamedTuple):
    """What one statement imports: each local name with the one it is exported by, or all (`*`)."""

    source: str
    names: Mapping[str, str]


class Part(NamedTuple):
    """Tokens that stand together, and the name that they declare if they may be left out; a method
    of a class that stays is a part as well."""

    tokens: tuple[Token, ...]
    name: str = ""
    is_method: bool = False

    def mentions(self) -> frozenset[str]:
        """Return every name in it, those of properties as well."""
        return frozenset(token.text for token in self.tokens if token.kind == NAME)


@dataclass
class Module:
    """One module; `exports` has the local name of each exported one."""

    name: str
    imports: list[Import] = field(default_factory=list)
    exports: dict[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)


def read_module(name: str, script: str) -> Module:
    """Return the module of this script; BundleError if it uses what is not understood."""
    return _ModuleReader(name, list(split_tokens(script, name))).read_parts()


class _ModuleReader:
    """Reads tokens from the first to the last into one module."""

    def __init__(self, name: str, tokens: Sequence[Token]) -> None:
        self._module, self._tokens, self._at = Module(name), tokens, 0

    def read_parts(self) -> Module:
        rest: list[Token] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if self._is_late_import(self._at):
                rest.append(token)
                self._at += 1
            elif token.kind == NAME and token.text in ("import", "export"):
                if self._is_property(self._at):
                    raise self._make_error(f"call no property “{token.text}”")
                if token.depth or not _ends_statement(rest):
                    raise self._make_error(f"“{token.text}” only begins a statement of the module")
                self._at += 1
                (self._read_import if token.text == "import" else self._read_export)()
                rest.append(SEMICOLON)
            elif (end := declaration_end(self._tokens, self._at)) and _ends_statement(rest):
                self._add_rest(rest)
                self._add_declaration(end)
            else:
                rest.append(token)
                self._at += 1
        self._add_rest(rest)
        self._check_exports()
        return self._module

    def _add_rest(self, rest: list[Token]) -> None:
        if any(token.kind != BLANK for token in rest):
            self._module.parts.extend(_split_rest(rest))
            rest.clear()

    def _add_declaration(self, end: int) -> None:
        tokens = tuple(self._tokens[self._at : end])
        for at in range(self._at, end):
            if self._tokens[at].text == "import" and not self._is_late_import(at):
                self._at = at
                raise self._make_error("import() only an address that the page gives")
        self._module.parts.append(Part(tokens, declared_name(tokens)))
        self._at = end

    # Imports and exports.

    def _read_import(self) -> None:
        first = self._take_token()
        if first.kind == STRING:
            names: dict[str, str] = {}
            source = first
        else:
            if first.text == "*":
                self._expect_token("as")
                names = {self._take_name(): "*"}
            elif first.text == "{":
                names = {local: outer for outer, local in self._read_list()}
            else:
                raise self._make_error("import names in braces, or “* as” a name")
            self._expect_token("from")
            source = self._take_token()
        if source.kind != STRING or not source.text[1:].startswith("."):
            raise self._make_error("import from an address that begins with a dot")
        self._expect_token(";")
        self._module.imports.append(Import(source.text[1:-1], names))

    def _read_export(self) -> None:
        token = self._peek_token()
        if token.text == "{":
            self._take_token()
            self._module.exports |= {outer: local for local, outer in self._read_list()}
            self._expect_token(";")
            return
        if token.text not in ("async", "class", "const", "function"):
            raise self._make_error("export a function, a class, a constant, or names in braces")
        start = self._skip_blanks(self._at)
        name = declared_name(self._tokens[start:])
        if not name:
            raise self._make_error("export one plain name at a time")
        if token.text == "const":
            self._check_single(start)
        self._module.exports[name] = name

    def _read_list(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs of a list in braces: the name before `as`, and the one after it."""
        while self._peek_token().text != "}":
            name = self._take_name()
            after = name
            if self._peek_token().text == "as":
                self._take_token()
                after = self._take_name()
            yield name, after
            if self._peek_token().text != "}":
                self._expect_token(",")
        self._take_token()

    def _check_single(self, start: int) -> None:
        for token in code_of(self._tokens[start:]):
            if token.depth == 0 and token.text == ";":
                return
            if token.depth == 0 and token.text == ",":
                break
        raise self._make_error("declare what is exported alone, and end it with a semicolon")

    def _check_exports(self) -> None:
        code = [*code_of(self._tokens)]
        for local in self._module.exports.values():
            words = [word.text for at, word in enumerate(code) if _is_declaration(code, at, local)]
            if not words:
                raise BundleError(f"{self._module.name}: declare “{local}”, which is exported.")
            is_variable = words[0] in ("const", "let", "var")
            if sum(_is_assignment(code, at, local) for at in range(len(code))) > is_variable:
                raise BundleError(f"{self._module.name}: assign “{local}” once; it is exported.")

    # Tokens of code, one after the other.

    def _skip_blanks(self, at: int) -> int:
        while at < len(self._tokens) and not self._tokens[at].is_code:
            at += 1
        return at

    def _peek_token(self) -> Token:
        at = self._skip_blanks(self._at)
        return self._tokens[at] if at < len(self._tokens) else Token(MARK, "")

    def _take_token(self) -> Token:
        token = self._peek_token()
        self._at = min(self._skip_blanks(self._at) + 1, len(self._tokens))
        return token

    def _take_name(self) -> str:
        token = self._take_token()
        if token.kind != NAME or token.text == "default":
            raise self._make_error(f"a name was expected, not “{token.text}”")
        return token.text

    def _expect_token(self, text: str) -> None:
        if (found := self._take_token().text) != text:
            raise self._make_error(f"“{text}” was expected, not “{found}”")

    def _is_property(self, at: int) -> bool:
        before = [*code_of(self._tokens[max(0, at - 4) : at])]
        return bool(before) and before[-1].text in (".", "?.")

    def _is_late_import(self, at: int) -> bool:
        """Return whether `import()` is called here with an address that is no text of its own."""
        if (self._tokens[at].kind, self._tokens[at].text) != (NAME, "import"):
            return False
        after = [*code_of(self._tokens[at + 1 : at + 8])][:2]
        return [token.text for token in after[:1]] == ["("] and after[1].kind == NAME

    def _make_error(self, sentence: str) -> BundleError:
        line = 1 + sum(token.text.count("\n") for token in self._tokens[: self._at])
        return BundleError(f"{self._module.name}, line {line}: {sentence}.")


def _split_rest(rest: Sequence[Token]) -> Iterator[Part]:
    """Yield the methods of classes apart from what is around them."""
    at = 0
    for start, end, name in find_methods(rest):
        yield Part(tuple(rest[at:start]))
        yield Part(tuple(rest[start:end]), name, is_method=True)
        at = end
    yield Part(tuple(rest[at:]))


def _ends_statement(tokens: Sequence[Token]) -> bool:
    """Return whether a statement may begin after these tokens."""
    last = next((token for token in reversed(tokens) if token.is_code), None)
    return last is None or (last.kind == MARK and last.text in (";", "}"))


def _is_declaration(code: Sequence[Token], at: int, name: str) -> bool:
    kinds = ("const", "let", "var", "function", "class")
    names = [token.text for token in code[at + 1 : at + 3] if token.text != "*"]
    return code[at].depth == 0 and code[at].text in kinds and names[:1] == [name]


def _is_assignment(code: Sequence[Token], at: int, name: str) -> bool:
    token = code[at]
    if token.kind != NAME or token.text != name or (at and code[at - 1].text in (".", "?.")):
        return False
    after = code[at + 1].text if at + 1 < len(code) else ""
    stepped = at > 0 and code[at - 1].text in ("++", "--")
    return stepped or bool(_ASSIGNMENTS.fullmatch(after))
