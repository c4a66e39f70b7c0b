"""Names that functions declare for themselves."""

import pytest

from web.bundler.locals import declared_inside, find_locals
from web.bundler.modules import read_module
from web.bundler.tokens import split_tokens


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("const a = 1; let b;", "a b"),
        ("const { a, b: c, d = e, ...f } = g;", "a c d f"),
        ("const [a, [b], , c = d] = e;", "a b c"),
        ("for (const a of b) c(a);", "a"),
        ("function a(b, { c }, d = { e: f, g }, h) {}", "b c d h"),
        ("a((b) => c, d => e, ({ f }, g) => f(g));", "b d f g"),
        ("a.const.b; ({ c: d, e });", ""),
        ("a(`${b((c) => d)}`);", "c"),
    ],
)
def test_what_is_declared_is_found(script, names):
    tokens = list(split_tokens(script, "m.mjs"))
    assert [tokens[at].text for at in declared_inside(tokens)] == names.split()


def locals_of(*scripts: str) -> list[list[str]]:
    modules = [read_module(f"{n}.mjs", script) for n, script in enumerate(scripts)]
    return [*find_locals(modules, {module.name: frozenset() for module in modules}).values()]


def test_a_name_that_may_be_a_global_is_left_alone():
    uses_it = "document.title = status;"
    assert locals_of("function f() { const status = 1; return status; } f();") == [["status"]]
    declared = "function f(status) { return status; } f(1);"
    assert locals_of(declared + uses_it) == [[]]
    assert locals_of(declared, uses_it) == [[], []]
