"""Random mutants of the code that decides, and whether the tests beside it notice them.

`python -m bench.mutants 60` copies the tree, changes one operator, constant or condition of one
file in the copy, runs the tests of that file's room until one fails, and goes on with the next. The
same tree makes the same ones. A mutant that no test notices is printed as a line of code; who reads
it says whether it means the same (then it is no mutant) or which test is missing.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import copy
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEED = 20261128
ROOMS = {
    "rules": ("companion/games/*/*.py companion/judge/*.py", "tests/games tests/judge tests/laws"),
    "table": ("companion/table/*.py", "tests/table tests/laws"),
    "tracking": ("companion/tracking/*.py", "tests/tracking"),
    "journal": ("companion/journal/*.py", "tests/journal tests/crash"),
}
"""Files of each room, and the tests beside them."""
NOT_RULES = ("bot.py", "game.py", "pieces.py")
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
}  # fmt: skip


def change_node(node: ast.AST) -> bool:
    """Change this node in place; return whether there is something to change."""
    match node:
        case ast.Compare(ops=[op, *rest]) if type(op) in OTHER:
            node.ops = [OTHER[type(op)](), *rest]  # type: ignore[list-item]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OTHER:
            node.op = OTHER[type(op)]()  # type: ignore[assignment]
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.If(test=test) | ast.IfExp(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case _:
            return False
    return True


def changeable_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes inside of functions, in the order of the file; not those of f-strings."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
                    if not isinstance(node, ast.JoinedStr | ast.FunctionDef):
                        yield node


def make_mutant(source: str, dice: random.Random) -> tuple[str, int] | None:
    """Return the source with one node changed, and the node's line."""
    tree = ast.parse(source)
    nodes = [node for node in changeable_nodes(tree) if change_node(copy(node))]
    if not nodes:
        return None
    chosen = dice.choice(nodes)
    change_node(chosen)
    return ast.unparse(tree), chosen.lineno  # type: ignore[attr-defined]


def is_noticed(tree: Path, tests: list[str]) -> bool:
    """Run the tests of a room in the changed tree until one fails."""
    words = ["-m", "pytest", "-q", "-x", "-n", "2", "-p", "no:cacheprovider", "--timeout=300"]
    run, env = [sys.executable, *words, *tests], {**os.environ, "PYTHONPATH": str(tree)}
    return subprocess.run(run, cwd=tree, env=env, capture_output=True, check=False).returncode != 0


def main(number: int) -> None:
    dice, noticed, survivors = random.Random(SEED), 0, []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".venv", ".git", ".*_cache"))
        for n in range(number):
            room = dice.choice([*ROOMS])
            globs, tests = (words.split() for words in ROOMS[room])
            files = sorted(
                file for glob in globs for file in tree.glob(glob) if file.name not in NOT_RULES
            )
            file = dice.choices(files, [file.stat().st_size for file in files])[0]
            source = file.read_text("utf-8")
            mutant = make_mutant(source, dice)
            if mutant is None:
                continue
            changed, line = mutant
            file.write_text(changed, "utf-8")
            seen = is_noticed(tree, tests)
            file.write_text(source, "utf-8")
            noticed += seen
            was = ast.unparse(ast.parse(source)).splitlines()
            now = changed.splitlines()
            at = next(at for at, pair in enumerate(zip(was, now, strict=False)) if len({*pair}) > 1)
            said = f"{file.relative_to(tree)}:{line}: {was[at].strip()} -> {now[at].strip()}"
            survivors += [] if seen else [said]
            print(f"{n + 1:3} {'noticed ' if seen else 'SURVIVED'} {said}", flush=True)
    print(f"{noticed} of {noticed + len(survivors)} mutants are noticed", *survivors, sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
