"""How easily a stranger finds things: figures of the source tree, printed as a table.

`python -m bench.structure [ROOT]` measures a checkout (this one by default), so that two can be
compared. Nothing is imported from the tree that is measured; it is read as text.
"""

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
PRODUCT = ("companion", "hardware", "web", "systemd")
GUESSES = Path(__file__).with_name("guessed_names.json")
"""Where readers who had not seen the tree would look for 129 everyday features, three guesses
each, written down before the modules were renamed, and open while they were; and the paths where
each of them lives now, none where the product has no such feature. Another checkout needs paths of
its own for this figure."""
FRESH_GUESSES = Path(__file__).with_name("guessed_names_fresh.json")
"""60 more, by a reader who saw nothing either, written down after the renames: 52 of 59 were found.
Three files then got one of the guessed names, so only that first figure says what strangers find.
"""

RELATIVES = re.compile(
    r"(What|Whatever|Whether|Who|Whoever|Whom|Whose|Which|It|They|He|She|Nobody|Somebody|"
    r"Everybody|Everyone|Nothing|Where|That|This|These|Those|There)\b"
)
PEOPLE = re.compile(r"\b(whoever|nobody|somebody)\b", re.IGNORECASE)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Tree:
    """The Python files of the product below a root, parsed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        found = (path for room in PRODUCT for path in sorted((root / room).rglob("*.py")))
        self.files = {
            path.relative_to(root).as_posix(): ast.parse(path.read_text("utf-8")) for path in found
        }

    def nodes(self) -> Iterator[tuple[str, ast.AST]]:
        """Yield every node of every file, with the path of its file."""
        for path, tree in self.files.items():
            for node in ast.walk(tree):
                yield path, node

    @cached_property
    def functions(self) -> list[Function]:
        """All functions and methods but the double-underscored ones."""
        found = (node for _, node in self.nodes() if isinstance(node, Function))
        return [node for node in found if not node.name.startswith("__")]


def one_word_share(tree: Tree) -> float:
    """Return the share of functions whose name is a single word."""
    single = sum("_" not in node.name.strip("_") for node in tree.functions)
    return single / len(tree.functions)


def doubled_classes(tree: Tree) -> list[str]:
    """Return the class names that are defined in more than one place, Protocols not counted."""
    named = Counter(node.name for _, node in tree.nodes() if isinstance(node, ast.ClassDef))
    return sorted(name for name, times in named.items() if times > 1)


def riddle_share(tree: Tree) -> float:
    """Return the share of function docstrings that open with a pronoun or a relative."""
    texts = [text for node in tree.functions if (text := ast.get_docstring(node))]
    return sum(bool(RELATIVES.match(text)) for text in texts) / len(texts)


def people_in_docstrings(tree: Tree) -> int:
    """Count whoever, nobody and somebody in docstrings, those below attributes included."""
    return sum(
        len(PEOPLE.findall(node.value.value))
        for _, node in tree.nodes()
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def uses_of_any(tree: Tree) -> int:
    """Count the names `Any` in code, imports not counted."""
    return sum(isinstance(node, ast.Name) and node.id == "Any" for _, node in tree.nodes())


def lines_of(tree: Tree, folder: str) -> int:
    """Count the lines of all files of a folder."""
    return sum(
        (tree.root / path).read_text("utf-8").count("\n")
        for path in tree.files
        if path.startswith(folder)
    )


# Imports.


def module_of(path: str) -> str:
    """Return the dotted name of the module in this file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(tree: Tree) -> dict[str, set[str]]:
    """Return which module of the product imports which others when it is loaded."""
    known = {module_of(path) for path in tree.files}
    found: dict[str, set[str]] = {}
    for path, parsed in tree.files.items():
        wanted = found.setdefault(module_of(path), set())
        for node in _loaded(parsed):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names if alias.name in known}
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    wanted |= {inner if inner in known else node.module} & known
    return found


def _loaded(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but those that only a type checker reads."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)):
            yield child
            yield from _loaded(child)


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected groups of more than one module (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in arrows[name]:
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for name in arrows:
        if name not in index:
            visit(name)
    return groups


COMMAND_LINE = ("companion.cli", "companion.__main__")
RUNNING = (*COMMAND_LINE, "companion.app", "systemd.installer.read_config")
"""The running program; of the installer what the new version's own Python runs, so that it reads
the config as the program will."""
FOR_ALL = ("companion", "hardware.gpio_package")
"""The package that holds only the version, and the module that also serves the installer, which
runs before anything is installed."""


def broken_arrows(arrows: dict[str, set[str]]) -> list[str]:
    """Return the imports that break the rule of CONTRIBUTING.md: only app and cli import hardware
    or web, and nothing imports cli."""
    return sorted(
        f"{name} -> {other}"
        for name, others in arrows.items()
        for other in others
        if not f"{name}.".startswith(_importers_of(name, other))
    )


def _importers_of(name: str, other: str) -> tuple[str, ...]:
    """Return the beginnings of the names of those that may import this module."""
    if other.startswith("companion.cli"):
        return COMMAND_LINE
    if other.startswith("companion.app"):
        return RUNNING
    top = other.partition(".")[0]
    is_open = other in FOR_ALL or other.startswith("companion.")
    return (name,) if is_open else (*RUNNING, f"{top}.")


# Finding.


def not_found(root: Path, guesses: Path) -> list[str]:
    """Return the features of which no guess leads to a file where they live."""
    return [
        each["feature"]
        for each in known_features(guesses)
        if not any(
            _leads(guess, path)
            for path in each["lives_in"]
            if (root / path).exists()
            for guess in each["guesses"]
        )
    ]


def found_share(root: Path, guesses: Path) -> str:
    """Return how many features of a list are found, and of how many."""
    features = len(known_features(guesses))
    found = features - len(not_found(root, guesses))
    return f"{found} of {features}, {found / features:.0%}"


def known_features(guesses: Path) -> list[dict[str, Any]]:
    """Return the features of the list, without those that the product does not have."""
    features: list[dict[str, Any]] = json.loads(guesses.read_text("utf-8"))
    return [each for each in features if each["lives_in"]]


def missing_paths(root: Path, guesses: Path) -> list[str]:
    """Return the paths in the list of features that no longer exist."""
    features = json.loads(guesses.read_text("utf-8"))
    paths = {path for each in features for path in each["lives_in"]}
    return sorted(path for path in paths if not (root / path).exists())


def _leads(guess: str, path: str) -> bool:
    """Return whether a fuzzy file finder offers this path for the guess, by its own name.

    The words of the guess stand in the path in their order, and the last one in the path's last
    part: a folder counts only where the whole of it is the feature, and is listed as a path then.
    """
    *before, last = (word.removesuffix("s") for word in _words(guess))
    folders, name = _words(Path(path).parent.as_posix()), _words(Path(path).name)
    ends = [n for n, word in enumerate(name) if word.startswith(last)]
    ahead = iter(folders + name[: ends[-1]] if ends else ())
    return bool(ends) and all(any(word.startswith(one) for word in ahead) for one in before)


def _words(path: str) -> list[str]:
    """Return the words of a path in small letters, without its suffix."""
    bare = Path(path).with_suffix("").as_posix().lower()
    return [word for word in re.split(r"[/_\-. ]+", bare) if word]


def main(root: Path) -> None:
    """Print every figure of the tree below this root."""
    tree = Tree(root)
    arrows = imports(tree)
    doubled = doubled_classes(tree)
    lists = GUESSES, FRESH_GUESSES
    lost = [name for guesses in lists for name in not_found(root, guesses)]
    gone = [path for guesses in lists for path in missing_paths(root, guesses)]
    rows = {
        "features found by a guessed file name": found_share(root, GUESSES),
        "fresh features found by a guessed file name": found_share(root, FRESH_GUESSES),
        "files, functions": f"{len(tree.files)}, {len(tree.functions)}",
        "functions with one-word names": f"{one_word_share(tree):.0%}",
        "class names defined twice": f"{len(doubled)}",
        "docstrings opening with a pronoun or relative": f"{riddle_share(tree):.1%}",
        "whoever / nobody / somebody in docstrings": f"{people_in_docstrings(tree)}",
        "lines of companion/cli": f"{lines_of(tree, 'companion/cli/')}",
        "uses of Any": f"{uses_of_any(tree)}",
        "import circles": f"{len(circles(arrows))}",
        "imports that break the layers": f"{len(broken_arrows(arrows))}",
    }
    for what, figure in rows.items():
        print(f"{what:46} {figure}")
    if "--names" in sys.argv:
        print("\nTwice:", ", ".join(doubled), "\nLost:", *lost, sep="\n  ")
        print("\nListed, but gone:", *gone, sep="\n  ")
        print("\nCircles:", *circles(arrows), "\nBroken:", *broken_arrows(arrows), sep="\n  ")


if __name__ == "__main__":
    main(Path(next((arg for arg in sys.argv[1:] if not arg.startswith("-")), HERE)))
