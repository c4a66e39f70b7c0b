"""Modules joined into one script: each once, in order, without what nothing mentions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.bundler.errors import BundleError
from web.bundler.modules import read_module
from web.bundler.scripts import join_modules


def join(*entries: str, **modules: str) -> str:
    """The script of modules given as `name="text"`; they lie in one folder."""
    texts = {f"js/{name}.mjs": text for name, text in modules.items()}
    return join_modules(
        [f"js/{name}.mjs" for name in entries or ("a",)],
        lambda name: read_module(name, texts[name]),
    )


@given(st.lists(st.sets(st.integers(0, 7)), min_size=1, max_size=8))
def test_a_module_runs_once_and_after_what_it_imports(wanted):
    """Of eight modules each may import those with a lower number."""
    needs = {n: sorted(m for m in found if m < n) for n, found in enumerate(wanted)}
    modules = {
        f"m{n}": "".join(f'import "./m{m}.mjs";\n' for m in found) + f"run({n});"
        for n, found in needs.items()
    }
    order = [int(n) for n in re.findall(r"run\((\d)\)", join(f"m{len(needs) - 1}", **modules))]
    reached = {len(needs) - 1}
    for n in sorted(needs, reverse=True):
        reached |= set(needs[n]) if n in reached else set()
    assert sorted(order) == sorted(reached)
    assert all(order.index(m) < order.index(n) for n in order for m in needs[n])


def test_several_entries_run_in_their_order():
    script = join("b", "a", a='import "./c.mjs"; run("a");', b='run("b");', c='run("c");')
    assert re.findall(r'run\("(\w)"\)', script) == ["b", "c", "a"]


def test_a_circle_is_refused():
    with pytest.raises(BundleError, match=r"js/b.mjs imports js/c.mjs imports js/b.mjs"):
        join(a='import "./b.mjs";', b='import "./c.mjs";', c='import "./b.mjs";')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import { x } from "./b.mjs"; x();', "js/b.mjs exports no “x”"),
        ('import x from "./b.mjs";', "line 1: import names in braces"),
        ('\nimport { y } from "other";', "line 2: import from an address"),
        ('import { y } from "./b.mjs"\ny();', "“;” was expected, not “y”"),
        ('import { default as y } from "./b.mjs";', "a name was expected"),
        ('const b = await import("./b.mjs");', "“import” only begins a statement"),
        ('import("./b.mjs");', "import names in braces"),
        ("f(import.meta.url);", "“import” only begins a statement"),
        ("export default f;", "export a function, a class, a constant"),
        ("export let z = 1;", "export a function, a class, a constant"),
        ('export * from "./b.mjs";', "export a function, a class, a constant"),
        ('export { y } from "./b.mjs";', "“;” was expected, not “from”"),
        ("export const { p } = q;", "export one plain name"),
        ("export const p = 1, q = 2;", "declare what is exported alone"),
        ("export { p };", "declare “p”, which is exported"),
        ("let p = 1; export { p }; p += 1;", "assign “p” once"),
        ("export function p() {}\np = 1;", "assign “p” once"),
        ("f({ import: 1 });", "“import” only begins a statement"),
        ("a.import = 1;", "call no property “import”"),
        ("const $m0 = 1;", "names such as"),
    ],
)
def test_what_could_go_wrong_is_refused(text, why):
    with pytest.raises(BundleError, match=re.escape(why)):
        join(a=text, b="export const y = 1;")


USED = """
const one = 1, two = f();
const pure = /* @__PURE__ */ f();
const not_marked = f();
const marked_inside = f(() => { /* @__PURE__ */ g(); });
const called = () => 1;
const arrow = async (x) => { y(x); };
const broken = () => 1
run();
function plain() { return plain(); }
async function* waiting() {}
class Empty { x = 1; m() {} }
class Static { static x = f(); }
class Child extends f() {}
class Computed { [f()]() {} }
called();
"""


def test_only_what_does_nothing_and_is_not_mentioned_is_left_out():
    script = join(a=USED)
    gone = {"pure", "arrow", "plain", "waiting", "Empty"}
    names = set(re.findall(r"(?:const|function\*?|class)\s(\w+)", USED))
    assert gone < names
    assert {name for name in names if not re.search(rf"\b{name}\b", script)} == gone
    assert "run()" in script


def test_what_is_left_out_leaves_statements_apart():
    script = join(a="const a = function () {}\nfunction gone() {}\n(b)();")
    assert "function(){};(b)()" in re.sub(r"\s", "", script)


def test_of_what_is_imported_only_what_is_used_comes():
    library = (
        "const K = 3;\nfunction inner() { return K; }\nexport function used() { return inner(); }\n"
        "export function unused() { return other(); }\nfunction other() {}\nexport { other as o };"
    )
    script = join(a='import { used, unused } from "./b.mjs"; used();', b=library)
    assert "inner" in script
    assert "K=3" in script
    assert "other" not in script
    assert "unused" not in script
    everything = join(a='import * as all from "./b.mjs"; all.o();', b=library)
    assert "other" in everything
    assert "inner" not in everything
    handed_on = join(a='import * as all from "./b.mjs"; f(all);', b=library)
    assert "inner" in handed_on
    assert "unused" in handed_on
