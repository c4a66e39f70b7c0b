"""Joins modules into one script: each in a function of its own, after the modules that it imports.

Laws: a module runs once, in the order in which a browser would run it; circles are refused, as are
imports of what is not there. A declaration that nothing mentions is left out (mark and sweep from
all that runs), and so is a method; the names of properties count as mentions, so more may stay than
is needed.
"""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence

from .errors import BundleError
from .locals import find_locals
from .modules import Module, Part
from .names import short_names, shorten_names
from .tokens import MARK, NAME, SEMICOLON, Token, write_tokens

_ALL = "*"
_DECLARING = ("class", "const", "function", "let", "var")


def join_modules(entries: Sequence[str], load: Callable[[str], Module]) -> str:
    """Return one script that runs these modules, and before them what they import; `load` returns
    a module by its name."""
    return _Joined(order_modules(entries, load)).write_script()


def order_modules(entries: Sequence[str], load: Callable[[str], Module]) -> dict[str, Module]:
    """Return the modules that these need, by name, each after those that it imports."""
    ordered: dict[str, Module] = {}
    path: list[str] = []

    def visit_module(name: str) -> None:
        if name in ordered:
            return
        if name in path:
            raise BundleError(f"{' imports '.join([*path[path.index(name) :], name])}.")
        path.append(name)
        module = load(name)
        for wanted in module.imports:
            visit_module(find_source(name, wanted.source))
        ordered[name] = module
        path.pop()

    for name in entries:
        visit_module(name)
    return ordered


def find_source(name: str, source: str) -> str:
    """Return the name of the module that this one imports from such an address."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), source))


class _Joined:
    """The modules of one script, and which of their parts are needed."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules
        self._words = {name: f"$m{n}" for n, name in enumerate(modules)}
        self._wanted = {name: dict[str, str]() for name in modules}
        """For each module what is wanted of it: exported names, and their local ones."""
        self._bound = {name: _list_bindings(module) for name, module in modules.items()}
        self._mentioned = {name: set[str]() for name in modules}
        self._methods = _list_methods(modules)
        self._live = set[tuple[str, int]]()
        top_names = {
            name: frozenset({*_top_names(module), *self._bound[name]})
            for name, module in modules.items()
        }
        self._locals = find_locals(modules.values(), top_names)

    def write_script(self) -> str:
        """Return the script."""
        self._check_names()
        self._mark_live_parts()
        return "".join(self._write_module(module) for module in self._modules.values())

    def _check_names(self) -> None:
        """Raise BundleError for an import of what is not there, and for a name of the bundle."""
        words = set(self._words.values())
        for name, module in self._modules.items():
            for source, outer in self._bound[name].values():
                if outer != _ALL and outer not in self._modules[source].exports:
                    raise BundleError(f"{name}: {source} exports no “{outer}”.")
            if any(words & part.mentions() for part in module.parts):
                raise BundleError(f"{name}: names such as $m1 are those of the bundle.")

    def _mark_live_parts(self) -> None:
        waiting = [
            (name, n)
            for name, module in self._modules.items()
            for n, part in enumerate(module.parts)
            if not part.name
        ]
        while waiting:
            name, n = waiting.pop()
            if (name, n) not in self._live:
                self._live.add((name, n))
                waiting.extend(self._needed_by(name, self._modules[name].parts[n]))

    def _needed_by(self, name: str, part: Part) -> Iterator[tuple[str, int]]:
        """Yield the parts, by module and number, that this part of a module mentions."""
        mentioned = part.mentions()
        self._mentioned[name] |= mentioned
        for n, other in enumerate(self._modules[name].parts):
            if other.name in mentioned:
                yield name, n
        for word in mentioned & self._methods.keys():
            yield from self._methods[word]
        for local, (source, outer) in self._bound[name].items():
            if local not in mentioned:
                continue
            exports = self._modules[source].exports
            chosen = set(exports) if outer == _ALL else {outer}
            if outer == _ALL and not _is_spread(part, local):
                chosen &= mentioned
            for each in sorted(chosen):
                yield from self._mark_wanted(source, each)

    def _mark_wanted(self, source: str, outer: str) -> Iterator[tuple[str, int]]:
        """Note that a module has to export this name; yield the part that declares it."""
        local = self._modules[source].exports[outer]
        self._wanted[source][outer] = local
        for n, part in enumerate(self._modules[source].parts):
            if part.name == local:
                yield source, n

    def _write_module(self, module: Module) -> str:
        """Return a module as a function of its own, which is called at once."""
        name = module.name
        used = sorted(self._bound[name].keys() & self._mentioned[name])
        declared = [*_top_names(module), *used, *self._locals[name]]
        tokens, short = shorten_names([*self._live_tokens(module)], declared)
        text = write_tokens(tokens)
        if not text.strip("; \n"):
            return ""
        keys = self._export_keys(name)
        given = ",".join(
            _write_pair(keys[outer], short.get(local, local))
            for outer, local in sorted(self._wanted[name].items())
        )
        imported = "".join(self._write_imports(name, short))
        if not given:
            return f"(()=>{{{imported}{text}\n}})();\n"
        return f"const {self._words[name]}=(()=>{{{imported}{text}\nreturn{{{given}}}}})();\n"

    def _export_keys(self, name: str) -> Mapping[str, str]:
        """Return the key under which each wanted name is given to other modules: a short one, but
        for a module that some other one imports as a whole."""
        wanted = sorted(self._wanted[name])
        whole = any((name, _ALL) in bound.values() for bound in self._bound.values())
        return dict(zip(wanted, wanted if whole else short_names(), strict=False))

    def _live_tokens(self, module: Module) -> Iterator[Token]:
        """Yield the tokens of the parts that are needed, and a semicolon in the place of each that
        is not, as the statements around it could go on in each other."""
        last = SEMICOLON
        for n, part in enumerate(module.parts):
            for token in part.tokens if (module.name, n) in self._live else (SEMICOLON,):
                if not token == last == SEMICOLON:
                    yield token
                last = token if token.is_code else last

    def _write_imports(self, name: str, short: Mapping[str, str]) -> Iterator[str]:
        """Yield the constants for what a module uses of others."""
        for wanted in self._modules[name].imports:
            source = find_source(name, wanted.source)
            word, keys = self._words[source], self._export_keys(source)
            used = {k: v for k, v in wanted.names.items() if k in self._mentioned[name]}
            pairs = []
            for local, outer in used.items():
                if outer == _ALL:
                    yield f"const {short.get(local, local)}={word};"
                else:
                    pairs.append(_write_pair(keys[outer], short.get(local, local)))
            if pairs:
                yield f"const{{{','.join(pairs)}}}={word};"


def _list_methods(modules: Mapping[str, Module]) -> Mapping[str, list[tuple[str, int]]]:
    """Return for each name the methods that are called so, by module and number."""
    found: dict[str, list[tuple[str, int]]] = {}
    for name, module in modules.items():
        for n, part in enumerate(module.parts):
            if part.is_method:
                found.setdefault(part.name, []).append((name, n))
    return found


def _top_names(module: Module) -> Iterator[str]:
    """Yield the plain names that a module declares outside of all brackets."""
    code = [token for part in module.parts for token in part.tokens if token.is_code]
    for at, token in enumerate(code[:-1]):
        if token.depth or token.kind != NAME or token.text not in _DECLARING:
            continue
        before = code[at - 1].text if at else ";"
        if token.text in ("class", "function") and before not in (";", "}", "async"):
            continue  # A function in an expression, whose name is only its own.
        after = code[at + 1 : at + 3]
        name = after[-1] if after[0].text == "*" else after[0]
        if name.kind == NAME:
            yield name.text


def _list_bindings(module: Module) -> dict[str, tuple[str, str]]:
    """Return for each imported name the module it is from, and its name there."""
    return {
        local: (find_source(module.name, wanted.source), outer)
        for wanted in module.imports
        for local, outer in wanted.names.items()
    }


def _write_pair(key: str, value: str) -> str:
    return key if key == value else f"{key}:{value}"


def _is_spread(part: Part, name: str) -> bool:
    """Return whether this name is used for more than to get a property of it by name."""
    code = [token for token in part.tokens if token.is_code]
    for at, token in enumerate(code):
        if token.kind == NAME and token.text == name:
            after = code[at + 1 : at + 3]
            if len(after) < 2 or after[0].text != "." or after[0].kind != MARK:
                return True
    return False
