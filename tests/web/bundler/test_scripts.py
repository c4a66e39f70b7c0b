"""Modules joined into one script: each once, in order, without what nothing mentions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.bundler.errors import BundleError
from web.bundler.modules import read_module
from web.bundler.names import shorten_names
from web.bundler.scripts import join_modules
from web.bundler.tokens import split_tokens, write_tokens


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


def test_a_method_that_nothing_mentions_is_left_out():
    shape = """
export class Shape {
  static #made = 0; static sides = { of() { return 4; } }
  static gone() { return onlyGone(); }
  static async *goneAsWell({ a } = { a: 1 }) { yield a; }
  get area() { return Shape.sides.of() ** 2; }
  set unset(to) { this.#unused(to); }
  #unused(to) { onlyUnused(to); }
  kept(shape) { return shape.area + this["worked" + "Out"](); }
  ["workedOut"]() { return 2; }
  toJSON() { return "told"; }
}
function onlyGone() {}
function onlyUnused(to) {}
"""
    script = join(a='import { Shape } from "./b.mjs"; run(Shape, new Shape().kept);', b=shape)
    for word in ("gone", "goneAsWell", "unset", "unused", "onlyGone", "onlyUnused"):
        assert not re.search(rf"\b{word}\b", script), word
    for word in ("made", "sides", "of", "area", "kept", "workedOut", "toJSON"):
        assert re.search(rf"\b{word}\b", script), word


def test_several_entries_run_in_their_order():
    script = join("b", "a", a='import "./c.mjs"; run("a");', b='run("b");', c='run("c");')
    assert re.findall(r'run\("(\w)"\)', script) == ["b", "c", "a"]


@pytest.mark.parametrize("text", ["import(at.late);", "function f() { import(at.late); } f();"])
def test_a_script_may_be_loaded_later_from_where_the_page_says(text):
    assert "import(at.late)" in join(a=text)


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
        ('function f() { return import("./b.mjs"); }', "import() only an address"),
        ("function f() { return import(`./b.mjs`); }", "import() only an address"),
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
const one = "1", two = f("2");
const literal = "gone 1";
const pure = /* @__PURE__ */ f("gone 2");
const not_marked = f("3");
const marked_inside = f(() => { /* @__PURE__ */ g("4"); });
const marked_in_part = /* @__PURE__ */ f("5") + g("6");
const called = () => "7";
const arrow = async (x) => { y(x, "gone 3"); };
const broken = () => "8"
run("9");
function plain() { return plain("gone 4"); }
async function* waiting() { f("gone 5"); }
class Empty { x = "gone 6"; m() {} }
class Static { static x = f("10"); }
class Child extends f("11") {}
class Computed { [f("12")]() {} }
called();
"""


def test_only_what_does_nothing_and_is_not_mentioned_is_left_out():
    script = join(a=USED)
    wanted = [text for text in re.findall('"[^"]+"', USED) if "gone" not in text]
    assert re.findall('"[^"]+"', script) == wanted
    assert len(wanted) == 12


def test_what_is_left_out_leaves_statements_apart():
    script = join(a="const a = function () {}\nfunction gone() {}\n(b)();")
    assert "function(){};(b)()" in re.sub(r"\s", "", script)


LIBRARY = """
const K = 3;
function inner() { return K + "inner"; }
export function used() { return inner(); }
export function unused() { return other("unused"); }
function other() { return "other"; }
export { other as o };
"""


@pytest.mark.parametrize(
    ("text", "come"),
    [
        ('import { used, unused } from "./b.mjs"; used();', {"inner"}),
        ('import { unused } from "./b.mjs"; f(unused);', {"unused", "other"}),
        ('import * as all from "./b.mjs"; all.o();', {"other"}),
        ('import * as all from "./b.mjs"; f(all);', {"inner", "unused", "other"}),
        ('import * as all from "./b.mjs"; f(all[g]);', {"inner", "unused", "other"}),
        ('import "./b.mjs"; f();', set()),
    ],
)
def test_of_what_is_imported_only_what_is_used_comes(text, come):
    assert set(re.findall(r'"(inner|unused|other)"', join(a=text, b=LIBRARY))) == come


def shortened(text: str, *names: str) -> str:
    tokens, _ = shorten_names([*split_tokens(text, "a.mjs")], names)
    return write_tokens(tokens)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("const name = name.name + x.name;", "const a=a.name+x.name;"),
        ("const name = { name, x: name, name: name };", "const a={name:a,x:a,name:a};"),
        ("const { name, x = name } = name;", "const{name:a,x=a}=a;"),
        ("f(({ name = 1 }) => [name, name]);", "f(({name:a=1})=>[a,a]);"),
        ("x = { name() { name(); } };", "x={name(){a();}};"),
        ("function name(name) { return { ...name }; }", "function a(a){return{...a};}"),
        ("x = y ? name : { name };", "x=y?name:{name};"),
        ("f(y ? name : { name });", "f(y?a:{name:a});"),
        ("switch (x) { case name: name(); }", "switch(x){case a:a();}"),
        ("`name ${name} ${{ name }.name}`", "`name ${a} ${{name:a}.name}`"),
        ("let x, name; if (name) { name(); }", "let x,a;if(a){a();}"),
        ("class A { x = 1; m() { return { name }; } }", "class A{x=1;m(){return{name:a};}}"),
        ("a = name; b = name", "a=c;b=c"),
    ],
)
def test_a_name_is_shorter_wherever_it_means_the_variable(text, short):
    assert shortened(text, "name") == short


@pytest.mark.parametrize(
    "text",
    [
        "class A { name() {} } name();", "class A { name = name }",
        "x = { get name() {} }; name();",
        "name: for (;;) break name;", "{ name: f(name) }", "x = { async name() {} }; name()",
        "case_\n{ name, b }", "if (x) { name: 1 }",
    ],
)  # fmt: skip
def test_a_name_stays_where_it_might_be_a_property(text):
    assert "name" in shortened(text, "name")
    assert shortened(text, "name") == shortened(text)
